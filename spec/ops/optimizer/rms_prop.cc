#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerRmsProp() {
  static const OpRow rows[] = {
      {.signature = "ApplyRMSProp(var: ref T, ms: ref T, mom: ref T, lr: T, rho: T, momentum: T, epsilon: T, grad: T) "
                    "-> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ms and mom follow rule R64; var -= mom.",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [d...] [] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] positive [d...] finite [] in 0..1 [] in 0..1 [] in "
                   "0..1 [] positive [d...] finite"}},
      {.signature = "SparseApplyRMSProp(var: ref T, ms: ref T, mom: ref T, lr: T, rho: T, momentum: T, epsilon: T, "
                    "grad: T, indices: Tindices) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "ApplyRMSProp on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [float16, float32, float64, complexes]",
       .shape = "[n d...] [n d...] [n d...] [] [] [] [] [k d...] [k] -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [V b] positive [V b] finite [] in 0..1 [] in 0..1 [] in 0..1 "
                   "[] positive [k b] finite [k] in 0..V"}},
      {.signature = "ResourceApplyRMSProp(var: resource<Variable>, ms: resource<Variable>, mom: resource<Variable>, "
                    "lr: T, rho: T, momentum: T, epsilon: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyRMSProp on resource variables (rule R46).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] positive [d...] finite [] in 0..1 [] in 0..1 [] in "
                   "0..1 [] positive [d...] finite"}},
      {.signature =
           "ResourceSparseApplyRMSProp(var: resource<Variable>, ms: resource<Variable>, mom: resource<Variable>, lr: "
           "T, rho: T, momentum: T, epsilon: T, grad: T, indices: Tindices) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "SparseApplyRMSProp on resource variables (rules R46, R68).",
       .cpu = "T in [float16, float32, float64, complexes]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [V b] positive [V b] finite [] in 0..1 [] in 0..1 [] in 0..1 "
                   "[] positive [k b] finite [k] in 0..V"}},
      {.signature = "ApplyCenteredRMSProp(var: ref T, mg: ref T, ms: ref T, mom: ref T, lr: T, rho: T, momentum: T, "
                    "epsilon: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "mg, ms and mom follow rule R64, with the variance of grad in place of its square; var -= mom.",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [d...] [d...] [] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] in 0..1 [d...] in 4..9 [d...] finite [] in 0..1 [] in "
                   "0..1 [] in 0..1 [] in 1..2 [d...] in 0..1"}},
      {.signature = "SparseApplyCenteredRMSProp(var: ref T, mg: ref T, ms: ref T, mom: ref T, lr: T, rho: T, momentum: "
                    "T, epsilon: T, grad: T, indices: Tindices) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "ApplyCenteredRMSProp on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [float16, float32, float64, complexes]",
       .shape = "[n d...] [n d...] [n d...] [n d...] [] [] [] [] [k d...] [k] -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [V b] in 0..1 [V b] in 4..9 [V b] finite [] in 0..1 [] in "
                   "0..1 [] in 0..1 [] in 1..2 [k b] in 0..1 [k] in 0..V"}},
      {.signature =
           "ResourceApplyCenteredRMSProp(var: resource<Variable>, mg: resource<Variable>, ms: resource<Variable>, mom: "
           "resource<Variable>, lr: T, rho: T, momentum: T, epsilon: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyCenteredRMSProp on resource variables (rule R46).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] in 0..1 [d...] in 4..9 [d...] finite [] in 0..1 [] in "
                   "0..1 [] in 0..1 [] in 1..2 [d...] in 0..1"}},
      {.signature = "ResourceSparseApplyCenteredRMSProp(var: resource<Variable>, mg: resource<Variable>, ms: "
                    "resource<Variable>, mom: resource<Variable>, lr: T, rho: T, momentum: T, epsilon: T, grad: T, "
                    "indices: Tindices) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "SparseApplyCenteredRMSProp on resource variables (rules R46, R68).",
       .cpu = "T in [float16, float32, float64, complexes]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [V b] in 0..1 [V b] in 4..9 [V b] finite [] in 0..1 [] in "
                   "0..1 [] in 0..1 [] in 1..2 [k b] in 0..1 [k] in 0..V"}},
  };
  return rows;
}

}  // namespace plumb::topics
