// Codes of one range as codes of another, and the range that codes take up.
#include "reference/numbers/element.h"
#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

// To quint8, in fixed-point arithmetic with 16 bits behind the point; products are taken modulo 2^64.
class FixedPoint {
 public:
  FixedPoint(float min, float max, float low, float high) {
    const float range = Normal(Normal(high) - Normal(low));
    const float per_unit = range == 0 ? 0.0F : static_cast<float>(255.0 / static_cast<double>(range));
    const auto middle = static_cast<float>(static_cast<double>(min + max) / 2);
    shift_ = Wrapped(ToInt64(middle * per_unit * static_cast<float>(kOne)), kOne / 2);
    if (range == 0) return;
    scale_ = ToInt64(255.0 * kOne * static_cast<double>(max - min) / static_cast<double>(range));
    const int64_t first = ToInt64(kOne * (static_cast<double>(low) * 255.0) / static_cast<double>(range));
    shift_ = Wrapped(shift_, static_cast<int64_t>(-static_cast<uint64_t>(first)));
  }
  // The code is rounded to float32 on its way.
  int64_t operator()(Integer code) const {
    const auto rounded = static_cast<int64_t>(static_cast<float>(code.v));
    const auto product = static_cast<int64_t>(static_cast<uint64_t>(rounded) * static_cast<uint64_t>(scale_));
    return std::clamp<int64_t>(Wrapped(product >> 32, shift_) >> 16, 0, 255);
  }

 private:
  static constexpr int64_t kOne = 1 << 16;
  int64_t scale_ = 0, shift_ = kOne / 2;
};

template <class Code>
void Recode(const Reader<Integer>& from, const Code& code_of, Writer<Integer>& to) {
  for (int64_t i = 0; i < from.size(); ++i) to.Set(i, code_of(from[i]));
}

void Requantize(OpContext& c) {
  for (int i = 1; i <= 4; ++i) ScalarFloat(c, i);
  const Real low = ScalarFloat(c, 3), high = ScalarFloat(c, 4);
  Require(low.v <= 0, "requested_output_min must not be above 0: ", low.v);
  Require(high.v >= low.v, "requested_output_max must not be below requested_output_min: ", high.v, " < ", low.v);
  const float min = ValueOf(ScalarFloat(c, 1)), max = ValueOf(ScalarFloat(c, 2));
  const Reader<Integer> from(c.input(0));
  Writer<Integer> to(c.output_type(0), from.shape());
  if (c.output_type(0) == DType::kQuint8) {
    Recode(from, FixedPoint(min, max, ValueOf(low), ValueOf(high)), to);
  } else {
    const CodeLine number_of(CodesOf(c.tensor(0).dtype()), min, max);
    const NearestCode nearest(CodesOf(c.output_type(0)), ValueOf(low), ValueOf(high));
    Recode(
        from, [&](Integer code) { return nearest(number_of(static_cast<int64_t>(code))); }, to);
  }
  c.Output(0, to.Take());
  OutputFloat(c, 1, low);
  OutputFloat(c, 2, high);
}

// What a code stands for, as far as the ends of its range are known.
Real NumberOf(const Codes& codes, Real min, Real max, int64_t code) {
  const Range range(codes, ValueOf(min), ValueOf(max));
  const double place = (static_cast<double>(code) - static_cast<double>(codes.low)) / codes.count();
  return {range.NumberOf(code), (1 + place) * min.e + place * max.e, 0};
}

struct Ends {
  Real low, high;
};
// What the codes of input 0 stand for in [min, max], from 0 or less on.
Ends EndsOf(const OpContext& c, Real min, Real max) {
  const Codes codes = CodesOf(c.tensor(0).dtype());
  const Reader<Integer> input(c.input(0));
  int64_t least = codes.high, most = codes.low;
  for (int64_t i = 0; i < input.size(); ++i) {
    least = std::min(least, static_cast<int64_t>(input[i]));
    most = std::max(most, static_cast<int64_t>(input[i]));
  }
  const Real low = NumberOf(codes, min, max, least);
  return {low.v < 0 ? low : Real{0, low.e, 0}, NumberOf(codes, min, max, most)};
}

void RequantizationRange(OpContext& c) {
  for (const int i : {1, 2}) Require(c.tensor(i).elements() > 0, "the range of the input must not be empty");
  const Ends ends = EndsOf(c, Reader<Real>(c.input(1))[0], Reader<Real>(c.input(2))[0]);
  OutputFloat(c, 0, ends.low);
  OutputFloat(c, 1, ends.high);
}

void QuantizeDownAndShrinkRange(OpContext& c) {
  const Real min = ScalarFloat(c, 1), max = ScalarFloat(c, 2);
  const Ends ends = EndsOf(c, min, max);
  const Reader<Integer> from(c.input(0));
  Writer<Integer> to(c.output_type(0), from.shape());
  Recode(from, FixedPoint(ValueOf(min), ValueOf(max), ValueOf(ends.low), ValueOf(ends.high)), to);
  c.Output(0, to.Take());
  OutputFloat(c, 1, ends.low);
  OutputFloat(c, 2, ends.high);
}

constexpr KernelRow kRows[] = {
    {"Requantize", Requantize},
    {"RequantizationRange", RequantizationRange},
    {"QuantizeDownAndShrinkRange", QuantizeDownAndShrinkRange},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationRequantize() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
