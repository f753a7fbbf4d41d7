// The words of the inverse error function's formulas, for plain numbers, in double. See README.md.

namespace erfinv {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// y with erf y = x for |x| ≤ 1/2: two terms of its series, and Newton's steps from there.
PLUMB_INLINE double CentralErfinv(double x) {
  double y = x / M_2_SQRTPI * (1 + M_PI / 12 * x * x);
  for (int step = 0; step < 3; ++step) y -= (std::erf(y) - x) / (M_2_SQRTPI * std::exp(-y * y));
  return y;
}

// y with erfc y = q for 0 < q < 1/2: Eigen's quantile, and one of Newton's steps, unless numbers are too small for one.
PLUMB_INLINE double TailErfinv(double q) {
  const double y = -Eigen::numext::ndtri(q / 2) * M_SQRT1_2;
  const double slope = M_2_SQRTPI * std::exp(-y * y);
  return slope > 1e-290 ? y + (std::erfc(y) - q) / slope : y;
}

}  // namespace erfinv

PLUMB_INLINE double ErfinvOf(double x) {
  const double size = std::fabs(x);
  if (x != x) return erfinv::kNaN;
  if (size <= 0.5) return erfinv::CentralErfinv(x);
  return std::copysign(size >= 1 ? erfinv::kInfinity : erfinv::TailErfinv(1 - size), x);
}

PLUMB_INLINE double NdtriOf(double p) {
  if (p != p) return erfinv::kNaN;
  if (p >= 0.25 && p <= 0.75) return M_SQRT2 * erfinv::CentralErfinv(2 * p - 1);
  const double tail = p < 0.5 ? p : 1 - p;
  return std::copysign(tail <= 0 ? erfinv::kInfinity : M_SQRT2 * erfinv::TailErfinv(2 * tail), p - 0.5);
}

// By way of double.
PLUMB_INLINE float ErfinvOf(float x) { return static_cast<float>(ErfinvOf(double{x})); }
PLUMB_INLINE float NdtriOf(float p) { return static_cast<float>(NdtriOf(double{p})); }
