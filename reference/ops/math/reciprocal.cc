// Reciprocals.
#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

Real Reciprocal(Real x) {
  const double slope = -1 / x.v / x.v, room = std::fabs(x.v) - x.e;
  const double propagated = x.e == 0 ? 0 : room > 0 ? x.e / (std::fabs(x.v) * room) : INFINITY;
  return Rounded(1 / x.v, propagated, Chain(slope, x.d), ElementaryUnits());
}
// Where |z|² overflows, the conjugate over it is not what C++'s division gives.
Complex Reciprocal(Complex z) {
  Complex y = Blurred(Complex(1.0) / z, 0);
  if (z.re.v * z.re.v + z.im.v * z.im.v > arithmetic.largest) y.re.e = y.im.e = INFINITY;
  return y;
}

bool IsNan(Complex z) { return IsNan(z.re) || IsNan(z.im); }

// N18: a gradient of zero stays zero.
template <class N>
N ReciprocalGradient(N y, N dy) {
  const N z = -Conj(y) * dy * Conj(y);
  return dy == N(0.0) && IsNan(z) ? N(0.0) : z;
}

void Reciprocal(OpContext& c) {
  Unary<Real, Complex>(c, [](auto x) { return Reciprocal(x); });
}
void ReciprocalGrad(OpContext& c) {
  OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return ReciprocalGradient(y, dy); });
}

constexpr KernelRow kRows[] = {
    {"Reciprocal", Reciprocal},
    {"Inv", Reciprocal},
    {"ReciprocalGrad", ReciprocalGrad},
    {"InvGrad", ReciprocalGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathReciprocal() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
