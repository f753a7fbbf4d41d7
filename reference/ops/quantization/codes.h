// Codes of quantised types: which code is nearest to a number of a range, and which number a code stands for. All steps
// are those of float32 and float64 arithmetic, so that a code is one and no other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// The codes of a type: [low, high], 2^bits of them.
struct Codes {
  int64_t low = 0, high = 255;
  int bits = 8;

  double count() const { return std::ldexp(1.0, bits); }
  // The ends as float32 holds them, and as far inside as a float must be to be an int32.
  float first() const { return static_cast<float>(low); }
  float last() const { return static_cast<float>(high); }
  int64_t Clamped(int64_t code) const { return std::clamp(code, low, high); }
};
inline Codes CodesOf(DType dtype) {
  Codes codes;
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (requires(T x) { x.value; }) {
      using Limits = std::numeric_limits<decltype(T::value)>;
      codes = {Limits::min(), Limits::max(), int{8 * sizeof(T)}};
    }
  });
  return codes;
}

// As the machine converts: towards zero, and to the smallest integer where the number does not fit or is none.
inline int64_t ToInt64(double x) {
  return x >= -0x1p63 && x < 0x1p63 ? static_cast<int64_t>(x) : std::numeric_limits<int64_t>::min();
}
inline int32_t ToInt32(double x) {
  return x > -0x1p31 - 1 && x < 0x1p31 ? static_cast<int32_t>(x) : std::numeric_limits<int32_t>::min();
}
// To 32 bits, through 64: NaN and what is far too large become 0.
inline int32_t LowHalf(double x) { return static_cast<int32_t>(ToInt64(x)); }
// Kernels take subnormal numbers for zeros.
inline float Normal(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x; }
// The lowest bits of a sum of int64.
inline int64_t Wrapped(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

// A number with its value rounded to float32; the bound holds for both.
inline Real Single(Real x) {
  x.v = static_cast<float>(x.v);
  return x;
}

// A range whose ends are the lowest and the highest code, in steps that are taken in float64.
struct Range {
  Range(const Codes& type, float low, float high) : codes(type), min(Normal(low)), max(Normal(high)) {}
  Codes codes;
  float min, max;

  double width() const { return static_cast<double>(Normal(max - min)) * (codes.count() / (codes.count() - 1)); }
  // The nearest code of the type continued beyond its ends.
  int64_t Unbounded(float number) const {
    if (min == max) return codes.low;
    const double per_step = codes.count() / width();
    return Wrapped(ToInt64(std::round(number * per_step) - std::round(min * per_step)), codes.low);
  }
  int64_t CodeOf(float number) const { return codes.Clamped(Unbounded(number)); }
  // A code of 32 bits is rounded to float32 first.
  float NumberOf(int64_t code) const {
    if (min == max) return min;
    const double step = width() / codes.count(), place = codes.bits == 32 ? static_cast<float>(code) : code;
    const auto step32 = static_cast<float>(step);
    const double first = std::round(min / step32) * step32;
    return static_cast<float>(first + (place - static_cast<double>(codes.low)) * step);
  }
};

// The same in float32: what codes stand for, on a line.
struct CodeLine {
  CodeLine(const Codes& codes, float low, float high) {
    const float min = Normal(low), max = Normal(high);
    scale = static_cast<float>(static_cast<double>(Normal(max - min)) / (codes.count() - 1));
    zero = (max == min ? min : std::round(min / scale) * scale) - codes.first() * scale;
  }
  float operator()(int64_t code) const { return zero + static_cast<float>(code) * scale; }
  float scale = 0, zero = 0;
};
// The nearest code, at least the lowest and at most the highest.
struct NearestCode {
  NearestCode(const Codes& codes, float min_wanted, float max_wanted)
      : low(codes.first()), high(std::min(codes.last(), 0x1.fffffep30F)) {
    const float min = Normal(min_wanted), max = Normal(max_wanted);
    if (max != min) scale = static_cast<float>((codes.count() - 1) / static_cast<double>(Normal(max - min)));
    shift = std::round(min * scale) - codes.first();
  }
  int64_t operator()(float number) const {
    const float code = std::round(number * scale) - shift;
    return ToInt32(code < low ? low : high < code ? high : code);
  }
  float scale = 0, shift = 0, low, high;
};

// The one float of input `i`.
inline Real OneFloat(const OpContext& c, int i) {
  const Tensor& tensor = c.tensor(i);
  Require(tensor.elements() == 1, "input ", i, " must hold one number, not have the shape ", tensor.shape().ToString());
  return Reader<Real>(c.input(i))[0];
}
// The same of a scalar.
inline Real ScalarFloat(const OpContext& c, int i) {
  const Tensor& tensor = c.tensor(i);
  Require(tensor.rank() == 0, "input ", i, " must be a scalar, not of shape ", tensor.shape().ToString());
  return Reader<Real>(c.input(i))[0];
}
inline float ValueOf(Real x) { return static_cast<float>(x.v); }

inline void OutputFloat(OpContext& c, int i, Real number) {
  Writer<Real> writer(DType::kFloat, Shape());
  writer.Set(0, number);
  c.Output(i, writer.Take());
}

}  // namespace plumb::reference
