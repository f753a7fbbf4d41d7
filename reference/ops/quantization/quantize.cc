// The codes of a quantised type that stand nearest to numbers.
#include <cfenv>

#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

void CheckAttributes(const Node& node) {
  const auto& mode = GetAttr<std::string>(node.attrs, "mode");
  Require(GetAttr<std::string>(node.attrs, "round_mode") != "HALF_TO_EVEN" || mode == "SCALED",
          "only the mode SCALED rounds halves to even, not ", mode, ", at node '", node.name, "'");
}

// As TensorFlow compares: NaN on the right is never chosen.
Real Least(Real a, Real b) {
  return b.v < a.v ? Real{b.v, std::max(a.e, b.e), b.d} : Real{a.v, std::max(a.e, b.e), a.d};
}
Real Most(Real a, Real b) {
  return a.v < b.v ? Real{b.v, std::max(a.e, b.e), b.d} : Real{a.v, std::max(a.e, b.e), a.d};
}

// Subnormal numbers count as zeros.
Real Flushed(Real x) { return {Normal(ValueOf(x)), x.e + std::fabs(x.v - Normal(ValueOf(x))), x.d}; }

// The range of one slice, and the codes of its numbers.
class Quantizer {
 public:
  Quantizer(const OpContext& c, Real min, Real max)
      : codes_(CodesOf(c.output_type(0))), mode_(c.attr<std::string>("mode")) {
    Require(!(max.v < min.v), "max_range must not be less than min_range: ", max.v, " < ", min.v);
    to_even_ = c.attr<std::string>("round_mode") == "HALF_TO_EVEN";
    const Real farthest = Most(Real(1), Most(Abs(min), Abs(max)));
    low_ = Least(Real(0), min);
    high_ = Most(Real(0), Most(max, Single(low_ + Single(farthest * Real(c.attr<float>("ensure_minimum_range"))))));
    if (mode_ == "SCALED") FitScale(c.attr<bool>("narrow_range"));
  }
  Real low() const { return low_; }
  Real high() const { return high_; }

  Integer CodeOf(float x) const {
    if (mode_ == "MIN_FIRST") return NearestCode(codes_, ValueOf(low_), ValueOf(high_))(x);
    const float low = ValueOf(low_), high = ValueOf(high_), below = high < x ? high : x;
    const float inside = below < low ? low : below;
    if (mode_ == "SCALED") {
      const float scaled = inside * scale_;
      return Whole(to_even_ ? std::nearbyint(scaled) : std::round(scaled));
    }
    const double steps = static_cast<double>(codes_.high) - static_cast<double>(codes_.low);
    const float per_step = static_cast<float>(steps / static_cast<double>(high - low)),
                steps_up = (inside - low) * per_step;
    return Whole(codes_.low == 0 ? steps_up + 0.5F : std::round(steps_up + codes_.first()));
  }

 private:
  int32_t Whole(double x) const { return codes_.bits == 32 ? LowHalf(x) : ToInt32(x); }
  // The largest scale that leaves both ends of the range among the codes; then what the ends of these stand for.
  void FitScale(bool narrow) {
    const Real first(static_cast<float>(codes_.low + (narrow ? 1 : 0))), last(codes_.last());
    const Real none(std::numeric_limits<float>::max());
    const Real by_low = first.v * low_.v > 0 ? Single(first / low_) : none;
    const Real by_high = last.v * high_.v > 0 ? Single(last / high_) : none;
    const Real scale = Least(by_low, by_high);
    scale_ = ValueOf(scale);
    low_ = Flushed(first / scale);
    high_ = Flushed(last / scale);
  }

  Codes codes_;
  std::string mode_;
  bool to_even_ = false;
  Real low_, high_;
  float scale_ = 0;
};

// One range for all, or one for each slice along the axis.
AxisView SlicesOf(const OpContext& c) {
  const int64_t axis = c.attr<int64_t>("axis");
  const Shape& shape = c.tensor(0).shape();
  Require(axis >= -1, "axis must be at least -1, not ", axis);
  if (axis < 0) {
    for (const int i : {1, 2}) OneFloat(c, i);
    return {1, 1, shape.elements()};
  }
  Require(axis < shape.rank(), "axis ", axis, " is not one of a tensor of shape ", shape.ToString());
  const AxisView view = ViewAt(shape, static_cast<int>(axis));
  for (const int i : {1, 2}) {
    Require(c.tensor(i).shape() == Shape({view.size}), "min_range and max_range must be vectors of ", view.size,
            " entries, not of shape ", c.tensor(i).shape().ToString());
  }
  return view;
}

void Quantize(OpContext& c) {
  ComputeIn(DType::kFloat);
  const AxisView view = SlicesOf(c);
  if (view.size != 1 && c.attr<std::string>("mode") == "MIN_FIRST") {
    throw Unimplemented("the mode MIN_FIRST knows no axis");
  }
  const Reader<Real> numbers(c.input(0)), min(c.input(1)), max(c.input(2));
  Writer<Integer> codes(c.output_type(0), numbers.shape());
  const Shape range = view.size == 1 ? Shape() : min.shape();
  Writer<Real> lows(DType::kFloat, range), highs(DType::kFloat, range);
  for (int64_t slice = 0; slice < view.size; ++slice) {
    const Quantizer quantizer(c, min[slice], max[slice]);
    lows.Set(slice, quantizer.low());
    highs.Set(slice, quantizer.high());
    for (int64_t outer = 0; outer < view.outer; ++outer) {
      for (int64_t inner = 0; inner < view.inner; ++inner) {
        const int64_t at = (outer * view.size + slice) * view.inner + inner;
        codes.Set(at, quantizer.CodeOf(ValueOf(numbers[at])));
      }
    }
  }
  c.Output(0, codes.Take());
  c.Output(1, lows.Take());
  c.Output(2, highs.Take());
}

constexpr KernelRow kRows[] = {
    {"QuantizeV2", Quantize, CheckAttributes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantize() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
