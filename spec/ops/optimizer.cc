#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> OptimizerOps() {
  static const OpRow rows[] = {
      {.signature = "ApplyGradientDescent(var: ref T, alpha: T, delta: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false"},
      {.signature = "ApplyMomentum(var: ref T, accum: ref T, lr: T, grad: T, momentum: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false"},
      {.signature = "ApplyAdagrad(var: ref T, accum: ref T, lr: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; update_slots: bool = true"},
      {.signature = "ApplyRMSProp(var: ref T, ms: ref T, mom: ref T, lr: T, rho: T, momentum: T, epsilon: T, grad: "
                    "T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false"},
      {.signature = "ApplyAdam(var: ref T, m: ref T, v: ref T, beta1_power: T, beta2_power: T, lr: T, beta1: T, "
                    "beta2: T, epsilon: T, grad: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false"},
      {.signature = "ApplyFtrl(var: ref T, accum: ref T, linear: ref T, grad: T, lr: T, l1: T, l2: T, lr_power: T) "
                    "-> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; multiply_linear_by_lr: bool = false"},
      {.signature = "SparseApplyAdagrad(var: ref T, accum: ref T, lr: T, grad: T, indices: Tindices) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "update_slots: bool = true"},
      {.signature = "SparseApplyFtrl(var: ref T, accum: ref T, linear: ref T, grad: T, indices: Tindices, lr: T, "
                    "l1: T, l2: T, lr_power: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "multiply_linear_by_lr: bool = false"},
      {.signature = "ResourceApplyGradientDescent(var: resource, alpha: T, delta: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false"},
      {.signature = "ResourceApplyMomentum(var: resource, accum: resource, lr: T, grad: T, momentum: T) -> () "
                    "stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; use_nesterov: bool = false"},
  };
  return rows;
}

}  // namespace plumb
