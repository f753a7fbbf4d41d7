#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

AttrMap Filters(float low, float high, int64_t filters, int64_t coefficients) {
  return {{"lower_frequency_limit", low},
          {"upper_frequency_limit", high},
          {"filterbank_channel_count", filters},
          {"dct_coefficient_count", coefficients}};
}

// One filter has its centre between the limits on the mel scale. Bins lie at 0, 1000, 2000, … Hz; that at 1000 is
// below it, and those at 2000 and 3000 are above.
TEST(Mfcc, OneFilterRisesAndFalls) {
  const auto mel = [](double hertz) { return std::log1p(hertz / 700); };
  const double centre = mel(3500) / 2, rising = mel(1000) / centre;
  const auto falling = [&](double hertz) { return (mel(3500) - mel(hertz)) / (mel(3500) - centre); };
  ASSERT_TRUE(mel(1000) < centre && centre < mel(2000));
  const Tensor x = MakeTensor<float>({1, 1, 5}, {100, 4, 9, 25, 100});
  const Tensor y = RunKernel1("Mfcc", {x, MakeScalar<int32_t>(8000)}, Filters(0, 3500, 1, 1));
  EXPECT_EQ(y.shape(), (Shape{1, 1, 1}));
  const double passed = 2 * rising + 3 * falling(2000) + 5 * falling(3000);
  EXPECT_FLOAT_EQ(Values<float>(y)[0], static_cast<float>(std::sqrt(2.0) * std::log(passed)));
}

TEST(Mfcc, ALimitBeyondTheLastBinLetsNothingThrough) {
  const Tensor x = MakeTensor<float>({1, 2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(Values<float>(RunKernel1("Mfcc", {x, MakeScalar<int32_t>(100)}, Filters(0, 3000, 3, 2))),
            std::vector<float>(4, 0));
}

TEST(Mfcc, RefusesWhatMakesNoFilters) {
  const Tensor x = Zeros(DType::kFloat, {1, 1, 5}), rate = MakeScalar<int32_t>(8000);
  const auto code = [&](const Tensor& input, const Tensor& samples, const AttrMap& attrs) {
    return CodeOfKernel("Mfcc", {input, samples}, attrs);
  };
  EXPECT_EQ(code(x, rate, Filters(10, 10, 3, 2)), Code::kInvalidArgument);
  EXPECT_EQ(code(x, rate, Filters(-1, 10, 3, 2)), Code::kInvalidArgument);
  EXPECT_EQ(code(x, rate, Filters(0, 10, 0, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code(x, rate, Filters(0, 10, 3, 4)), Code::kInvalidArgument);
  EXPECT_EQ(code(x, rate, Filters(0, 10, 3, 0)), Code::kInvalidArgument);
  EXPECT_EQ(code(x, MakeScalar<int32_t>(0), Filters(0, 10, 3, 2)), Code::kInvalidArgument);
  EXPECT_EQ(code(Zeros(DType::kFloat, {1, 1, 1}), rate, Filters(0, 10, 3, 2)), Code::kInvalidArgument);
  EXPECT_EQ(code(x, MakeVector<int32_t>({8000}), Filters(0, 10, 3, 2)), Code::kInvalidArgument) << "no scalar";
  EXPECT_EQ(code(Zeros(DType::kFloat, {1, 5}), rate, Filters(0, 10, 3, 2)), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
