// Running logarithms of sums of exponentials along an axis.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// log(exp a + exp b), from the larger one on. Steps one after the other, or in a tree, meet each element's error again:
// every step adds its own. A NaN that joins a sum counts like the sum itself, and two infinities make a NaN, as the
// comparisons of TensorFlow's LogSumExp have it.
Real LogOfSum(Real sum, Real x) {
  const Real a = sum, b = IsNan(x) ? sum : x;
  const Real &larger = a.v >= b.v || IsNan(a) ? a : b, &smaller = &larger == &a ? b : a;
  if (IsNan(larger) || (larger.v == INFINITY && smaller.v == INFINITY)) return NAN;
  if (std::isinf(larger.v)) return larger;
  const double share = std::exp(smaller.v - larger.v), v = larger.v + std::log1p(share);
  const double weight = share / (1 + share), d = larger.d * (1 - weight) + Chain(weight, smaller.d);
  const double own = ElementaryUnits() * arithmetic.unit * (std::log1p(share) + share * std::fabs(larger.v));
  return Rounded(v, std::max(larger.e, smaller.e) + own, d);
}

void CumulativeLogsumexp(OpContext& c) {
  const DType dtype = c.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    const Reader<Real> x(c.input(0));
    const AxisView view = ViewAt(x.shape(), ResolveAxis(ScalarOf(c.tensor(1), "axis"), x.shape().rank(), "axis"));
    const bool exclusive = c.attr<bool>("exclusive"), reverse = c.attr<bool>("reverse");
    Writer<Real> out(dtype, x.shape());
    for (int64_t line = 0; line < view.outer * view.inner; ++line) {
      const int64_t start = line / view.inner * view.size * view.inner + line % view.inner;
      Real running = -INFINITY;
      for (int64_t k = 0; k < view.size; ++k) {
        const int64_t i = start + (reverse ? view.size - 1 - k : k) * view.inner;
        const Real with = LogOfSum(running, x[i]);
        out.Set(i, exclusive ? running : with);
        running = with;
      }
    }
    c.Output(0, out.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"CumulativeLogsumexp", CumulativeLogsumexp},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionCumulativeLogsumexp() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
