#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/elements.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// A square as its type holds it: an infinity beyond what float16 has, though the sum of squares is one of float32.
Real SquareOf(DType dtype, Real t) {
  const double size = std::fabs(t.v), least = std::max(0.0, size - t.e);
  const auto overflows = [&](double x) { return std::isinf(RoundTo(dtype, x * x)); };
  if (overflows(least)) return {INFINITY, 0, 0};
  Real square = t * t;
  if (overflows(size + t.e)) square.e = INFINITY;
  return square;
}

// Σ t² / 2.
void L2Loss(OpContext& context) {
  const DType dtype = context.tensor(0).dtype();
  ForKind<Real>(dtype, [&](auto) {
    Sum sum;
    for (const Real t : Load<Real>(context.input(0)).at) {
      const Real square = SquareOf(dtype, t);
      if (std::isfinite(square.v) && std::isfinite(square.e)) {
        sum.AddProduct(t, t);
      } else {
        sum.Add(square);
      }
    }
    Array<Real> loss{dtype, Shape(), {sum.Result() * 0.5}};
    context.Output(0, Store(loss));
  });
}

constexpr KernelRow kRows[] = {
    {"L2Loss", L2Loss},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LossL2() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
