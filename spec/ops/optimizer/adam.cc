#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerAdam() {
  static const OpRow rows[] = {
      {.signature = "ApplyAdam(var: ref T, m: ref T, v: ref T, beta1_power: T, beta2_power: T, lr: T, beta1: T, beta2: "
                    "T, epsilon: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false",
       .doc = "m and v are moving averages of grad and grad²; var moves by rule R65, with Nesterov's form if "
              "use_nesterov.",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [d...] [] [] [] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true use_nesterov=false/true: [d...] finite [d...] finite [d...] positive 0.5 "
                   "0.75 [] in 0..1 0.5 0.75 [] positive [d...] finite"}},
      {.signature = "ResourceApplyAdam(var: resource<Variable>, m: resource<Variable>, v: resource<Variable>, "
                    "beta1_power: T, beta2_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false",
       .doc = "ApplyAdam on resource variables (rule R46).",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true use_nesterov=false/true: [d...] finite [d...] finite [d...] positive 0.5 "
                   "0.75 [] in 0..1 0.5 0.75 [] positive [d...] finite"}},
      {.signature = "ResourceApplyAdamWithAmsgrad(var: resource<Variable>, m: resource<Variable>, v: "
                    "resource<Variable>, vhat: resource<Variable>, beta1_power: T, beta2_power: T, lr: T, beta1: T, "
                    "beta2: T, epsilon: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ResourceApplyAdam with the greatest v so far, vhat, in the place of v (rules R46, R65).",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [d...] positive [d...] positive 0.5 0.75 [] in "
                   "0..1 0.5 0.75 [] positive [d...] finite"}},
      {.signature = "ApplyAdaMax(var: ref T, m: ref T, v: ref T, beta1_power: T, lr: T, beta1: T, beta2: T, epsilon: "
                    "T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "m is a moving average of grad, v the greatest of |grad| and of itself, decayed; var moves by rule R65.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape = "[d...] [d...] [d...] [] [] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [d...] positive 0.5 [] in 0..1 0.5 0.75 [] "
                   "positive [d...] finite"}},
      {.signature = "ResourceApplyAdaMax(var: resource<Variable>, m: resource<Variable>, v: resource<Variable>, "
                    "beta1_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyAdaMax on resource variables (rule R46).",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [d...] positive 0.5 [] in 0..1 0.5 0.75 [] "
                   "positive [d...] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
