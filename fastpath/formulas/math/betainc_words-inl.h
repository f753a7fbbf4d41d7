// The word of the regularised incomplete beta integral, for plain numbers. Eigen's continued fraction ends too early,
// and its powers lose their digits, where the parameters are large: there it is computed in double, by Lentz's method,
// and where both are beyond a million by the uniform expansion (DLMF 8.18.9). See README.md.

namespace betainc {

constexpr double kWide = 3000;  // of a + b
constexpr double kBell = 1e6;   // of the smaller one

// The continued fraction of the integral's share below x < (a + 1)/(a + b + 2). It needs about as many steps as the
// root of the smaller parameter says.
PLUMB_INLINE double Fraction(double a, double b, double x) {
  constexpr int kMostSteps = 20000;
  constexpr double kTiny = 1e-300;
  double f = 1, c = 1, d = 0;
  for (int i = 1; i < kMostSteps; ++i) {
    const double m = i / 2;
    const double term = i % 2 == 0 ? m * (b - m) / (a + 2 * m - 1) * (x / (a + 2 * m))
                                   : -(a + m) / (a + 2 * m) * ((a + b + m) * x / (a + 2 * m + 1));
    d = 1 + term * d;
    c = 1 + term / c;
    d = 1 / (std::fabs(d) < kTiny ? kTiny : d);
    c = std::fabs(c) < kTiny ? kTiny : c;
    f *= c * d;
    if (std::fabs(c * d - 1) < 1e-16) break;
  }
  return f;
}

PLUMB_INLINE double ByFraction(double a, double b, double x) {
  const double power = std::exp(a * std::log(x) + b * std::log1p(-x) - LgammaOf(a) - LgammaOf(b) + LgammaOf(a + b));
  if (x < (a + 1) / (a + b + 2)) return power / a / Fraction(a, b, x);
  return 1 - power / b / Fraction(b, a, 1 - x);
}

// The bell curve of both parameters, and its first correction; beside the mean that has a limit.
PLUMB_INLINE double ByBell(double a, double b, double x) {
  const double r = a + b, mean = a / r, width = std::sqrt(mean * (1 - mean)), away = x - mean;
  const double half = -(mean * std::log1p(away / mean) + (1 - mean) * std::log1p(-away / (1 - mean)));
  const double eta = std::copysign(std::sqrt(2 * std::fmax(half, 0.0)), away);
  const double correction = std::fabs(away) < 1e-4 * width ? (1 - 2 * mean) / (3 * width) : 1 / eta - width / away;
  return ErfcOf(-eta * std::sqrt(r / 2)) / 2 + std::exp(-r * half) / std::sqrt(2 * M_PI * r) * correction;
}

}  // namespace betainc

template <class T>
PLUMB_INLINE T BetaincOf(T a, T b, T x) {
  const double wide_a = a, wide_b = b, sum = wide_a + wide_b;
  const bool is_wide = a > T(0) && b > T(0) && x > T(0) && x < T(1) && sum > betainc::kWide && std::isfinite(sum);
  if (!is_wide) return Eigen::numext::betainc(a, b, x);
  const bool is_bell = std::fmin(wide_a, wide_b) > betainc::kBell;
  const double share = is_bell ? betainc::ByBell(wide_a, wide_b, x) : betainc::ByFraction(wide_a, wide_b, x);
  return static_cast<T>(std::fmin(std::fmax(share, 0.0), 1.0));
}
