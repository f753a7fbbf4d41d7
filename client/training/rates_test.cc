// Learning rates between the points where their formulas are simple, against these formulas.
#include <cmath>
#include <numbers>

#include "client/testing.h"
#include "client/training/learning_rates.h"

namespace plumb {
namespace {

using ::testing::FloatEq;

constexpr double kPi = std::numbers::pi;

class RateFormulas : public OnEachBackend {
 protected:
  RateFormulas() : step_(Input({}, "step", DType::kInt64)) {}
  float At(Output rate, int64_t step) { return static_cast<float>(Value(rate, {{"step", MakeScalar(step)}}).at(0)); }
  template <class Formula>
  void Check(Output rate, std::initializer_list<int64_t> steps, Formula formula) {
    for (const int64_t step : steps) {
      EXPECT_THAT(At(rate, step), FloatEq(static_cast<float>(formula(static_cast<double>(step))))) << step;
    }
  }
  Output step_;
};
PLUMB_ON_EACH_BACKEND(RateFormulas);

TEST_P(RateFormulas, OfDecaysWithAndWithoutStairs) {
  for (const bool staircase : {false, true}) {
    const DecayOptions options = {.learning_rate = 3, .decay_steps = 4, .decay_rate = 0.375, .staircase = staircase};
    const auto part = [&](double step) { return staircase ? std::floor(step / 4) : step / 4; };
    Check(ExponentialDecay(scope_, step_, options), {0, 3, 5, 11},
          [&](double step) { return 3 * std::pow(0.375, part(step)); });
    Check(NaturalExponentialDecay(scope_, step_, options), {0, 3, 5, 11},
          [&](double step) { return 3 * std::exp(-0.375 * part(step)); });
    Check(InverseTimeDecay(scope_, step_, options), {0, 3, 5, 11},
          [&](double step) { return 3 / (1 + 0.375 * part(step)); });
  }
}

TEST_P(RateFormulas, OfPolynomials) {
  const PolynomialDecayOptions once = {.learning_rate = 3, .decay_steps = 8, .end_learning_rate = 0.5, .power = 1.5};
  Check(PolynomialDecay(scope_, step_, once), {0, 3, 7, 9, 17},
        [](double step) { return 2.5 * std::pow(1 - std::min(step, 8.0) / 8, 1.5) + 0.5; });
  PolynomialDecayOptions again = once;
  again.cycle = true;
  Check(PolynomialDecay(scope_, step_, again), {3, 7, 9, 17},
        [](double step) { return 2.5 * std::pow(1 - step / (8 * std::ceil(step / 8)), 1.5) + 0.5; });
}

TEST_P(RateFormulas, OfCosines) {
  const auto cosine = [](double part) { return (1 + std::cos(kPi * part)) / 2; };
  Check(CosineDecay(scope_, step_, {.learning_rate = 3, .decay_steps = 8, .alpha = 0.25}), {1, 3, 6, 9},
        [&](double step) { return 3 * (0.75 * cosine(std::min(step, 8.0) / 8) + 0.25); });
  // The first takes 4 steps, the second 12, the third 36, each half as high as the one before.
  const CosineRestartsOptions options = {
      .learning_rate = 3, .first_decay_steps = 4, .t_mul = 3, .m_mul = 0.5, .alpha = 0.25};
  Check(CosineDecayRestarts(scope_, step_, options), {1, 7, 11, 20}, [&](double step) {
    const double begin = step < 4 ? 0 : step < 16 ? 4 : 16, length = step < 4 ? 4 : step < 16 ? 12 : 36;
    const double high = step < 4 ? 1 : step < 16 ? 0.5 : 0.25;
    return 3 * (0.75 * high * cosine((step - begin) / length) + 0.25);
  });
  const LinearCosineOptions linear = {
      .learning_rate = 3, .decay_steps = 8, .num_periods = 1.5, .alpha = 0.25, .beta = 0.125};
  Check(LinearCosineDecay(scope_, step_, linear), {1, 3, 6, 9}, [&](double step) {
    const double part = std::min(step, 8.0) / 8;
    return 3 * ((0.25 + 1 - part) * cosine(2 * 1.5 * part) + 0.125);
  });
}

// At step 3 the line is at ¼, which alpha takes away, and the cosine stays 1: the rate is the noise, drawn once, whose
// deviation is √(variance / 4^decay).
TEST_P(RateFormulas, OfNoiseThatDecays) {
  const LinearCosineOptions options = {
      .learning_rate = 1, .decay_steps = 4, .num_periods = 0, .alpha = -0.25, .beta = 0};
  const auto noise = [&](double variance, double decay) {
    return At(NoisyLinearCosineDecay(scope_, step_, options, variance, decay, /*seed=*/7), 3);
  };
  const float whole = noise(1, 0);
  EXPECT_NE(whole, 0);
  EXPECT_THAT(noise(16, 0), FloatEq(4 * whole));
  EXPECT_THAT(noise(1, 2), FloatEq(whole / 4));
  EXPECT_THAT(noise(1, 0.5), FloatEq(whole / std::sqrt(2.0f)));
}

}  // namespace
}  // namespace plumb
