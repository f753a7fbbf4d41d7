#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerMomentum() {
  static const OpRow rows[] = {
      {.signature = "ApplyMomentum(var: ref T, accum: ref T, lr: T, grad: T, momentum: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false",
       .doc = "accum = accum momentum + grad; var -= lr accum, or Nesterov's form (rule R61).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [] [d...] [] -> [d...]",
       .accuracy = Composed(1),
       .samples = {"use_locking=false/true use_nesterov=false/true: [d...] finite [d...] finite [] in 0..1 [d...] "
                   "finite [] in 0..1"}},
      {.signature = "SparseApplyMomentum(var: ref T, accum: ref T, lr: T, grad: T, indices: Tindices, momentum: T) -> "
                    "(out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "use_nesterov: bool = false",
       .doc = "ApplyMomentum on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [floats, complexes]",
       .shape = "[n d...] [n d...] [] [k d...] [k] [] -> [n d...]",
       .accuracy = Composed(1),
       .samples = {"use_locking=false/true use_nesterov=false/true: [V b] finite [V b] finite [] in 0..1 [k b] finite "
                   "[k] in 0..V [] in 0..1"}},
      {.signature = "ResourceApplyMomentum(var: resource<Variable>, accum: resource<Variable>, lr: T, grad: T, "
                    "momentum: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false",
       .doc = "ApplyMomentum on resource variables (rule R46).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"use_locking=false/true use_nesterov=false/true: [d...] finite [d...] finite [] in 0..1 [d...] "
                   "finite [] in 0..1"}},
      {.signature = "ResourceSparseApplyMomentum(var: resource<Variable>, accum: resource<Variable>, lr: T, grad: T, "
                    "indices: Tindices, momentum: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "use_nesterov: bool = false",
       .doc = "SparseApplyMomentum on resource variables (rules R46, R68).",
       .cpu = "T in [floats, complexes]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"use_locking=false/true use_nesterov=false/true: [V b] finite [V b] finite [] in 0..1 [k b] finite "
                   "[k] in 0..V [] in 0..1"}},
      {.signature = "ResourceApplyKerasMomentum(var: resource<Variable>, accum: resource<Variable>, lr: T, grad: T, "
                    "momentum: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false",
       .doc = "accum = accum momentum - lr grad; var += accum, or Nesterov's form (rules R46, R61).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"use_locking=false/true use_nesterov=false/true: [d...] finite [d...] finite [] in 0..1 [d...] "
                   "finite [] in 0..1"}},
      {.signature = "ResourceSparseApplyKerasMomentum(var: resource<Variable>, accum: resource<Variable>, lr: T, grad: "
                    "T, indices: Tindices, momentum: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "use_nesterov: bool = false",
       .doc = "ResourceApplyKerasMomentum on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"use_locking=false/true use_nesterov=false/true: [V b] finite [V b] finite [] in 0..1 [k b] finite "
                   "[k] in 0..V [] in 0..1"}},
  };
  return rows;
}

}  // namespace plumb::topics
