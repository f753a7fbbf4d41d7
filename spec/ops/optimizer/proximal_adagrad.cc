#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerProximalAdagrad() {
  static const OpRow rows[] = {
      {.signature = "ApplyProximalAdagrad(var: ref T, accum: ref T, lr: T, l1: T, l2: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc =
           "accum += grad²; then ApplyProximalGradientDescent with lr / sqrt(accum) in the place of alpha (rule R67).",
       .cpu = "T in [float32, float64]",
       .shape = "[d...] [d...] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples =
           {"use_locking=false/true: [d...] finite [d...] positive [] in 0..1 [] in 0..1 [] in 0..1 [d...] finite",
            "use_locking=false/true: [d...] finite [d...] positive [] in 0..1 0 [] in 0..1 [d...] finite"}},
      {.signature = "SparseApplyProximalAdagrad(var: ref T, accum: ref T, lr: T, l1: T, l2: T, grad: T, indices: "
                    "Tindices) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "ApplyProximalAdagrad on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]; Tindices in [int32, int64]",
       .shape = "[n d...] [n d...] [] [] [] [k d...] [k] -> [n d...]",
       .accuracy = Composed(4),
       .samples =
           {"use_locking=false/true: [V b] finite [V b] positive [] in 0..1 [] in 0..1 [] in 0..1 [k b] finite [k] in "
            "0..V",
            "use_locking=false/true: [V b] finite [V b] positive [] in 0..1 0 [] in 0..1 [k b] finite [k] in 0..V"}},
      {.signature = "ResourceApplyProximalAdagrad(var: resource<Variable>, accum: resource<Variable>, lr: T, l1: T, "
                    "l2: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyProximalAdagrad on resource variables (rule R46).",
       .cpu = "T in [float32, float64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples =
           {"use_locking=false/true: [d...] finite [d...] positive [] in 0..1 [] in 0..1 [] in 0..1 [d...] finite",
            "use_locking=false/true: [d...] finite [d...] positive [] in 0..1 0 [] in 0..1 [d...] finite"}},
      {.signature = "ResourceSparseApplyProximalAdagrad(var: resource<Variable>, accum: resource<Variable>, lr: T, l1: "
                    "T, l2: T, grad: T, indices: Tindices) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "SparseApplyProximalAdagrad on resource variables (rules R46, R68).",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]; Tindices in [int32, int64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples =
           {"use_locking=false/true: [V b] finite [V b] positive [] in 0..1 [] in 0..1 [] in 0..1 [k b] finite [k] in "
            "0..V",
            "use_locking=false/true: [V b] finite [V b] positive [] in 0..1 0 [] in 0..1 [k b] finite [k] in 0..V"}},
  };
  return rows;
}

}  // namespace plumb::topics
