#include "fastpath/cpu/math/igamma_words.h"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

#include "fastpath/cpu/random/gamma_words.h"

namespace plumb::fast::cpu {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
bool IsInDomain(double a, double x) { return a > 0 && x >= 0 && !(std::isinf(a) && std::isinf(x)); }

}  // namespace

// Eigen's series ends for finite numbers only.
double IgammaOf(double a, double x) {
  if (!IsInDomain(a, x)) return kNaN;
  return std::isinf(a) || std::isinf(x) ? static_cast<double>(std::isinf(x)) : Eigen::numext::igamma(a, x);
}

double IgammacOf(double a, double x) {
  if (!IsInDomain(a, x)) return kNaN;
  return std::isinf(a) || std::isinf(x) ? static_cast<double>(std::isinf(a)) : Eigen::numext::igammac(a, x);
}

// Where the share below a sample stays the same while a grows, the sample moves by the slope over the density.
double IgammaSlopeOf(double a, double x) {
  if (!IsInDomain(a, x)) return kNaN;
  if (x == 0) return 0;
  const double density = std::exp((a - 1) * std::log(x) - x - Eigen::numext::lgamma(a));
  return -GammaSlopeOf(a, x) * density;
}

}  // namespace plumb::fast::cpu
