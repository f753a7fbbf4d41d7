// QuantizeAndDequantizeV2 to V4, and the gradient of V4: numbers rounded to multiples of a unit.
#include <cmath>
#include <limits>
#include <string>

#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// A tensor as outer × slices × inner, and the ranges of the slices.
struct Slices {
  int64_t count = 1, inner = 1;
  PLUMB_GPU_INLINE int64_t Of(int64_t i) const { return i / inner % count; }
};
Slices SlicesOf(const Shape& shape, int64_t axis) {
  Require(axis >= -1 && axis < shape.rank(), "axis ", axis, " is not one of the shape ", shape.ToString());
  if (axis < 0) return {1, shape.elements()};
  return {shape[static_cast<int>(axis)], ElementsIn(shape, static_cast<int>(axis) + 1, shape.rank())};
}
void RequireRange(const Tensor& range, int64_t axis, const Slices& slices) {
  const bool fits = axis < 0 ? range.elements() == 1 : range.rank() == 1 && range.dim(0) == slices.count;
  Require(fits, "a range must have an entry for each of ", slices.count, " slices, not the shape ",
          range.shape().ToString());
}

// The least or the greatest number; NaN where there is one.
template <class T, bool is_greatest>
struct EndFold {
  using In = T;
  using Value = T;
  using Out = T;
  PLUMB_GPU_INLINE T Identity() const {
    return is_greatest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
  }
  PLUMB_GPU_INLINE T Load(T x, int64_t) const { return x; }
  PLUMB_GPU_INLINE T Merge(T a, T b) const {
    if (a != a || b != b) return a != a ? a : b;
    return (a < b) == is_greatest ? b : a;
  }
  PLUMB_GPU_INLINE T Store(T x) const { return x; }
};

// Kernels take subnormal numbers for zeros.
template <class T>
PLUMB_GPU_INLINE T NormalOf(T x) {
  return std::fabs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x) : x;
}

// How many bits whole numbers have, as they are given.
struct Bits {
  int64_t known = 0;
  Global<const int32_t> given;  // empty: they are known
  bool is_signed = true, narrow = false;

  PLUMB_GPU_INLINE int64_t Number() const { return given.size > 0 ? static_cast<int64_t>(given[0]) : known; }
  PLUMB_GPU_WORD bool IsInRange(int64_t bits) const { return bits > 0 && bits < (is_signed ? 62 : 63); }
};

// What whole numbers [low, high] of a slice are worth.
template <class T>
struct Unit {
  T min = 0, max = 0, scale = 1, inverse = 1;

  PLUMB_GPU_INLINE Unit(T from, T to, const Bits& bits) : min(NormalOf(from)), max(NormalOf(to)) {
    constexpr T kNone = std::numeric_limits<T>::max();
    const int64_t number = bits.Number();
    if (!bits.IsInRange(number)) return;
    const int64_t half = int64_t{1} << (number - 1);
    const auto low = static_cast<T>(bits.is_signed ? (bits.narrow ? 1 : 0) - half : 0);
    const auto high = static_cast<T>(bits.is_signed ? half - 1 : 2 * half - 1);
    const T by_min = low * min > 0 ? NormalOf(low / min) : kNone;
    const T by_max = high * max > 0 ? NormalOf(high / max) : kNone;
    if (by_min < by_max) {
      scale = by_min;
      inverse = NormalOf(min / low);
      max = high * inverse;
    } else {
      scale = by_max;
      inverse = NormalOf(max / high);
      min = low * inverse;
    }
  }
  PLUMB_GPU_INLINE T Clamped(T x) const {
    const T below = max < x ? max : x;
    return below < min ? min : below;
  }
};

// What a slot holds for the two things that are refused.
enum WhatIsWrong : int64_t { kBits = 1, kRange = 2 };

// One thread. `ordered`: whether the one range there is must not be upside down.
template <class T>
PLUMB_GPU_KERNEL CheckNumbers(Bits bits, Global<const T> min, Global<const T> max, bool ordered, Global<int64_t> slot) {
  if (!bits.IsInRange(bits.Number())) AtomicCas(slot[0], int64_t{0}, int64_t{kBits});
  if (ordered && !(min[0] <= max[0])) AtomicCas(slot[0], int64_t{0}, int64_t{kRange});
}

template <class T>
PLUMB_GPU_KERNEL RoundLoop(Global<const T> x, Global<const T> min, Global<const T> max, Slices slices, Bits bits,
                           bool clamps, bool half_up, Global<T> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const int64_t slice = slices.Of(i);
    const Unit<T> unit(min[slice], max[slice], bits);
    const T scaled = (clamps ? unit.Clamped(x[i]) : x[i]) * unit.scale;
    y[i] = (half_up ? std::floor(scaled + T(0.5)) : std::nearbyint(scaled)) * unit.inverse;
  }
}

template <class T>
class RoundTrip final : public GpuKernel {
 public:
  explicit RoundTrip(const Node& node)
      : is_given_(GetAttr<bool>(node.attrs, "range_given")),
        axis_(GetAttr<int64_t>(node.attrs, "axis")),
        half_up_(GetAttrOr<std::string>(node.attrs, "round_mode", "HALF_TO_EVEN") == "HALF_UP"),
        bits_are_input_(node.input_types.size() == 4) {
    bits_.known = GetAttrOr<int64_t>(node.attrs, "num_bits", -1);
    bits_.is_signed = GetAttr<bool>(node.attrs, "signed_input");
    bits_.narrow = GetAttr<bool>(node.attrs, "narrow_range");
    Require(bits_are_input_ || bits_.IsInRange(bits_.known), "num_bits is out of range: ", bits_.known);
  }

  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    const Slices slices = SlicesOf(x.shape(), axis_);
    Bits bits = bits_;
    if (bits_are_input_) {
      Require(context.input(3).rank() == 0, "num_bits must be a scalar, not of shape ",
              context.input(3).shape().ToString());
      bits.given = context.In<int32_t>(3);
    }
    Tensor min = context.input(1), max = context.input(2);
    if (is_given_) {
      RequireRange(min, axis_, slices);
      RequireRange(max, axis_, slices);
    } else {
      min = EndOf<false>(context, x, slices);
      max = EndOf<true>(context, x, slices);
    }
    const auto low = context.ViewOf<T>(std::as_const(min)), high = context.ViewOf<T>(std::as_const(max));
    QueueChecks(context, bits, low, high);
    const auto from = context.In<T>(0);
    Tensor y = context.ForwardOrAllocate(0, 0, x.shape());
    Launch(context.stream(), LoopOver(from.size), RoundLoop<T>, from, low, high, slices, bits, is_given_, half_up_,
           context.ViewOf<T>(y));
  }

 private:
  template <bool is_greatest>
  static Tensor EndOf(GpuContext& context, const Tensor& x, const Slices& slices) {
    Tensor end = context.Scratch(x.dtype(), Shape({slices.count}));
    const int64_t outer = x.elements() == 0 ? 0 : x.elements() / (slices.count * slices.inner);
    const FoldPlan plan = PlanFold(Shape({outer, slices.count, slices.inner}), {true, false, true});
    QueueFold(context, plan, context.ViewOf<T>(x), context.ViewOf<T>(end), EndFold<T, is_greatest>());
    return end;
  }

  void QueueChecks(GpuContext& context, const Bits& bits, Global<const T> min, Global<const T> max) const {
    const bool ordered = is_given_ && axis_ < 0;
    if (!bits_are_input_ && !ordered) return;
    const Global<int64_t> slot = context.NewSlot([](int64_t number) {
      return Status(Code::kInvalidArgument,
                    number == kBits ? "num_bits is out of range" : "input_min must not be above input_max");
    });
    Launch(context.stream(), GridSize{1, 1, false}, CheckNumbers<T>, bits, min, max, ordered, slot);
  }

  const bool is_given_;
  const int64_t axis_;
  const bool half_up_;
  const bool bits_are_input_;
  Bits bits_;
};

template <class T>
PLUMB_GPU_KERNEL ClipLoop(Global<const T> dy, Global<const T> x, Global<const T> min, Global<const T> max,
                          Slices slices, Global<T> dx) {
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const int64_t slice = slices.Of(i);
    dx[i] = dy[i] * (x[i] >= min[slice] && x[i] <= max[slice] ? T(1) : T(0));
  }
}

template <class T>
class ClippedGradient final : public GpuKernel {
 public:
  explicit ClippedGradient(const Node& node) : axis_(GetAttr<int64_t>(node.attrs, "axis")) {}

  void Run(GpuContext& context) override {
    const Shape shape = context.input(1).shape();
    const Shape& given = context.input(0).shape();
    Require(given == shape, "gradients and input differ in shape: ", given.ToString(), ", ", shape.ToString());
    const Slices slices = SlicesOf(shape, axis_);
    RequireRange(context.input(2), axis_, slices);
    RequireRange(context.input(3), axis_, slices);
    const bool is_scalar = context.input(2).rank() == 0 && context.input(3).rank() == 0;
    Require(axis_ >= 0 || is_scalar, "without an axis the range must be scalars");
    const auto dy = context.In<T>(0), x = context.In<T>(1), min = context.In<T>(2), max = context.In<T>(3);
    for (const int i : {1, 2}) {
      Tensor none = context.AllocateOutput(i, context.input(2).shape());
      context.Clear(none);
    }
    Tensor dx = context.ForwardOrAllocate(0, 0, shape);
    Launch(context.stream(), LoopOver(dx.elements()), ClipLoop<T>, dy, x, min, max, slices, context.ViewOf<T>(dx));
  }

 private:
  const int64_t axis_;
};

using Wide = TypeList<float, double>;

constexpr GpuKernelRow kRows[] = {
    {"QuantizeAndDequantizeV2", MakeForType<RoundTrip, Wide>},
    {"QuantizeAndDequantizeV3", MakeForType<RoundTrip, Wide>},
    {"QuantizeAndDequantizeV4", MakeForType<RoundTrip, Wide>},
    {"QuantizeAndDequantizeV4Grad", MakeForType<ClippedGradient, Wide>},
};

}  // namespace

std::span<const GpuKernelRow> QuantizationQuantizeAndDequantize() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
