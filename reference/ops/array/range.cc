#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

int64_t RangeSize(Integer start, Integer limit, Integer delta) {
  return static_cast<int64_t>((Abs(limit - start) + Abs(delta) - 1) / Abs(delta));
}
int64_t RangeSize(Real start, Real limit, Real delta) {
  const double size = std::ceil(std::fabs((limit.v - start.v) / delta.v));
  Require(size < 0x1p62, "the range has no representable size");
  return static_cast<int64_t>(size);
}

Integer RangeElement(Integer start, Integer delta, int64_t i) { return start + Integer(i) * delta; }
// An implementation may add up the steps one by one: i roundings of at most the larger end.
Real RangeElement(Real start, Real delta, int64_t i) {
  const double steps = static_cast<double>(i), v = start.v + steps * delta.v;
  const double size = std::max(std::fabs(start.v), std::fabs(v));
  const double propagated = start.e + steps * delta.e;
  return {v, propagated + (i > 1 ? steps * UnitRoundoff(arithmetic.type) * size : 0), start.d + steps * delta.d};
}

void Range(OpContext& context) {
  for (int i = 0; i < 3; ++i) {
    const Shape& shape = context.tensor(i).shape();
    Require(shape.rank() <= 1 && shape.elements() == 1, "start, limit and delta must be scalars, not of shape ",
            shape.ToString());
  }
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const N start = LoadScalar<N>(context.input(0)), limit = LoadScalar<N>(context.input(1)),
            delta = LoadScalar<N>(context.input(2));
    Require(delta < N(0) || delta > N(0), "delta must not be zero");
    Require(delta > N(0) ? start <= limit : start >= limit,
            "the limit lies on the other side of start than delta says");
    auto range = MakeArray<N>(dtype, {RangeSize(start, limit, delta)});
    for (int64_t i = 0; i < range.shape.elements(); ++i) range[i] = RangeElement(start, delta, i);
    context.Output(0, Store(range));
  });
}

constexpr KernelRow kRows[] = {
    {"Range", Range},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayRange() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
