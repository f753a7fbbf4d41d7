// The words of the incomplete gamma functions' formulas, for plain numbers, in double: Eigen's. They use the word
// GammaSlopeOf of ../random/gamma_words-inl.h. See README.md.

namespace igamma {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
PLUMB_INLINE bool IsInDomain(double a, double x) { return a > 0 && x >= 0; }

}  // namespace igamma

// Nothing lies below zero, whatever a is. Eigen's series ends for finite numbers only; of two infinities, as in
// TensorFlow, neither share has anything.
PLUMB_INLINE double IgammaOf(double a, double x) {
  if (x == 0 || (a == x && std::isinf(a) && a > 0)) return 0;
  if (!igamma::IsInDomain(a, x)) return igamma::kNaN;
  return std::isinf(a) || std::isinf(x) ? static_cast<double>(std::isinf(x)) : Eigen::numext::igamma(a, x);
}

PLUMB_INLINE double IgammacOf(double a, double x) {
  if (!igamma::IsInDomain(a, x)) return igamma::kNaN;
  if (std::isinf(a) && std::isinf(x)) return 0;
  return std::isinf(a) || std::isinf(x) ? static_cast<double>(std::isinf(a)) : Eigen::numext::igammac(a, x);
}

// Where the share below a sample stays the same while a grows, the sample moves by the slope over the density.
PLUMB_INLINE double IgammaSlopeOf(double a, double x) {
  if (x == 0) return 0;
  if (!igamma::IsInDomain(a, x)) return igamma::kNaN;
  if (std::isinf(x)) return 0;  // all of it lies below
  const double density = std::exp((a - 1) * std::log(x) - x - Eigen::numext::lgamma(a));
  return -GammaSlopeOf(a, x) * density;
}

// By way of double: powers and logarithms cancel each other, and float would lose digits that double has to spare.
PLUMB_INLINE float IgammaOf(float a, float x) { return static_cast<float>(IgammaOf(double{a}, double{x})); }
PLUMB_INLINE float IgammacOf(float a, float x) { return static_cast<float>(IgammacOf(double{a}, double{x})); }
PLUMB_INLINE float IgammaSlopeOf(float a, float x) { return static_cast<float>(IgammaSlopeOf(double{a}, double{x})); }
