// The numbers that codes of a quantised type stand for.
#include <cmath>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The codes of a type: [low, high], as float32 holds them.
struct Codes {
  double low = 0, high = 0;
  int bits = 0;
  double half() const { return low < 0 ? std::ldexp(1.0, bits - 1) : 0; }
};
Codes CodesOf(DType dtype) {
  Codes codes;
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (requires(T x) { x.value; }) {
      using Limits = std::numeric_limits<decltype(T::value)>;
      codes = {static_cast<float>(Limits::min()), static_cast<float>(Limits::max()), int{8 * sizeof(T)}};
    }
  });
  return codes;
}

// A code in float32: wide ones are rounded.
Real InFloat(Integer code) { return Real(static_cast<double>(code)) * Real(1); }
Real Larger(Real a, Real b) {
  const Real& larger = a.v < b.v ? b : a;
  return {larger.v, std::max(a.e, b.e), larger.d};
}

// What the codes of one slice become.
class Dequantizer {
 public:
  Dequantizer(const OpContext& c, Real min, Real max) : codes_(CodesOf(c.tensor(0).dtype())) {
    const auto& mode = c.attr<std::string>("mode");
    if (mode == "SCALED") {
      const double low = codes_.low + (c.attr<bool>("narrow_range") ? 1 : 0);
      scale_ = codes_.low == 0 ? max / Real(codes_.high) : Larger(min / Real(low), max / Real(codes_.high));
      first_ = 0;
      return;
    }
    first_ = mode == "MIN_FIRST" ? codes_.low : -codes_.half();
    const double steps = mode == "MIN_FIRST" ? std::ldexp(1.0, codes_.bits) - 1 : codes_.high - codes_.low;
    scale_ = (max - min) / Real(steps);
    offset_ = min;
    if (mode == "MIN_FIRST" && min.v != max.v) offset_ = Real(WholeSteps(min.v, max.v, steps)) * scale_;
  }
  Real operator()(Integer code) const {
    const Real number = InFloat(code);
    return first_ == 0 && offset_.v == 0 && offset_.e == 0 ? number * scale_
                                                           : (number - Real(first_)) * scale_ + offset_;
  }

 private:
  // How many steps `min` is from zero, to the nearest whole number, halves away from zero. Of a range around zero it is
  // half a step more than a whole number: float32 decides (DequantizeOp).
  static double WholeSteps(double min, double max, double steps) {
    const auto scale = static_cast<float>((static_cast<float>(max) - static_cast<float>(min)) / steps);
    return std::round(static_cast<float>(min) / scale);
  }

  Codes codes_;
  double first_ = 0;  // the code that stands for `offset_`
  Real scale_, offset_;
};

void Dequantize(OpContext& c) {
  const int64_t axis = c.attr<int64_t>("axis");
  const Shape& shape = c.tensor(0).shape();
  Require(axis >= -1 && axis < shape.rank(), "axis ", axis, " is not one of a tensor of shape ", shape.ToString());
  const AxisView view = axis < 0 ? AxisView{1, 1, shape.elements()} : ViewAt(shape, static_cast<int>(axis));
  for (const int i : {1, 2}) {
    Require(c.tensor(i).elements() == view.size, "min_range and max_range must have ", view.size,
            " entries, not the shape ", c.tensor(i).shape().ToString());
  }
  if (view.size != 1 && c.attr<std::string>("mode") == "MIN_FIRST") {
    throw Unimplemented("the mode MIN_FIRST knows no axis");
  }
  ComputeIn(DType::kFloat);
  const Reader<Integer> codes(c.input(0));
  const Reader<Real> min(c.input(1)), max(c.input(2));
  Writer<Real> numbers(c.output_type(0), shape);
  for (int64_t slice = 0; slice < view.size; ++slice) {
    const Dequantizer number_of(c, min[slice], max[slice]);
    for (int64_t outer = 0; outer < view.outer; ++outer) {
      for (int64_t inner = 0; inner < view.inner; ++inner) {
        const int64_t at = (outer * view.size + slice) * view.inner + inner;
        numbers.Set(at, number_of(codes[at]));
      }
    }
  }
  c.Output(0, numbers.Take());
}

// Sixteen bits come of one mode alone (DequantizeOp).
void CheckMode(const Node& node) {
  const auto& mode = GetAttr<std::string>(node.attrs, "mode");
  Require(mode == "MIN_COMBINED" || node.output_types.at(0) != DType::kBfloat16, "the mode ", mode,
          " does not make bfloat16, at node '", node.name, "'");
}

constexpr KernelRow kRows[] = {
    {"Dequantize", Dequantize, CheckMode},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationDequantize() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
