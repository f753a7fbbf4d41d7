#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerSignMomentum() {
  static const OpRow rows[] = {
      {.signature =
           "ApplyAddSign(var: ref T, m: ref T, lr: T, alpha: T, sign_decay: T, beta: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "m = beta m + (1 - beta) grad; var -= lr (alpha + sign_decay s) grad, where s is 1 where grad and m have "
              "one sign, -1 where they differ and 0 where one of them is 0 (rule R61).",
       .cpu = "T in [floats]",
       .shape = "[d...] [d...] [] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [] in 0..1 [] in 0..1 [] in 0..1 [] in 0..1 "
                   "[d...] finite"}},
      {.signature = "ResourceApplyAddSign(var: resource<Variable>, m: resource<Variable>, lr: T, alpha: T, sign_decay: "
                    "T, beta: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyAddSign on resource variables (rule R46).",
       .cpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [] in 0..1 [] in 0..1 [] in 0..1 [] in 0..1 "
                   "[d...] finite"}},
      {.signature =
           "ApplyPowerSign(var: ref T, m: ref T, lr: T, logbase: T, sign_decay: T, beta: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "m = beta m + (1 - beta) grad; var -= lr exp(logbase sign_decay s) grad, where s is 1 where grad and m "
              "have one sign, -1 where they differ and 0 where one of them is 0 (rule R61).",
       .cpu = "T in [floats]",
       .shape = "[d...] [d...] [] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [] in 0..1 [] in 0..1 [] in 0..1 [] in 0..1 "
                   "[d...] finite"}},
      {.signature = "ResourceApplyPowerSign(var: resource<Variable>, m: resource<Variable>, lr: T, logbase: T, "
                    "sign_decay: T, beta: T, grad: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyPowerSign on resource variables (rule R46).",
       .cpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true: [d...] finite [d...] finite [] in 0..1 [] in 0..1 [] in 0..1 [] in 0..1 "
                   "[d...] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
