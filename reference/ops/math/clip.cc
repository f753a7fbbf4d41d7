#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The limits are compared with t one after the other; one that is NaN limits nothing. Where the bounds leave open which
// of two is the smaller, the result has the larger bound of both.
Real Least(Real t, Real limit) {
  const bool open = std::fabs(t.v - limit.v) <= t.e + limit.e;
  const Real& taken = limit.v < t.v ? limit : t;
  return {taken.v, open ? std::max(t.e, limit.e) : taken.e, taken.d};
}
Real Most(Real t, Real limit) { return -Least(-t, -limit); }
Integer Least(Integer t, Integer limit) { return Min(t, limit); }
Integer Most(Integer t, Integer limit) { return Max(t, limit); }
// Each part of a complex number has the limits' same part.
Complex Least(Complex t, Complex limit) { return {Least(t.re, limit.re), Least(t.im, limit.im)}; }
Complex Most(Complex t, Complex limit) { return {Most(t.re, limit.re), Most(t.im, limit.im)}; }

void ClipByValue(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  for (const int limit : {1, 2}) {
    const Shape& own = c.tensor(limit).shape();
    Require(own.rank() == 0 || own == shape, "a limit must be a scalar or have the shape of t, ", shape.ToString(),
            ", not ", own.ToString());
  }
  ForKind<Real, Integer, Complex>(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> t(c.input(0)), low(c.input(1)), high(c.input(2));
    const auto at = [](const Reader<N>& limit, int64_t i) { return limit[limit.shape().rank() == 0 ? 0 : i]; };
    Writer<N> output(c.tensor(0).dtype(), shape);
    for (int64_t i = 0; i < t.size(); ++i) output.Set(i, Most(Least(t[i], at(high, i)), at(low, i)));
    c.Output(0, output.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"ClipByValue", ClipByValue},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathClip() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
