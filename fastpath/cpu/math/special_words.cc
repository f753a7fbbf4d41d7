#include "fastpath/cpu/math/special_words.h"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

namespace plumb::fast::cpu {

#define PLUMB_SPECIAL_UNARY(word, function)                  \
  float word(float x) { return Eigen::numext::function(x); } \
  double word(double x) { return Eigen::numext::function(x); }
PLUMB_SPECIAL_UNARY(LgammaOf, lgamma)
PLUMB_SPECIAL_UNARY(DigammaOf, digamma)
PLUMB_SPECIAL_UNARY(ErfOf, erf)
PLUMB_SPECIAL_UNARY(ErfcOf, erfc)

namespace {

// Even and odd, and growing beyond all numbers. Eigen multiplies an infinity by zero there.
template <class T>
T BesselI0At(T x) {
  return std::isinf(x) ? std::fabs(x) : Eigen::numext::bessel_i0(x);
}
template <class T>
T BesselI1At(T x) {
  return std::isinf(x) ? x : Eigen::numext::bessel_i1(x);
}

// Below it Eigen's sum has too many terms, or no end. Whole numbers have an answer at once.
bool HasTooManyTerms(double q) { return q < -1048576 && q != std::floor(q); }

template <class T>
T ZetaWithin(T x, T q) {
  return x > 1 && HasTooManyTerms(q) ? std::numeric_limits<T>::quiet_NaN() : Eigen::numext::zeta(x, q);
}
template <class T>
T PolygammaWithin(T n, T x) {
  return n > 0 && HasTooManyTerms(x) ? std::numeric_limits<T>::quiet_NaN() : Eigen::numext::polygamma(n, x);
}

}  // namespace

float BesselI0Of(float x) { return BesselI0At(x); }
double BesselI0Of(double x) { return BesselI0At(x); }
float BesselI1Of(float x) { return BesselI1At(x); }
double BesselI1Of(double x) { return BesselI1At(x); }
float ZetaOf(float x, float q) { return ZetaWithin(x, q); }
double ZetaOf(double x, double q) { return ZetaWithin(x, q); }
float PolygammaOf(float n, float x) { return PolygammaWithin(n, x); }
double PolygammaOf(double n, double x) { return PolygammaWithin(n, x); }

float BetaincOf(float a, float b, float x) { return Eigen::numext::betainc(a, b, x); }
double BetaincOf(double a, double b, double x) { return Eigen::numext::betainc(a, b, x); }

}  // namespace plumb::fast::cpu
