#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerAdagradDa() {
  static const OpRow rows[] = {
      {.signature = "ApplyAdagradDA(var: ref T, gradient_accumulator: ref T, gradient_squared_accumulator: ref T, "
                    "grad: T, lr: T, l1: T, l2: T, global_step: int64) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "Adds grad and grad² to the accumulators g and q; var = -lr sign(g) max(|g| - l1 global_step, 0) / (l2 "
              "lr global_step + sqrt(q)) (rule R62).",
       .cpu = "T in [float32, float64]",
       .shape = "[d...] [d...] [d...] [d...] [] [] [] [] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [d...] positive [d...] finite [] in 0..1 [] in "
                   "0..1 [] in 0..1 [] in 1..10",
                   "use_locking=false/true: [d...] finite [d...] finite [d...] positive [d...] finite [] in 0..1 0 [] "
                   "in 0..1 [] in 1..10"}},
      {.signature =
           "SparseApplyAdagradDA(var: ref T, gradient_accumulator: ref T, gradient_squared_accumulator: ref T, "
           "grad: T, indices: Tindices, lr: T, l1: T, l2: T, global_step: int64) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "ApplyAdagradDA on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [float32, float64]",
       .shape = "[n d...] [n d...] [n d...] [k d...] [k] [] [] [] [] -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [V b] finite [V b] positive [k b] finite [k] in 0..V [] in "
                   "0..1 [] in 0..1 [] in 0..1 [] in 1..10",
                   "use_locking=false/true: [V b] finite [V b] finite [V b] positive [k b] finite [k] in 0..V [] in "
                   "0..1 0 [] in 0..1 [] in 1..10"}},
      {.signature = "ResourceApplyAdagradDA(var: resource<Variable>, gradient_accumulator: resource<Variable>, "
                    "gradient_squared_accumulator: resource<Variable>, grad: T, lr: T, l1: T, l2: T, global_step: "
                    "int64) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyAdagradDA on resource variables (rule R46).",
       .cpu = "T in [float32, float64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [d...] positive [d...] finite [] in 0..1 [] in "
                   "0..1 [] in 0..1 [] in 1..10",
                   "use_locking=false/true: [d...] finite [d...] finite [d...] positive [d...] finite [] in 0..1 0 [] "
                   "in 0..1 [] in 1..10"}},
      {.signature = "ResourceSparseApplyAdagradDA(var: resource<Variable>, gradient_accumulator: resource<Variable>, "
                    "gradient_squared_accumulator: resource<Variable>, grad: T, indices: Tindices, lr: T, l1: T, l2: "
                    "T, global_step: int64) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "SparseApplyAdagradDA on resource variables (rules R46, R68).",
       .cpu = "T in [float32, float64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [V b] finite [V b] positive [k b] finite [k] in 0..V [] in "
                   "0..1 [] in 0..1 [] in 0..1 [] in 1..10",
                   "use_locking=false/true: [V b] finite [V b] finite [V b] positive [k b] finite [k] in 0..V [] in "
                   "0..1 0 [] in 0..1 [] in 1..10"}},
  };
  return rows;
}

}  // namespace plumb::topics
