#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerAdadelta() {
  static const OpRow rows[] = {
      {.signature = "ApplyAdadelta(var: ref T, accum: ref T, accum_update: ref T, lr: T, rho: T, epsilon: T, grad: T) "
                    "-> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "accum and accum_update are moving averages of grad² and of the square of the step, which is grad "
              "sqrt(accum_update + epsilon) / sqrt(accum + epsilon); var -= lr step (rule R63).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [d...] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] positive [d...] positive [] in 0..1 [] in 0..1 [] "
                   "positive [d...] finite"}},
      {.signature = "SparseApplyAdadelta(var: ref T, accum: ref T, accum_update: ref T, lr: T, rho: T, epsilon: T, "
                    "grad: T, indices: Tindices) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "ApplyAdadelta on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [floats, complexes]",
       .shape = "[n d...] [n d...] [n d...] [] [] [] [k d...] [k] -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [V b] positive [V b] positive [] in 0..1 [] in 0..1 [] "
                   "positive [k b] finite [k] in 0..V"}},
      {.signature = "ResourceApplyAdadelta(var: resource<Variable>, accum: resource<Variable>, accum_update: "
                    "resource<Variable>, lr: T, rho: T, epsilon: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyAdadelta on resource variables (rule R46).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] positive [d...] positive [] in 0..1 [] in 0..1 [] "
                   "positive [d...] finite"}},
      {.signature = "ResourceSparseApplyAdadelta(var: resource<Variable>, accum: resource<Variable>, accum_update: "
                    "resource<Variable>, lr: T, rho: T, epsilon: T, grad: T, indices: Tindices) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "SparseApplyAdadelta on resource variables (rules R46, R68).",
       .cpu = "T in [floats, complexes]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [V b] finite [V b] positive [V b] positive [] in 0..1 [] in 0..1 [] "
                   "positive [k b] finite [k] in 0..V"}},
  };
  return rows;
}

}  // namespace plumb::topics
