// Sums and products of codes, element by element.
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/ops/quantization/products.h"

namespace plumb::reference {
namespace {

void QuantizedBiasAdd(OpContext &c) {
  ComputeIn(DType::kFloat);
  if (c.tensor(0).dtype() != c.tensor(1).dtype()) {
    throw NoKernel(Code::kInvalidArgument, "no kernel is registered for codes of two types");
  }
  const Real min = ScalarFloat(c, 2), max = ScalarFloat(c, 3), bias_min = ScalarFloat(c, 4),
             bias_max = ScalarFloat(c, 5);
  const Shape &shape = c.tensor(0).shape(), &biases = c.tensor(1).shape();
  Require(shape.rank() >= 2, "the input must have two dimensions or more, not the shape ", shape.ToString());
  Require(biases == Shape({shape.dim(shape.rank() - 1)}),
          "there must be a bias for each entry of the last dimension of ", shape.ToString(), ", not the shape ",
          biases.ToString());
  Require(biases.elements() > 0, "there must be biases");
  // As TensorFlow compares: NaN on the right is never chosen.
  const auto most = [](Real a, Real b) { return Real{a.v < b.v ? b.v : a.v, std::max(a.e, b.e), 0}; };
  const Real high = Single(most(max, most(-min, most(bias_max, -bias_min))) * Real(0x1p17));
  const Codes codes = CodesOf(c.tensor(0).dtype()), sums = CodesOf(DType::kQint32);
  const CodeLine number_of(codes, ValueOf(min), ValueOf(max)), bias_of(codes, ValueOf(bias_min), ValueOf(bias_max));
  const NearestCode nearest(sums, -ValueOf(high), ValueOf(high));
  const int64_t zero = Range(sums, -ValueOf(high), ValueOf(high)).CodeOf(0);
  const Reader<Integer> input(c.input(0)), bias(c.input(1));
  Writer<Integer> output(DType::kQint32, shape);
  for (int64_t i = 0; i < input.size(); ++i) {
    const auto code = static_cast<int64_t>(input[i]), bias_code = static_cast<int64_t>(bias[i % bias.size()]);
    output.Set(i, Integer(nearest(number_of(code))) + Integer(nearest(bias_of(bias_code))) + Integer(zero));
  }
  c.Output(0, output.Take());
  OutputFloat(c, 1, -high);
  OutputFloat(c, 2, high);
}

// How many runs of dimensions there are in which both shapes agree, or only the
// one or the other is stretched. Dimensions that are 1 in both count for
// nothing.
int RunsOf(const Shape &x, const Shape &y, Shape &result) {
  const int rank = std::max(x.rank(), y.rank());
  std::vector<int64_t> dims(rank);
  int runs = 0, last = 0;
  for (int i = rank - 1; i >= 0; --i) {
    const int in_x = i - (rank - x.rank()), in_y = i - (rank - y.rank());
    const int64_t a = in_x < 0 ? 1 : x.dim(in_x), b = in_y < 0 ? 1 : y.dim(in_y);
    Require(a == b || a == 1 || b == 1, "the shapes ", x.ToString(), " and ", y.ToString(), " do not broadcast");
    dims[i] = a == 1 ? b : a;
    if (a == 1 && b == 1) continue;
    const int kind = a == b ? 1 : a == 1 ? 2 : 3;
    runs += kind != last ? 1 : 0;
    last = kind;
  }
  result = Shape(dims);
  return runs;
}

void QuantizedMul(OpContext &c) {
  const Real min_x = ScalarFloat(c, 2), max_x = ScalarFloat(c, 3), min_y = ScalarFloat(c, 4), max_y = ScalarFloat(c, 5);
  Shape shape;
  const Shape &x = c.tensor(0).shape(), &y = c.tensor(1).shape();
  const int runs = RunsOf(x, y, shape);
  const CenteredFactors factors(c, min_x, max_x, min_y, max_y);
  factors.RequireRanges();
  const int64_t nx = x.elements(), ny = y.elements();
  if (runs == 2) Require(std::min(nx, ny) > 0, "an operand that is repeated must not be empty");
  if (runs > 2) {
    throw Unimplemented("broadcasting of ", x.ToString(), " and ", y.ToString(), " is not supported");
  }
  // The smaller operand is repeated along the other, whose elements are those
  // of the result. Where both are stretched, what is left over is 0.
  Writer<Integer> product(DType::kQint32, shape);
  const int64_t filled = runs == 2 ? std::max(nx, ny) : product.size();
  for (int64_t i = 0; i < product.size(); ++i) {
    product.Set(i, i < filled ? factors.a(i % nx) * factors.b(i % ny) : Integer(0));
  }
  c.Output(0, product.Take());
  factors.OutputRange(c);
}

// Where codes lie in another range: the place of the first one, and as many whole steps as it takes to the next.
struct MovedCodes {
  MovedCodes(const Range &from, const Range &to)
      : first(to.Unbounded(from.NumberOf(0))), step(to.Unbounded(from.NumberOf(1)) - first), codes(to.codes) {}
  int64_t operator()(int64_t code) const { return codes.Clamped(first + code * step); }
  int64_t first, step;
  Codes codes;
};

// A sole code is moved to the place that is nearest to its number, one of many by steps.
void QuantizedAdd(OpContext &c) {
  ComputeIn(DType::kFloat);
  const Real min_x = ScalarFloat(c, 2), max_x = ScalarFloat(c, 3), min_y = ScalarFloat(c, 4), max_y = ScalarFloat(c, 5);
  Shape shape;
  const Shape &x_shape = c.tensor(0).shape(), &y_shape = c.tensor(1).shape();
  const int runs = RunsOf(x_shape, y_shape, shape);
  Require(max_x.v > min_x.v && max_y.v > min_y.v, "ranges must not be empty: ", min_x.v, " to ", max_x.v, " and ",
          min_y.v, " to ", max_y.v);
  const int64_t nx = x_shape.elements(), ny = y_shape.elements();
  if (runs == 2) Require(std::min(nx, ny) > 0, "an operand that is repeated must not be empty");
  if (runs > 2) {
    throw Unimplemented("broadcasting of ", x_shape.ToString(), " and ", y_shape.ToString(), " is not supported");
  }
  const auto most = [](Real a, Real b) { return Real{a.v < b.v ? b.v : a.v, std::max(a.e, b.e), 0}; };
  const Real high = Single(most(max_x, most(-min_x, most(max_y, -min_y))) * Real(0x1p14));
  const Codes codes = CodesOf(c.tensor(0).dtype());
  const Range range_x(codes, ValueOf(min_x), ValueOf(max_x)), range_y(codes, ValueOf(min_y), ValueOf(max_y));
  const Range sums(CodesOf(DType::kQint32), -ValueOf(high), ValueOf(high));
  const MovedCodes move_x(range_x, sums), move_y(range_y, sums);
  const Reader<Integer> x(c.input(0)), y(c.input(1));
  const bool sole_x = runs <= 1 && nx == 1, sole_y = runs <= 1 && ny == 1 && !sole_x;
  Writer<Integer> sum(DType::kQint32, shape);
  const int64_t filled = runs == 2 ? std::max(nx, ny) : sum.size();
  for (int64_t i = 0; i < sum.size(); ++i) {
    if (i >= filled) {  // as in products
      sum.Set(i, Integer(0));
      continue;
    }
    const auto a = static_cast<int64_t>(x[i % nx]), b = static_cast<int64_t>(y[i % ny]);
    sum.Set(i, Integer(sole_x ? sums.CodeOf(range_x.NumberOf(a)) : move_x(a)) +
                   Integer(sole_y ? sums.CodeOf(range_y.NumberOf(b)) : move_y(b)));
  }
  c.Output(0, sum.Take());
  OutputFloat(c, 1, -high);
  OutputFloat(c, 2, high);
}

constexpr KernelRow kRows[] = {
    {"QuantizedAdd", QuantizedAdd},
    {"QuantizedBiasAdd", QuantizedBiasAdd},
    {"QuantizedMul", QuantizedMul},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedArithmetic() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
