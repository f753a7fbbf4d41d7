#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerProximalDescent() {
  static const OpRow rows[] = {
      {.signature =
           "ApplyProximalGradientDescent(var: ref T, alpha: T, l1: T, l2: T, delta: T) -> (out: ref T) updates_whole",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "With w = var - alpha grad: var = sign(w) max(|w| - alpha l1, 0) / (1 + alpha l2) (rule R67).",
       .cpu = "T in [float32, float64]",
       .shape = "[d...] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [] in 0..1 [] in 0..1 [] in 0..1 [d...] finite",
                   "use_locking=false/true: [d...] finite [] in 0..1 0 [] in 0..1 [d...] finite"}},
      {.signature = "SparseApplyProximalGradientDescent(var: ref T, alpha: T, l1: T, l2: T, grad: T, indices: "
                    "Tindices) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "ApplyProximalGradientDescent on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [float32, float64]",
       .shape = "[n d...] [] [] [] [k d...] [k] -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [] in 0..1 [] in 0..1 [] in 0..1 [k b] finite [k] in 0..V",
                   "use_locking=false/true: [V b] finite [] in 0..1 0 [] in 0..1 [k b] finite [k] in 0..V"}},
      {.signature = "ResourceApplyProximalGradientDescent(var: resource<Variable>, alpha: T, l1: T, l2: T, delta: T) "
                    "-> () stateful updates_whole",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyProximalGradientDescent on resource variables (rule R46).",
       .cpu = "T in [float32, float64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [] in 0..1 [] in 0..1 [] in 0..1 [d...] finite",
                   "use_locking=false/true: [d...] finite [] in 0..1 0 [] in 0..1 [d...] finite"}},
      {.signature = "ResourceSparseApplyProximalGradientDescent(var: resource<Variable>, alpha: T, l1: T, l2: T, grad: "
                    "T, indices: Tindices) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "SparseApplyProximalGradientDescent on resource variables (rules R46, R68).",
       .cpu = "T in [float32, float64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [] in 0..1 [] in 0..1 [] in 0..1 [k b] finite [k] in 0..V",
                   "use_locking=false/true: [V b] finite [] in 0..1 0 [] in 0..1 [k b] finite [k] in 0..V"}},
  };
  return rows;
}

}  // namespace plumb::topics
