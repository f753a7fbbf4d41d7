// QuantizeAndDequantize, V2 to V4, and the gradient of V4: numbers rounded to
// multiples of a unit.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/quantization/unit_loops.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint in_parts("least and greatest number of a slice: in one part, or in several");

void RequireBits(int64_t bits, bool is_signed) {
  Require(bits > 0 && bits < (is_signed ? 62 : 63), "num_bits is out of range: ", bits);
}

// A tensor as outer × slices × inner, and the ranges of the slices.
struct Slices {
  int64_t count = 1, inner = 0;
};
Slices SlicesOf(const Shape &shape, int64_t axis) {
  Require(axis >= -1 && axis < shape.rank(), "axis ", axis, " is not one of the shape ", Printed(shape));
  if (axis < 0) return {1, shape.elements()};
  return {shape[static_cast<int>(axis)], ElementsIn(shape, static_cast<int>(axis) + 1, shape.rank())};
}
void RequireRange(const KernelContext &context, int i, int64_t axis, const Slices &slices) {
  const Tensor &range = context.input(i);
  const bool fits = axis < 0 ? range.elements() == 1 : range.rank() == 1 && range.dim(0) == slices.count;
  Require(fits, "input ", i, " must have an entry for each of ", slices.count, " slices, not the shape ",
          Printed(range.shape()));
}
// Calls f(slice, first, last) for stretches of elements that lie in one slice.
template <class F>
void ForStretches(int64_t begin, int64_t end, const Slices &slices, const F &f) {
  while (begin < end) {
    const int64_t piece = begin / slices.inner, last = std::min(end, (piece + 1) * slices.inner);
    f(piece % slices.count, begin, last);
    begin = last;
  }
}

// Of each slice.
template <class T>
std::vector<RangeEnds<T>> EndsOf(ThreadPool &pool, const T *x, int64_t n, const Slices &slices) {
  constexpr int64_t kPart = 1 << 15;
  const auto count = static_cast<size_t>(slices.count);
  const int64_t parts = std::max<int64_t>(1, std::min<int64_t>(64, n / std::max(kPart, slices.count)));
  const int64_t each = (n + parts - 1) / parts;
  in_parts.Chosen(parts > 1);
  const UnitLoops<T> loops = FindUnitLoops<T>();
  std::vector<RangeEnds<T>> found(static_cast<size_t>(parts) * count);
  pool.ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      RangeEnds<T> *const mine = found.data() + part * slices.count;
      ForStretches(part * each, std::min(n, (part + 1) * each), slices,
                   [&](int64_t slice, int64_t first, int64_t last) {
                     const RangeEnds<T> ends = loops.ends(x + first, last - first);
                     mine[slice].Add(ends.min, ends.max);
                   });
    }
  });
  for (size_t i = count; i < found.size(); ++i) found[i % count].Add(found[i].min, found[i].max);
  found.resize(count);
  return found;
}

// Kernels take subnormal numbers for zeros.
template <class T>
T NormalOf(T x) {
  return std::fabs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x) : x;
}

// What whole numbers [low, high] of a slice are worth.
template <class T>
UnitSteps<T> UnitOf(const RangeEnds<T> &ends, T low, T high) {
  T min = NormalOf(ends.min), max = NormalOf(ends.max), scale, inverse;
  constexpr T kNone = std::numeric_limits<T>::max();
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
  return {min, max, scale, inverse};
}

template <class T>
void RequireOrder(T min, T max) {
  Require(min <= max, "input_min must not be above input_max: ", min, " > ", max);
}

class RoundTripKernel final : public Kernel {
 public:
  explicit RoundTripKernel(const Node &node)
      : type_(InputType(node, 0)),
        is_signed_(GetAttr<bool>(node.attrs, "signed_input")),
        is_given_(GetAttr<bool>(node.attrs, "range_given")),
        narrow_(GetAttrOr<bool>(node.attrs, "narrow_range", false)),
        axis_(GetAttrOr<int64_t>(node.attrs, "axis", -1)),
        half_up_(GetAttrOr<std::string>(node.attrs, "round_mode", "HALF_TO_EVEN") == "HALF_UP"),
        bits_(GetAttrOr<int64_t>(node.attrs, "num_bits", -1)),
        bits_are_input_(node.input_types.size() == 4),
        range_is_input_(node.input_types.size() > 1),
        range_{GetAttrOr<float>(node.attrs, "input_min", 0), GetAttrOr<float>(node.attrs, "input_max", 0)} {
    if (!bits_are_input_) RequireBits(bits_, is_signed_);
    if (is_given_ && !range_is_input_) RequireOrder(range_.min, range_.max);
  }

  void Run(KernelContext &context) override {
    const Slices slices = SlicesOf(context.input(0).shape(), axis_);
    int64_t bits = bits_;
    if (bits_are_input_) {
      Require(context.input(3).rank() == 0, "num_bits must be a scalar, not of shape ",
              Printed(context.input(3).shape()));
      bits = IntAt(context.input(3), 0);
      RequireBits(bits, is_signed_);
    }
    if (is_given_ && range_is_input_) {
      RequireRange(context, 1, axis_, slices);
      RequireRange(context, 2, axis_, slices);
    }
    if (type_ == DType::kFloat) return Round<float>(context, slices, bits);
    Round<double>(context, slices, bits);
  }

 private:
  template <class T>
  std::vector<RangeEnds<T>> RangesOf(KernelContext &context, const Slices &slices) const {
    const Tensor &x = context.input(0);
    if (!is_given_) return EndsOf(context.pool(), x.data<T>().data(), x.elements(), slices);
    if (!range_is_input_) return {{T{range_.min}, T{range_.max}}};
    const T *const min = context.input(1).data<T>().data(), *const max = context.input(2).data<T>().data();
    if (axis_ < 0) RequireOrder(*min, *max);
    std::vector<RangeEnds<T>> ranges(static_cast<size_t>(slices.count));
    for (int64_t i = 0; i < slices.count; ++i) ranges[i] = {min[i], max[i]};
    return ranges;
  }

  template <class T>
  void Round(KernelContext &context, const Slices &slices, int64_t bits) const {
    const int64_t half = int64_t{1} << (bits - 1);
    const auto low = static_cast<T>(is_signed_ ? (narrow_ ? 1 : 0) - half : 0);
    const auto high = static_cast<T>(is_signed_ ? half - 1 : 2 * half - 1);
    std::vector<UnitSteps<T>> units;
    for (const RangeEnds<T> &ends : RangesOf<T>(context, slices)) units.push_back(UnitOf(ends, low, high));
    const Shape shape = context.input(0).shape();
    const T *const from = context.input(0).data<T>().data();
    T *const to = context.ForwardOrAllocate(0, 0, type_, shape).template mutable_data<T>().data();
    const UnitLoop<T> round = RoundingLoop<T>();
    context.pool().ParallelFor(shape.elements(), GrainFor(4), [&](int64_t begin, int64_t end) {
      ForStretches(begin, end, slices, [&](int64_t slice, int64_t first, int64_t last) {
        round(units[slice], from + first, to + first, last - first);
      });
    });
  }

  template <class T>
  UnitLoop<T> RoundingLoop() const {
    const UnitLoops<T> loops = FindUnitLoops<T>();
    if (half_up_) return is_given_ ? loops.half_up_within : loops.half_up;
    return is_given_ ? loops.to_even_within : loops.to_even;
  }

  const DType type_;
  const bool is_signed_;
  const bool is_given_;
  const bool narrow_;
  const int64_t axis_;
  const bool half_up_;
  const int64_t bits_;
  const bool bits_are_input_;
  const bool range_is_input_;  // else it is one for all, in attributes
  const RangeEnds<float> range_;
};

class ClippedGradientKernel final : public Kernel {
 public:
  explicit ClippedGradientKernel(const Node &node)
      : type_(InputType(node, 0)), axis_(GetAttr<int64_t>(node.attrs, "axis")) {}

  void Run(KernelContext &context) override {
    const Shape &shape = context.input(1).shape(), &given = context.input(0).shape();
    Require(given == shape, "gradients and input differ in shape: ", Printed(given), ", ", Printed(shape));
    const Slices slices = SlicesOf(shape, axis_);
    RequireRange(context, 2, axis_, slices);
    RequireRange(context, 3, axis_, slices);
    const bool is_scalar = context.input(2).rank() == 0 && context.input(3).rank() == 0;
    Require(axis_ >= 0 || is_scalar, "without an axis the range must be scalars");
    if (type_ == DType::kFloat) return Clip<float>(context, slices);
    Clip<double>(context, slices);
  }

 private:
  template <class T>
  void Clip(KernelContext &context, const Slices &slices) const {
    const Shape shape = context.input(1).shape();
    const T *const dy = context.input(0).data<T>().data(), *const x = context.input(1).data<T>().data();
    const T *const min = context.input(2).data<T>().data(), *const max = context.input(3).data<T>().data();
    T *const dx = context.ForwardOrAllocate(0, 0, type_, shape).template mutable_data<T>().data();
    context.pool().ParallelFor(shape.elements(), GrainFor(2), [&](int64_t begin, int64_t end) {
      ForStretches(begin, end, slices, [&](int64_t slice, int64_t first, int64_t last) {
        const T low = min[slice], high = max[slice];
        for (int64_t i = first; i < last; ++i) dx[i] = dy[i] * (x[i] >= low && x[i] <= high ? T(1) : T(0));
      });
    });
    for (const int i : {1, 2}) {
      Tensor &none = context.AllocateOutput(i, type_, context.input(2).shape());
      std::fill_n(none.mutable_data<T>().data(), none.elements(), T(0));
    }
  }

  const DType type_;
  const int64_t axis_;
};

constexpr KernelRow kRows[] = {
    {"QuantizeAndDequantize", Make<RoundTripKernel>},
    {"QuantizeAndDequantizeV2", Make<RoundTripKernel>},
    {"QuantizeAndDequantizeV3", Make<RoundTripKernel>},
    {"QuantizeAndDequantizeV4", Make<RoundTripKernel>},
    {"QuantizeAndDequantizeV4Grad", Make<ClippedGradientKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantizeAndDequantize() { return kRows; }

}  // namespace plumb::fast::cpu
