// Numbers rounded to whole numbers of a few bits, in units that hold a range.
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

void CheckBits(int64_t bits, bool is_signed) {
  Require(bits > 0 && bits < (is_signed ? 62 : 63), "num_bits is out of range: ", bits);
}
void CheckAttributes(const Node &node) {
  CheckBits(GetAttr<int64_t>(node.attrs, "num_bits"), GetAttr<bool>(node.attrs, "signed_input"));
}
void CheckAttributesWithRange(const Node &node) {
  CheckAttributes(node);
  const float min = GetAttr<float>(node.attrs, "input_min"), max = GetAttr<float>(node.attrs, "input_max");
  Require(!GetAttr<bool>(node.attrs, "range_given") || min <= max, "input_min must not be above input_max: ", min,
          " > ", max);
}

// The first version has one range for all, in its attributes.
bool HasRangeInAttributes(const OpContext &c) { return c.num_inputs() == 1; }
int64_t AxisOf(const OpContext &c) { return HasRangeInAttributes(c) ? -1 : c.attr<int64_t>("axis"); }
Real GivenEnd(const OpContext &c, int64_t slice, bool is_min) {
  if (HasRangeInAttributes(c)) return Real(c.attr<float>(is_min ? "input_min" : "input_max"));
  return Reader<Real>(c.input(is_min ? 1 : 2))[slice];
}

// One range for all, or one for each slice along the axis.
AxisView SlicesOf(const OpContext &c, const Shape &shape) {
  const int64_t axis = AxisOf(c);
  Require(axis >= -1 && axis < shape.rank(), "axis ", axis, " is not one of a tensor of shape ", shape.ToString());
  return axis < 0 ? AxisView{1, 1, shape.elements()} : ViewAt(shape, static_cast<int>(axis));
}
void CheckRange(const OpContext &c, int min, const AxisView &view) {
  for (const int i : {min, min + 1}) {
    const Shape &shape = c.tensor(i).shape();
    if (c.attr<int64_t>("axis") < 0) {
      Require(shape.elements() == 1, "the range must be scalars, not of shape ", shape.ToString());
    } else {
      Require(shape.rank() == 1 && shape.dim(0) == view.size, "the range must have ", view.size,
              " entries, not the shape ", shape.ToString());
    }
  }
}

// Kernels take subnormal numbers for zeros.
template <class T>
T Normal(T x) {
  return std::fabs(x) < std::numeric_limits<T>::min() ? std::copysign(T(0), x) : x;
}

// Whole numbers [low, high] and what one of them is worth, each step rounded as
// T.
template <class T>
struct Units {
  Units(const OpContext &c, int64_t bits, T min_wanted, T max_wanted)
      : min(Normal(min_wanted)), max(Normal(max_wanted)) {
    const bool is_signed = c.attr<bool>("signed_input");
    const int64_t narrow = !HasRangeInAttributes(c) && c.attr<bool>("narrow_range") ? 1 : 0,
                  half = int64_t{1} << (bits - 1);
    const auto low = static_cast<T>(is_signed ? narrow - half : 0);
    const auto high = static_cast<T>(is_signed ? half - 1 : 2 * half - 1);
    const T none = std::numeric_limits<T>::max();
    const T by_min = low * min > 0 ? Normal(low / min) : none, by_max = high * max > 0 ? Normal(high / max) : none;
    if (by_min < by_max) {
      scale = by_min;
      inverse = Normal(min / low);
      max = high * inverse;
    } else {
      scale = by_max;
      inverse = Normal(max / high);
      min = low * inverse;
    }
  }
  T min, max, scale, inverse;
};

// What becomes of the numbers of one slice.
template <class T>
class RoundTrip {
 public:
  RoundTrip(const OpContext &c, int64_t bits, Real min, Real max)
      : units_(c, bits, static_cast<T>(min.v), static_cast<T>(max.v)), error_(std::max(min.e, max.e)) {
    clamps_ = c.attr<bool>("range_given");
    const auto *mode = c.node.attrs.contains("round_mode") ? &c.attr<std::string>("round_mode") : nullptr;
    half_up_ = mode != nullptr && *mode == "HALF_UP";
  }
  // An input or a range that is not known exactly may be another number of
  // steps away.
  Real operator()(Real x) const {
    const T value = Rounded(static_cast<T>(x.v));
    if (x.e == 0 && error_ == 0) return {value, 0, 0};
    return {value, error_ > 0 ? INFINITY : x.e + std::fabs(2 * units_.inverse), 0};
  }

 private:
  T Rounded(T x) const {
    if (clamps_) {
      x = units_.max < x ? units_.max : x;
      x = x < units_.min ? units_.min : x;
    }
    const T steps = x * units_.scale;
    return (half_up_ ? std::floor(steps + T(0.5)) : std::nearbyint(steps)) * units_.inverse;
  }

  Units<T> units_;
  double error_;
  bool clamps_, half_up_;
};

template <class T>
void RoundSlices(OpContext &c, int64_t bits, const AxisView &view) {
  const bool is_given = c.attr<bool>("range_given");
  const Reader<Real> input(c.input(0));
  Writer<Real> output(c.output_type(0), input.shape());
  for (int64_t slice = 0; slice < view.size; ++slice) {
    const auto each = [&](const auto &f) {
      for (int64_t i = 0; i < view.outer * view.inner; ++i) {
        f((i / view.inner * view.size + slice) * view.inner + i % view.inner);
      }
    };
    Real min(INFINITY), max(-INFINITY);
    if (is_given) {
      min = GivenEnd(c, slice, /*is_min=*/true);
      max = GivenEnd(c, slice, /*is_min=*/false);
    } else {
      each([&](int64_t at) {
        min = Min(min, input[at]);
        max = Max(max, input[at]);
      });
    }
    const RoundTrip<T> round_trip(c, bits, min, max);
    each([&](int64_t at) { output.Set(at, round_trip(input[at])); });
  }
  c.Output(0, output.Take());
}

void QuantizeAndDequantize(OpContext &c) {
  const AxisView view = SlicesOf(c, c.tensor(0).shape());
  int64_t bits = 0;
  if (c.num_inputs() == 4) {
    bits = ScalarOf(c.tensor(3), "num_bits");
    CheckBits(bits, c.attr<bool>("signed_input"));
  } else {
    bits = c.attr<int64_t>("num_bits");
  }
  if (c.attr<bool>("range_given") && !HasRangeInAttributes(c)) {
    CheckRange(c, 1, view);
    const Reader<Real> min(c.input(1)), max(c.input(2));
    Require(c.attr<int64_t>("axis") >= 0 || min[0].v <= max[0].v, "input_min must not be above input_max: ", min[0].v,
            " > ", max[0].v);
  }
  if (c.tensor(0).elements() == 0) return c.Output(0, c.input(0));  // of however many slices
  ComputeIn(c.output_type(0));
  if (c.output_type(0) == DType::kDouble) return RoundSlices<double>(c, bits, view);
  RoundSlices<float>(c, bits, view);
}

void Gradient(OpContext &c) {
  const Shape &shape = c.tensor(1).shape();
  Require(c.tensor(0).shape() == shape, "gradients and input differ in shape: ", c.tensor(0).shape().ToString(), ", ",
          shape.ToString());
  const AxisView view = SlicesOf(c, shape);
  CheckRange(c, 2, view);
  const bool is_scalar = c.tensor(2).shape().rank() == 0 && c.tensor(3).shape().rank() == 0;
  Require(c.attr<int64_t>("axis") >= 0 || is_scalar, "without an axis the range must be scalars");
  ForKind<Real>(c.output_type(0), [&](auto) {
    const Reader<Real> gradients(c.input(0)), input(c.input(1)), lows(c.input(2)), highs(c.input(3));
    Writer<Real> backprop(c.output_type(0), shape), none(c.output_type(0), lows.shape());
    for (int64_t i = 0; i < input.size(); ++i) {
      const int64_t slice = i / view.inner % view.size;
      const Real x = input[i], low = lows[slice], high = highs[slice];
      backprop.Set(i, gradients[i] * TakenIf(x >= low && x <= high, Min(x - low, high - x), 0, 1));
    }
    for (int64_t i = 0; i < none.size(); ++i) none.Set(i, 0);
    c.Output(0, backprop.Take());
    const Value zeros = none.Take();
    c.Output(1, zeros);
    c.Output(2, zeros);
  });
}

constexpr KernelRow kRows[] = {
    {"QuantizeAndDequantize", QuantizeAndDequantize, CheckAttributesWithRange},
    {"QuantizeAndDequantizeV2", QuantizeAndDequantize, CheckAttributes},
    {"QuantizeAndDequantizeV3", QuantizeAndDequantize},
    {"QuantizeAndDequantizeV4", QuantizeAndDequantize, CheckAttributes},
    {"QuantizeAndDequantizeV4Grad", Gradient},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizeAndDequantize() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
