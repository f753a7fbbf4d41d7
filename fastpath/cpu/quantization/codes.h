// Codes of quantised types: which code is nearest to a number of a range, and which number a code stands for, in the
// roundings of float32 and float64 that make a code one and no other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// The integer that stores a quantised element.
template <class Q>
using CodeType = decltype(Q::value);

// The limits of a type of codes, in the numbers that ranges are computed with.
template <class Code>
struct CodeLimits {
  static constexpr int64_t kLow = std::numeric_limits<Code>::min(), kHigh = std::numeric_limits<Code>::max();
  static constexpr double kCount = static_cast<double>(kHigh - kLow) + 1;
  static constexpr float kFirst = static_cast<float>(kLow), kLast = static_cast<float>(kHigh);
};

// Towards zero; the smallest integer for what does not fit.
template <class Int, class Float>
inline Int Truncated(Float x) {
  constexpr auto kLimit = static_cast<Float>(uint64_t{1} << (8 * sizeof(Int) - 1));
  return x >= -kLimit && x < kLimit ? static_cast<Int>(x) : std::numeric_limits<Int>::min();
}

// Kernels take subnormal numbers for zeros.
inline float Normal(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x; }

// Whole numbers from floats without a call: |x| that are large are whole.
inline float RoundedAway(float x) {
  const float size = std::fabs(x);
  const auto whole = static_cast<float>(static_cast<int32_t>(size < 0x1p23F ? size + 0x1.fffffep-2F : 0.0F));
  return size < 0x1p23F ? std::copysign(whole, x) : x;
}
inline float RoundedToEven(float x) {
  const float size = std::fabs(x);
  return size < 0x1p23F ? std::copysign((size + 0x1p23F) - 0x1p23F, x) : x;
}

// Steps in float64 from the lowest code at `min` to the highest at `max`.
template <class Code>
class Steps {
  using Limits = CodeLimits<Code>;

 public:
  Steps(float low, float high) : min_(Normal(low)), is_point_(min_ == Normal(high)) {
    const float min = min_, max = Normal(high);
    const double range = static_cast<double>(Normal(max - min)) * (Limits::kCount / (Limits::kCount - 1));
    per_unit_ = Limits::kCount / range;
    start_ = std::round(min * per_unit_);
    size_ = range / Limits::kCount;
    const auto narrow = static_cast<float>(size_);
    first_ = std::round(min / narrow) * narrow;
  }
  // The nearest code, as if there were more beyond both ends.
  int64_t Unbounded(float number) const {
    if (is_point_) return Limits::kLow;
    const auto steps = Truncated<int64_t>(std::round(number * per_unit_) - start_);
    return static_cast<int64_t>(static_cast<uint64_t>(steps) + static_cast<uint64_t>(Limits::kLow));
  }
  Code Nearest(float number) const {
    return static_cast<Code>(std::clamp(Unbounded(number), Limits::kLow, Limits::kHigh));
  }
  // A code of 32 bits is rounded to float32 first.
  float NumberOf(Code code) const {
    if (is_point_) return min_;
    const double place = sizeof(Code) == 4 ? static_cast<double>(static_cast<float>(code)) : static_cast<double>(code);
    return static_cast<float>(first_ + (place - static_cast<double>(Limits::kLow)) * size_);
  }

 private:
  float min_;
  bool is_point_;
  double per_unit_, start_, size_, first_;
};

// The same in float32: zero + code · scale.
template <class Code>
struct CodeLine {
  CodeLine(float low, float high) {
    const float min = Normal(low), max = Normal(high);
    scale = static_cast<float>(static_cast<double>(Normal(max - min)) / (CodeLimits<Code>::kCount - 1));
    zero = (max == min ? min : std::round(min / scale) * scale) - CodeLimits<Code>::kFirst * scale;
  }
  float operator()(Code code) const { return zero + static_cast<float>(code) * scale; }
  float scale, zero;
};
template <class Code>
struct NearestCode {
  NearestCode(float low, float high) {
    const float min = Normal(low), max = Normal(high);
    if (max != min) scale = static_cast<float>((CodeLimits<Code>::kCount - 1) / static_cast<double>(Normal(max - min)));
    shift = std::round(min * scale) - CodeLimits<Code>::kFirst;
  }
  Code operator()(float number) const {
    constexpr float kLow = CodeLimits<Code>::kFirst, kHigh = std::min(CodeLimits<Code>::kLast, 0x1.fffffep30F);
    const float code = RoundedAway(number * scale) - shift;
    return static_cast<Code>(Truncated<int32_t>(code < kLow ? kLow : kHigh < code ? kHigh : code));
  }
  float scale = 0, shift;
};

// The float of an input that must hold one, or be a scalar.
inline float OneFloat(const KernelContext& context, int i) {
  const Tensor& tensor = context.input(i);
  Require(tensor.elements() == 1, "input ", i, " must hold one number, not have the shape ", Printed(tensor.shape()));
  return *tensor.data<float>().data();
}
inline float ScalarFloat(const KernelContext& context, int i) {
  const Tensor& tensor = context.input(i);
  Require(tensor.rank() == 0, "input ", i, " must be a scalar, not of shape ", Printed(tensor.shape()));
  return *tensor.data<float>().data();
}
inline void OutputFloat(KernelContext& context, int i, float number) {
  *context.AllocateOutput(i, DType::kFloat, {}).mutable_data<float>().data() = number;
}

}  // namespace plumb::fast::cpu
