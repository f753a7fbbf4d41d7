#include "reference/ops/random/random_normal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference/numbers/element.h"

namespace plumb::reference {
namespace {

Normals BoxMuller(double u, double angle) {
  const Real radius = Sqrt(Real(-2) * Log(Real(u)));
  const double off = arithmetic.unit * std::fabs(angle);  // the angle is rounded once
  const auto wave = [&](double v) { return Rounded(v, off, 0, ElementaryUnits()); };
  return {radius * wave(std::sin(angle)), radius * wave(std::cos(angle))};
}
constexpr double kFloor = 1e-7;

}  // namespace

Normals NormalsFromWords(uint32_t w0, uint32_t w1) {
  const float u = std::max(UniformFloat(w0), static_cast<float>(kFloor));
  return BoxMuller(u, static_cast<float>(2 * std::numbers::pi * UniformFloat(w1)));
}
Normals NormalsFromWords(uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
  return BoxMuller(std::max(UniformDouble(w0, w1), kFloor), 2 * std::numbers::pi * UniformDouble(w2, w3));
}

// The random bits are exact, the functions of them are not: 4 units for each, as Log is judged.
void ComputeNormalsIn(DType dtype) {
  arithmetic.exact = false;
  arithmetic.ulps = 4;
  ComputeIn(dtype == DType::kDouble ? DType::kDouble : DType::kFloat);
}

}  // namespace plumb::reference
