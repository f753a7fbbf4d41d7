#include "fastpath/cpu/math/special_words.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

namespace plumb::fast::cpu {

#define PLUMB_SPECIAL_UNARY(word, function)                  \
  float word(float x) { return Eigen::numext::function(x); } \
  double word(double x) { return Eigen::numext::function(x); }
PLUMB_SPECIAL_UNARY(LgammaOf, lgamma)
PLUMB_SPECIAL_UNARY(DigammaOf, digamma)
PLUMB_SPECIAL_UNARY(ErfcOf, erfc)

namespace {

// Below it Eigen's sum has too many terms, or no end. Whole numbers have an answer at once.
bool HasTooManyTerms(double q) { return q < -1048576 && q != std::floor(q); }

// A pole of an order that is even, as all floats are from there on; Eigen's 64-bit integers do not hold them.
template <class T>
bool IsPoleOfLargeOrder(T x, T q) {
  return x >= T(int64_t{1} << 62) && q <= 0 && q == std::floor(q);
}

// Σ (q + k)⁻ˣ where each term is nothing: it falls with k, and the first is.
template <class T>
bool IsSumOfNothing(T x, T q) {
  return x > 1 && q > 1 && std::pow(q, -x) == 0;
}

template <class T>
T ZetaWithin(T x, T q) {
  if (IsSumOfNothing(x, q)) return 0;
  if (IsPoleOfLargeOrder(x, q)) return std::numeric_limits<T>::infinity();
  return x > 1 && HasTooManyTerms(q) ? std::numeric_limits<T>::quiet_NaN() : Eigen::numext::zeta(x, q);
}
template <class T>
T PolygammaWithin(T n, T x) {
  if (std::isfinite(n) && n >= 1 && n == std::floor(n) && std::isinf(x) && x > 0) return 0;
  if (IsPoleOfLargeOrder(n, x)) return std::numeric_limits<T>::infinity();
  return n > 0 && HasTooManyTerms(x) ? std::numeric_limits<T>::quiet_NaN() : Eigen::numext::polygamma(n, x);
}

}  // namespace

float ZetaOf(float x, float q) { return ZetaWithin(x, q); }
double ZetaOf(double x, double q) { return ZetaWithin(x, q); }
float PolygammaOf(float n, float x) { return PolygammaWithin(n, x); }
double PolygammaOf(double n, double x) { return PolygammaWithin(n, x); }

namespace {
namespace words {
#define PLUMB_INLINE
#include "fastpath/formulas/math/betainc_words-inl.h"
#undef PLUMB_INLINE
}  // namespace words
}  // namespace

float BetaincOf(float a, float b, float x) { return words::BetaincOf(a, b, x); }
double BetaincOf(double a, double b, double x) { return words::BetaincOf(a, b, x); }

}  // namespace plumb::fast::cpu
