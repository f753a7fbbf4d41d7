#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// How many numbers lie between the ends; none where the limit is on the other side of start than delta says.
int64_t RowSize(Integer start, Integer limit, Integer delta, DType) {
  if (delta > Integer(0) ? limit < start : limit > start) return 0;
  const Integer size = (Abs(limit - start) + Abs(delta) - 1) / Abs(delta);
  Require(size <= Integer(INT64_MAX), "a row has no representable size");
  return static_cast<int64_t>(size);
}
// Difference and quotient are rounded to the type, which decides whether a limit that is nearly met counts.
int64_t RowSize(Real start, Real limit, Real delta, DType dtype) {
  if (delta > Real(0) ? limit < start : limit > start) return 0;
  const double distance = RoundTo(dtype, limit.v - start.v);
  const double size = std::ceil(std::fabs(RoundTo(dtype, distance / delta.v)));
  Require(size < 0x1p63, "a row has no representable size");
  return static_cast<int64_t>(size);
}

Integer Element(Integer start, Integer delta, int64_t i) { return start + Integer(i) * delta; }
// The steps may be added up one by one: i roundings of at most the larger end.
Real Element(Real start, Real delta, int64_t i) {
  const double steps = static_cast<double>(i), v = start.v + steps * delta.v;
  const double size = std::max(std::fabs(start.v), std::fabs(v));
  const double rounding = i > 1 ? steps * UnitRoundoff(arithmetic.type) * size : 0;
  return {v, start.e + steps * delta.e + rounding, start.d + steps * delta.d};
}

// The rows that the vectors among the inputs agree on; one where all are scalars.
int64_t RowsOfInputs(const OpContext& c) {
  int64_t rows = -1;
  for (int i = 0; i < 3; ++i) {
    const Shape& shape = c.tensor(i).shape();
    Require(shape.rank() <= 1, "starts, limits and deltas must be scalars or vectors, not of shape ", shape.ToString());
    if (shape.rank() == 0) continue;
    Require(rows < 0 || rows == shape.dim(0), "starts, limits and deltas must be of one size, not ", rows, " and ",
            shape.dim(0));
    rows = shape.dim(0);
  }
  return rows < 0 ? 1 : rows;
}

void RaggedRange(OpContext& c) {
  const int64_t rows = RowsOfInputs(c);
  const DType dtype = c.tensor(0).dtype(), split_type = c.output_type(0);
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> starts(c.input(0)), limits(c.input(1)), deltas(c.input(2));
    const auto at = [](const Reader<N>& input, int64_t row) { return input[input.shape().rank() == 0 ? 0 : row]; };
    Writer<Integer> splits(split_type, {rows + 1});
    splits.Set(0, 0);
    int64_t total = 0;
    const int64_t most = split_type == DType::kInt32 ? INT32_MAX : INT64_MAX;
    for (int64_t row = 0; row < rows; ++row) {
      const N delta = at(deltas, row);
      Require(delta < N(0) || delta > N(0), "delta must not be zero");
      const int64_t size = RowSize(at(starts, row), at(limits, row), delta, dtype);
      Require(size <= most - total, "all rows together are too long for splits of type ", DTypeName(split_type));
      total += size;
      splits.Set(row + 1, total);
    }
    const Value ends = splits.Take();
    const Reader<Integer> end(ends);
    CheckResultSize({total});
    Writer<N> values(dtype, {total});
    for (int64_t row = 0, to = 0; row < rows; ++row) {
      const N start = at(starts, row), delta = at(deltas, row);
      const auto first = to;
      for (; to < static_cast<int64_t>(end[row + 1]); ++to) values.Set(to, Element(start, delta, to - first));
    }
    c.Output(0, ends);
    c.Output(1, values.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"RaggedRange", RaggedRange},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RaggedRange() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
