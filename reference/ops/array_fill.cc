// Values made from nothing or from one element.
#include "reference/element.h"
#include "reference/index.h"
#include "reference/numbers_io.h"
#include "reference/ops/array.h"

namespace plumb::reference {

void ZerosLike(OpContext& context) { context.Output(0, Zeros(context.tensor(0).dtype(), context.tensor(0).shape())); }

void OnesLike(OpContext& context) {
  const Tensor& x = context.tensor(0);
  ForNumber(x.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    context.Output(0, Store(MakeArray<N>(x.dtype(), x.shape(), N(1))));
  });
}

void Fill(OpContext& context) {
  const Shape& value = context.tensor(1).shape();
  Require(value.rank() <= 1 && value.elements() == 1, "value must be a scalar, not of shape ", value.ToString());
  const Shape shape = ShapeOf(context.tensor(0), "dims");
  CheckResultSize(shape);
  context.Output(0, Gathered(context.input(1), shape, std::vector<int64_t>(shape.elements(), 0)));
}

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

}  // namespace

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

void OneHot(OpContext& context) {
  const Tensor& indices = context.tensor(0);
  const int64_t depth = IntegerOf(context.tensor(1), "depth");
  Require(depth >= 0, "depth must not be negative: ", depth);
  for (int i = 1; i < 4; ++i) {
    Require(context.tensor(i).rank() == 0, "depth, on_value and off_value must be scalars");
  }
  const int axis = ResolveAxis(context.attr<int64_t>("axis"), indices.rank() + 1, "axis");
  const Shape shape = WithInserted(indices.shape(), axis, depth);
  const AxisView view = ViewAt(shape, axis);
  const auto hot = Load<Integer>(context.input(0));
  Assembly result(context.tensor(2).dtype(), shape);
  for (int64_t i = 0; i < shape.elements(); ++i) {
    const int64_t outer = i / view.inner / view.size, inner = i % view.inner;
    const bool on = hot[outer * view.inner + inner] == i / view.inner % view.size;
    result.Copy(i, context.input(on ? 2 : 3), 0);
  }
  context.Output(0, result.Take());
}

}  // namespace plumb::reference
