// The derivative of the incomplete gamma function, for plain numbers, in double. ../README.md says what formulas are.

namespace gamma {

constexpr int kMostTerms = 500;  // where TensorFlow ends as well
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// A number and its derivative by alpha.
struct Moving {
  double value = 0, slope = 0;
};

// M = Σ xⁿ / ((a+1) … (a+n)): P(a, x) = M xᵃ e⁻ˣ / Γ(a+1).
PLUMB_INLINE Moving LowerSeries(double a, double x) {
  Moving sum = {1, 0}, term = {1, 0};
  for (int n = 1; n <= kMostTerms; ++n) {
    const double factor = x / (a + n);
    term.slope = factor * (term.slope - term.value / (a + n));
    term.value *= factor;
    sum.value += term.value;
    sum.slope += term.slope;
    if (term.value <= kEpsilon * sum.value && -term.slope <= kEpsilon * sum.value) break;
  }
  return sum;
}

// F = 1/(b₀ − 1(1−a)/(b₁ − 2(2−a)/(b₂ − …))), b = x + 2n + 1 − a, by Steed's algorithm: 1 − P(a, x) = F xᵃ e⁻ˣ / Γ(a).
PLUMB_INLINE Moving UpperFraction(double a, double x) {
  double b = x + 1 - a;
  Moving d = {1 / b, 1 / (b * b)};
  Moving step = d, sum = d;
  for (int n = 1; n <= kMostTerms; ++n) {
    const double numerator = n * (a - n);
    b += 2;
    const Moving before = d;
    d.value = 1 / (b + numerator * before.value);
    d.slope = d.value * d.value * (1 - n * before.value - numerator * before.slope);
    const double factor = b * d.value - 1;
    step.slope = (b * d.slope - d.value) * step.value + factor * step.slope;
    step.value *= factor;
    sum.value += step.value;
    sum.slope += step.slope;
    const double enough = kEpsilon * std::fabs(sum.value);
    if (std::fabs(step.value) <= enough && std::fabs(step.slope) <= enough) break;
  }
  return sum;
}

}  // namespace gamma

PLUMB_INLINE double GammaSlopeOf(double alpha, double sample) {
  if (sample == 0) return 0;
  if (!(alpha > 0 && sample > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (sample > 1 && sample > alpha) {
    const gamma::Moving upper = gamma::UpperFraction(alpha, sample);
    return sample * (upper.value * (std::log(sample) - Eigen::numext::digamma(alpha)) + upper.slope);
  }
  const gamma::Moving lower = gamma::LowerSeries(alpha, sample);
  const double shift = std::log(sample) - Eigen::numext::digamma(alpha + 1);
  return -sample / alpha * (lower.value * shift + lower.slope);
}
