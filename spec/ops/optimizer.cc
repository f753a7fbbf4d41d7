#include "spec/ops/families.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> OptimizerOps() {
  static const OpRow rows[] = {
      {.signature = "ApplyGradientDescent(var: ref T, alpha: T, delta: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "var -= alpha delta (rule R60).",
       .shape = "[d...] [] [d...] -> [d...]",
       .accuracy = Composed(1),
       .sample = "[d...] finite [] in 0..1 [d...] finite"},
      {.signature = "ApplyMomentum(var: ref T, accum: ref T, lr: T, grad: T, momentum: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false",
       .doc = "accum = accum momentum + grad; var -= lr accum, or Nesterov's form (rule R61).",
       .shape = "[d...] [d...] [] [d...] [] -> [d...]",
       .accuracy = Composed(1),
       .sample = "use_nesterov=false/true: [d...] finite [d...] finite [] in 0..1 [d...] finite [] in 0..1"},
      {.signature = "ApplyAdagrad(var: ref T, accum: ref T, lr: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; update_slots: bool = true",
       .doc = "accum += grad² if update_slots; var -= lr grad / sqrt(accum) (rule R62).",
       .shape = "[d...] [d...] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .sample = "update_slots=true/false: [d...] finite [d...] positive [] in 0..1 [d...] finite"},
      {.signature = "ApplyRMSProp(var: ref T, ms: ref T, mom: ref T, lr: T, rho: T, momentum: T, epsilon: T, grad: "
                    "T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ms and mom follow rule R64; var -= mom.",
       .shape = "[d...] [d...] [d...] [] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .sample = "[d...] finite [d...] positive [d...] finite [] in 0..1 [] in 0..1 [] in 0..1 [] positive "
                 "[d...] finite"},
      {.signature = "ApplyAdam(var: ref T, m: ref T, v: ref T, beta1_power: T, beta2_power: T, lr: T, beta1: T, "
                    "beta2: T, epsilon: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false",
       .doc = "m and v are moving averages of grad and grad²; var moves by rule R65, with Nesterov's form if "
              "use_nesterov.",
       .shape = "[d...] [d...] [d...] [] [] [] [] [] [] [d...] -> [d...]",
       .accuracy = Composed(4),
       .sample = "use_nesterov=false/true: [d...] finite [d...] finite [d...] positive 0.5 0.75 [] in 0..1 0.5 "
                 "0.75 [] positive [d...] finite"},
      {.signature = "ApplyFtrl(var: ref T, accum: ref T, linear: ref T, grad: T, lr: T, l1: T, l2: T, lr_power: T) "
                    "-> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; multiply_linear_by_lr: bool = false",
       .doc = "accum, linear and var follow rule R66.",
       .shape = "[d...] [d...] [d...] [d...] [] [] [] [] -> [d...]",
       .accuracy = Composed(4),
       .sample = "[d...] finite [d...] positive [d...] finite [d...] finite 0.5 0.25 0.125 -0.5"},
      {.signature = "SparseApplyAdagrad(var: ref T, accum: ref T, lr: T, grad: T, indices: Tindices) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "update_slots: bool = true",
       .doc = "ApplyAdagrad on the rows that the indices name, one after the other (rule R68).",
       .shape = "[n d...] [n d...] [] [k d...] [k] -> [n d...]",
       .accuracy = Composed(4),
       .sample = "update_slots=true/false: [V b] finite [V b] positive [] in 0..1 [k b] finite [k] in 0..V"},
      {.signature = "SparseApplyFtrl(var: ref T, accum: ref T, linear: ref T, grad: T, indices: Tindices, lr: T, "
                    "l1: T, l2: T, lr_power: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "multiply_linear_by_lr: bool = false",
       .doc = "ApplyFtrl on the rows that the indices name, one after the other (rule R68).",
       .shape = "[n d...] [n d...] [n d...] [k d...] [k] [] [] [] [] -> [n d...]",
       .accuracy = Composed(4),
       .sample = "[V b] finite [V b] positive [V b] finite [k b] finite [k] in 0..V 0.5 0.25 0.125 -0.5"},
      {.signature = "ResourceApplyGradientDescent(var: resource, alpha: T, delta: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "ApplyGradientDescent on a resource variable (rule R46).",
       .shape_fn = shape_rules::ResourceApplyGradientDescent,
       .accuracy = Composed(1),
       .sample = "[d...] finite [] in 0..1 [d...] finite"},
      {.signature = "ResourceApplyMomentum(var: resource, accum: resource, lr: T, grad: T, momentum: T) -> () "
                    "stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false",
       .doc = "ApplyMomentum on resource variables (rule R46).",
       .shape_fn = shape_rules::ResourceApplyMomentum,
       .accuracy = Composed(1),
       .sample = "use_nesterov=false/true: [d...] finite [d...] finite [] in 0..1 [d...] finite [] in 0..1"},
  };
  return rows;
}

}  // namespace plumb
