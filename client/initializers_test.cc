// First values that are drawn: between which bounds, and by which seed.
#include "client/initializers.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "client/testing.h"

namespace plumb {
namespace {

class Initializers : public OnEachBackend {
 protected:
  // None is beyond the bounds, and of 64 equal parts between them each holds some: of some thousand numbers none would
  // stay empty by chance.
  void ExpectEvenly(Output drawn, double low, double high) {
    const std::vector<double> numbers = Value(drawn);
    std::set<int> parts;
    for (const double number : numbers) {
      parts.insert(static_cast<int>(std::floor((number - low) / (high - low) * 64)));
    }
    EXPECT_EQ(parts.size(), 64U);
    EXPECT_EQ(*parts.begin(), 0);
    EXPECT_EQ(*parts.rbegin(), 63);
  }
};
PLUMB_ON_EACH_BACKEND(Initializers);

TEST_P(Initializers, UniformStaysWithinItsBounds) {
  ExpectEvenly(Uniform(scope_, DType::kFloat, {64, 64}, -0.5, 2, 3), -0.5, 2);
  ExpectEvenly(Uniform(1, 3, 3)(scope_, DType::kFloat, {4096}), 1, 3);
}

// By the numbers of inputs and outputs; of filters each counts once for each place of the window.
TEST_P(Initializers, GlorotUniformKeepsTheSizeOfSignals) {
  const double of_matrix = std::sqrt(6.0 / (32 + 128)), of_filters = std::sqrt(6.0 / (3 * 5 * (16 + 32)));
  ExpectEvenly(GlorotUniform(scope_, DType::kFloat, {32, 128}, 3), -of_matrix, of_matrix);
  ExpectEvenly(GlorotUniform(3)(scope_, DType::kFloat, {3, 5, 16, 32}), -of_filters, of_filters);
}

TEST_P(Initializers, DrawByTheirSeed) {
  const auto drawn = [&](int64_t seed) { return Value(GlorotUniform(seed)(scope_, DType::kFloat, {4, 4})); };
  EXPECT_EQ(drawn(5), drawn(5));
  EXPECT_NE(drawn(5), drawn(6));
}

TEST_P(Initializers, FillWithANumber) {
  EXPECT_THAT(Value(Filled(2.5)(scope_, DType::kFloat, {2, 2})), ::testing::ElementsAre(2.5, 2.5, 2.5, 2.5));
}

}  // namespace
}  // namespace plumb
