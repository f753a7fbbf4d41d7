// QuantizeV2: the codes nearest to numbers, for each slice along an axis.
#include <utility>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/quantization/code_loops.h"
#include "fastpath/cpu/quantization/codes.h"
#include "fastpath/cpu/quantization/mode.h"

namespace plumb::fast::cpu {
namespace {

using Mode = QuantizationMode;

struct Ends {
  float low, high;
};

class QuantizeKernel final : public Kernel {
 public:
  explicit QuantizeKernel(const Node& node)
      : dtype_(OutputType(node, 0)),
        mode_(ModeOf(node)),
        to_even_(GetAttr<std::string>(node.attrs, "round_mode") == "HALF_TO_EVEN"),
        narrow_(GetAttr<bool>(node.attrs, "narrow_range")),
        axis_(GetAttr<int64_t>(node.attrs, "axis")),
        least_range_(GetAttr<float>(node.attrs, "ensure_minimum_range")) {
    Require(!to_even_ || mode_ == Mode::kScaled, "only the mode SCALED rounds halves to even");
  }

  void Run(KernelContext& context) override {
    const Shape shape = context.input(0).shape();
    const int64_t slices = SlicesOf(context, shape);
    if (slices != 1 && mode_ == Mode::kMinFirst) throw Unimplemented("MIN_FIRST knows no axis");
    const float* const from = context.input(0).data<float>().data();
    const float *const min = context.input(1).data<float>().data(), *const max = context.input(2).data<float>().data();
    Tensor& codes = context.AllocateOutput(0, dtype_, shape);
    const Shape range = slices == 1 ? Shape() : context.input(1).shape();
    float* const low = context.AllocateOutput(1, DType::kFloat, range).mutable_data<float>().data();
    float* const high = context.AllocateOutput(2, DType::kFloat, range).mutable_data<float>().data();
    for (int64_t i = 0; i < slices; ++i) {
      Require(!(max[i] < min[i]), "max_range must not be less than min_range: ", max[i], " < ", min[i]);
    }
    const int64_t inner = axis_ < 0 ? shape.elements() : ElementsIn(shape, static_cast<int>(axis_) + 1, shape.rank());
    VisitType(dtype_, [&](auto tag) {
      using Q = typename decltype(tag)::Type;
      if constexpr (requires(Q q) { q.value; }) {
        Quantize<Q>(context.pool(), from, min, max, slices, inner, codes, low, high);
      }
    });
  }

 private:
  int64_t SlicesOf(const KernelContext& context, const Shape& shape) const {
    if (axis_ == -1) {
      OneFloat(context, 1);
      OneFloat(context, 2);
      return 1;
    }
    Require(axis_ >= 0 && axis_ < shape.rank(), "axis ", axis_, " is not one of the shape ", Printed(shape));
    const Shape range = {shape[static_cast<int>(axis_)]};
    for (const int i : {1, 2}) {
      Require(context.input(i).shape() == range, "min_range and max_range must have the shape ", Printed(range),
              ", not ", Printed(context.input(i).shape()));
    }
    return range[0];
  }

  // The range that is asked for, widened.
  Ends Widened(float min, float max) const {
    const auto most = [](float a, float b) { return a < b ? b : a; };
    const float low = min < 0 ? min : 0.0F;
    const float room = most(1.0F, most(std::fabs(min), std::fabs(max))) * least_range_;
    return {low, most(0.0F, most(max, low + room))};
  }

  template <class Q>
  void Quantize(ThreadPool& pool, const float* from, const float* min, const float* max, int64_t slices, int64_t inner,
                Tensor& codes, float* low, float* high) const {
    using Code = CodeType<Q>;
    Q* const to = codes.mutable_data<Q>().data();
    std::vector<float> scales(static_cast<size_t>(slices));
    std::vector<Ends> limits(scales.size());
    for (int64_t i = 0; i < slices; ++i) {
      limits[i] = Widened(min[i], max[i]);
      if (mode_ == Mode::kScaled) limits[i] = Scaled<Code>(limits[i], scales[i]);
      low[i] = limits[i].low;
      high[i] = limits[i].high;
    }
    if (codes.elements() == 0) return;
    pool.ParallelFor(codes.elements(), GrainFor(4), [&](int64_t begin, int64_t end) {
      while (begin < end) {
        const int64_t piece = begin / inner, last = std::min(end, (piece + 1) * inner), slice = piece % slices;
        Convert<Code>(from + begin, last - begin, limits[slice], scales[slice], to + begin);
        begin = last;
      }
    });
  }

  // The largest scale with which both ends are among the codes, and the ends of these.
  template <class Code>
  Ends Scaled(Ends ends, float& scale) const {
    const auto first = static_cast<float>(CodeLimits<Code>::kLow + (narrow_ ? 1 : 0)), last = CodeLimits<Code>::kLast;
    constexpr float kNone = std::numeric_limits<float>::max();
    const float by_low = first * ends.low > 0 ? first / ends.low : kNone;
    const float by_high = last * ends.high > 0 ? last / ends.high : kNone;
    scale = by_high < by_low ? by_high : by_low;
    return {Normal(first / scale), Normal(last / scale)};
  }

  // Codes of 32 bits come through 64, so that NaN becomes 0.
  template <class Code, class Q>
  void Convert(const float* from, int64_t n, Ends ends, float scale, Q* to) const {
    if (mode_ == Mode::kMinFirst) {
      const NearestCode<Code> code_of(ends.low, ends.high);
      for (int64_t i = 0; i < n; ++i) to[i].value = static_cast<Code>(code_of(from[i]));
      return;
    }
    const auto [places, rounding] = PlacesOf<Code>(ends, scale);
    if constexpr (sizeof(Code) < 4) return FindCodeLoop(rounding, sizeof(Code) == 2)(places, from, to, n);
    for (int64_t i = 0; i < n; ++i) {
      const float below = places.high < from[i] ? places.high : from[i],
                  inside = below < places.low ? places.low : below;
      const float place = (inside - places.first) * places.scale + places.offset;
      const float whole = rounding == CodeRounding::kToEven ? RoundedToEven(place)
                          : rounding == CodeRounding::kAway ? RoundedAway(place)
                                                            : place;
      to[i].value = static_cast<Code>(Truncated<int64_t>(whole));
    }
  }

  // Of the modes that have places.
  template <class Code>
  std::pair<CodePlaces, CodeRounding> PlacesOf(Ends ends, float scale) const {
    if (mode_ == Mode::kScaled) {
      return {{ends.low, ends.high, 0, scale, 0}, to_even_ ? CodeRounding::kToEven : CodeRounding::kAway};
    }
    const auto per_unit =
        static_cast<float>((CodeLimits<Code>::kCount - 1) / static_cast<double>(ends.high - ends.low));
    if (CodeLimits<Code>::kLow == 0) {
      return {{ends.low, ends.high, ends.low, per_unit, 0.5F}, CodeRounding::kTowardsZero};
    }
    return {{ends.low, ends.high, ends.low, per_unit, CodeLimits<Code>::kFirst}, CodeRounding::kAway};
  }

  const DType dtype_;
  const Mode mode_;
  const bool to_even_;
  const bool narrow_;
  const int64_t axis_;
  const float least_range_;
};

constexpr KernelRow kRows[] = {
    {"QuantizeV2", Make<QuantizeKernel>},
};

}  // namespace

std::span<const KernelRow> QuantizationQuantize() { return kRows; }

}  // namespace plumb::fast::cpu
