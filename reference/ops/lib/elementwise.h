// Kernels that apply one formula to each element. A formula is a generic function over the kinds of numbers it is
// defined for, which the row names.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/broadcast.h"
#include "reference/numbers/element.h"

namespace plumb::reference {

// An operand as f sees it: one below the smallest normal number may be taken for zero (N6).
inline Real Operand(Real x) {
  if (!arithmetic.bounds || x.v == 0 || !(std::fabs(x.v) < SmallestNormal(AccumulatorOf(arithmetic.type)))) return x;
  return {x.v, std::max(x.e, std::fabs(x.v)), x.d};
}
inline Complex Operand(Complex x) { return {Operand(x.re), Operand(x.im)}; }
inline Integer Operand(Integer x) { return x; }

// y[i] = f(x[i]).
template <class... Kinds, class F>
void Unary(OpContext& context, F f) {
  ForKind<Kinds...>(context.tensor(0).dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> x(context.input(0));
    Writer<typename decltype(kind)::Type> y(context.tensor(0).dtype(), x.shape());
    for (int64_t i = 0; i < x.size(); ++i) y.Set(i, f(Operand(x[i])));
    context.Output(0, y.Take());
  });
}

// z = f(x, y), broadcasting.
template <class... Kinds, class F>
void Binary(OpContext& context, F f) {
  const DType dtype = context.tensor(0).dtype();
  ForKind<Kinds...>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto of_operands = [&](N x, N y) { return f(Operand(x), Operand(y)); };
    context.Output(0, BroadcastMap<N>(dtype, Reader<N>(context.input(0)), Reader<N>(context.input(1)), of_operands));
  });
}

// The same for a condition: z is bool.
template <class... Kinds, class F>
void Compare(OpContext& context, F f) {
  ForKind<Kinds...>(context.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> x(context.input(0)), y(context.input(1));
    context.Output(0, BroadcastMap<Integer>(DType::kBool, x, y, f));
  });
}

// z[i] = f(y[i], dy[i]) for an op's own gradient: as many elements in both, in the first one's shape.
template <class... Kinds, class F>
void OwnGradient(OpContext& context, F f) {
  Require(context.tensor(0).elements() == context.tensor(1).elements(),
          "the two inputs must have as many elements: ", context.tensor(0).shape().ToString(), " and ",
          context.tensor(1).shape().ToString());
  ForKind<Kinds...>(context.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    auto y = Load<N>(context.input(0));
    const auto dy = Load<N>(context.input(1));
    for (int64_t i = 0; i < y.shape.elements(); ++i) y[i] = f(y[i], dy[i]);
    context.Output(0, Store(y));
  });
}

}  // namespace plumb::reference
