#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerAdagrad() {
  static const OpRow rows[] = {
      {.signature = "ApplyAdagrad(var: ref T, accum: ref T, lr: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; update_slots: bool = true",
       .doc = "accum += grad² if update_slots; var -= lr grad / sqrt(accum) (rule R62).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples =
           {"use_locking=false/true update_slots=true/false: [d...] finite [d...] positive [] in 0..1 [d...] finite"}},
      {.signature = "SparseApplyAdagrad(var: ref T, accum: ref T, lr: T, grad: T, indices: Tindices) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "update_slots: bool = true",
       .doc = "ApplyAdagrad on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape = "[n d...] [n d...] [] [k d...] [k] -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true update_slots=true/false: [V b] finite [V b] positive [] in 0..1 [k b] "
                   "finite [k] in 0..V"}},
      {.signature =
           "ResourceApplyAdagrad(var: resource<Variable>, accum: resource<Variable>, lr: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; update_slots: bool = true",
       .doc = "ApplyAdagrad on resource variables (rule R46).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples =
           {"use_locking=false/true update_slots=true/false: [d...] finite [d...] positive [] in 0..1 [d...] finite"}},
      {.signature = "ResourceSparseApplyAdagrad(var: resource<Variable>, accum: resource<Variable>, lr: T, grad: T, "
                    "indices: Tindices) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "update_slots: bool = true",
       .doc = "SparseApplyAdagrad on resource variables (rules R46, R68).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true update_slots=true/false: [V b] finite [V b] positive [] in 0..1 [k b] "
                   "finite [k] in 0..V"}},
      {.signature = "ApplyAdagradV2(var: ref T, accum: ref T, lr: T, epsilon: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; update_slots: bool = true",
       .doc = "accum += grad² if update_slots; var -= lr grad / (sqrt(accum) + epsilon) (rule R62).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true update_slots=true/false: [d...] finite [d...] positive [] in 0..1 [] "
                   "positive [d...] finite"}},
      {.signature = "SparseApplyAdagradV2(var: ref T, accum: ref T, lr: T, epsilon: T, grad: T, indices: Tindices) -> "
                    "(out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "update_slots: bool = true",
       .doc = "ApplyAdagradV2 on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape = "[n d...] [n d...] [] [] [k d...] [k] -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true update_slots=true/false: [V b] finite [V b] positive [] in 0..1 [] positive "
                   "[k b] finite [k] in 0..V"}},
      {.signature = "ResourceApplyAdagradV2(var: resource<Variable>, accum: resource<Variable>, lr: T, epsilon: T, "
                    "grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; update_slots: bool = true",
       .doc = "ApplyAdagradV2 on resource variables (rule R46).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true update_slots=true/false: [d...] finite [d...] positive [] in 0..1 [] "
                   "positive [d...] finite"}},
      {.signature = "ResourceSparseApplyAdagradV2(var: resource<Variable>, accum: resource<Variable>, lr: T, epsilon: "
                    "T, grad: T, indices: Tindices) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "update_slots: bool = true",
       .doc = "SparseApplyAdagradV2 on resource variables (rules R46, R68).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true update_slots=true/false: [V b] finite [V b] positive [] in 0..1 [] positive "
                   "[k b] finite [k] in 0..V"}},
  };
  return rows;
}

}  // namespace plumb::topics
