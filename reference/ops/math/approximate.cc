#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The difference is rounded before it is compared; so is the tolerance.
void ApproximateEqual(OpContext& c) {
  const DType type = c.tensor(0).dtype();
  Require(c.tensor(0).shape() == c.tensor(1).shape(), "x and y must have one shape, not ",
          c.tensor(0).shape().ToString(), " and ", c.tensor(1).shape().ToString());
  const double tolerance = RoundTo(type, c.attr<float>("tolerance"));
  ForKind<Real>(type, [&](auto) {
    const Reader<Real> x(c.input(0)), y(c.input(1));
    Writer<Integer> z(DType::kBool, x.shape());
    for (int64_t i = 0; i < x.size(); ++i) z.Set(i, std::fabs(RoundTo(type, x[i].v - y[i].v)) <= tolerance);
    c.Output(0, z.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"ApproximateEqual", ApproximateEqual},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathApproximate() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
