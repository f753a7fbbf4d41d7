// One step of an optimizer over arrays: the formulas of optimizer_formulas-inl.h with a loop around them.
#pragma once

#include <cstdint>

#include "spec/core/dtype.h"

namespace plumb::fast::cpu {

enum class UpdateFormula {
  kGradientDescent,
  kMomentum,
  kNesterovMomentum,
  kAdagrad,
  kAdagradFixedSlots,
  kRmsProp,
  kAdam,
  kNesterovAdam,
  kFtrl,
  kFtrlRoot,  // lr_power is −1/2
  kFtrlByLr,
  kFtrlRootByLr,
};

constexpr int kMaxSlots = 3;
constexpr int kMaxScalars = 6;

// Updates slots[k][0 … n) from gradient[0 … n). `scalars`: the op's scalar inputs in their order, in the arrays' type.
using UpdateLoop = void (*)(void* const* slots, const void* gradient, const void* scalars, int64_t n);

// For float, double and, where the formula has them, complex64 and complex128; null for other types.
UpdateLoop FindUpdateLoop(UpdateFormula formula, DType type);

}  // namespace plumb::fast::cpu
