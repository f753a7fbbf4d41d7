#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerGradientDescent() {
  static const OpRow rows[] = {
      {.signature = "ApplyGradientDescent(var: ref T, alpha: T, delta: T) -> (out: ref T) subtracts updates_whole",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "var -= alpha delta (rule R60).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] [] [d...] -> [d...]",
       .accuracy = Composed(1),
       .samples = {"use_locking=false/true: [d...] finite [] in 0..1 [d...] finite"}},
      {.signature = "ResourceApplyGradientDescent(var: resource<Variable>, alpha: T, delta: T) -> () stateful "
                    "subtracts updates_whole",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyGradientDescent on resource variables (rule R46).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"use_locking=false/true: [d...] finite [] in 0..1 [d...] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
