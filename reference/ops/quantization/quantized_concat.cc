// Codes side by side, in one range.
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/slab.h"
#include "reference/ops/quantization/codes.h"

namespace plumb::reference {
namespace {

// The first float of what may be no scalar.
Real FirstFloat(const OpContext& c, int i) {
  Require(c.tensor(i).elements() > 0, "input ", i, " must hold a number");
  return Reader<Real>(c.input(i))[0];
}

Value Requantized(const Value& codes, const Codes& type, Real min, Real max, Real low, Real high) {
  const Reader<Integer> from(codes);
  Writer<Integer> to(codes.tensor.dtype(), from.shape());
  const bool same = min.v == low.v && max.v == high.v;
  const CodeLine number_of(type, ValueOf(min), ValueOf(max));
  const NearestCode nearest(type, ValueOf(low), ValueOf(high));
  for (int64_t i = 0; i < from.size(); ++i) {
    to.Set(i, same ? from[i] : Integer(nearest(number_of(static_cast<int64_t>(from[i])))));
  }
  return to.Take();
}

void QuantizedConcat(OpContext& c) {
  const int count = (c.num_inputs() - 1) / 3;
  Require(c.tensor(0).rank() == 0, "concat_dim must be a scalar, not of shape ", c.tensor(0).shape().ToString());
  const Shape& first = c.tensor(1).shape();
  const auto axis = static_cast<int>(static_cast<int64_t>(IntegerOf(c.tensor(0), "concat_dim")));
  Require(0 <= axis && axis < first.rank(), "concat_dim must be in [0, ", first.rank(), "), not ", axis);
  int64_t total = 0;
  for (int i = 1; i <= count; ++i) {
    const Shape& shape = c.tensor(i).shape();
    Require(shape.rank() == first.rank() && WithDim(shape, axis, 0) == WithDim(first, axis, 0),
            "the pieces may differ along axis ", axis, " only: ", first.ToString(), " and ", shape.ToString());
    total += shape.dim(axis);
  }
  Real low = 0, high = std::numeric_limits<float>::lowest();  // as TensorFlow compares: NaN is never chosen
  for (int i = 1; i <= count; ++i) {
    const Real min = FirstFloat(c, count + i), max = FirstFloat(c, 2 * count + i);
    if (min.v < low.v) low = min;
    if (max.v > high.v) high = max;
  }
  const Shape shape = WithDim(first, axis, total);
  const Codes codes = CodesOf(c.output_type(0));
  if (codes.low < 0) {
    high = Max(Abs(low), Abs(high));
    low = -high;
  }
  Assembly result(c.output_type(0), shape);
  int64_t offset = 0;
  for (int i = 1; i <= count; ++i) {
    CopyIn(result, shape, axis, offset,
           Requantized(c.input(i), codes, FirstFloat(c, count + i), FirstFloat(c, 2 * count + i), low, high));
    offset += c.tensor(i).dim(axis);
  }
  c.Output(0, result.Take());
  OutputFloat(c, 1, low);
  OutputFloat(c, 2, high);
}

constexpr KernelRow kRows[] = {
    {"QuantizedConcat", QuantizedConcat},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedConcat() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
