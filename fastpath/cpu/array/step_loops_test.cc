#include "fastpath/cpu/array/step_loops.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace plumb::fast::cpu {
namespace {

template <class T>
std::vector<T> StepsFrom(T start, T step, int64_t first, int64_t n) {
  std::vector<T> steps(static_cast<size_t>(n) + 1, T(7));
  PutSteps(start, step, first, n, steps.data());
  EXPECT_EQ(steps.back(), T(7));
  steps.pop_back();
  return steps;
}

template <class T>
void ExpectStepsOfEveryLength(T start, T step) {
  for (const int64_t first : {0, 5}) {
    for (int64_t n = 0; n <= 67; ++n) {
      std::vector<T> expected;
      for (int64_t i = 0; i < n; ++i) expected.push_back(start + static_cast<T>(first + i) * step);
      ASSERT_EQ(StepsFrom(start, step, first, n), expected);
    }
  }
}

TEST(StepLoops, RunOverEveryLength) {
  ExpectStepsOfEveryLength<float>(0.1F, 0.3F);
  ExpectStepsOfEveryLength<double>(0.1, 0.3);
  ExpectStepsOfEveryLength<int32_t>(-5, 3);
  ExpectStepsOfEveryLength<int64_t>(5, int64_t{-3} << 40);
}

TEST(StepLoops, RoundPlacesThatNoInt32Holds) {
  constexpr int64_t kFirst = std::numeric_limits<int32_t>::max() - int64_t{20};
  const std::vector<float> floats = StepsFrom(0.0F, 1.0F, kFirst, 64);
  const std::vector<double> doubles = StepsFrom(0.0, 1.0, kFirst, 64);
  for (int64_t i = 0; i < 64; ++i) {
    ASSERT_EQ(floats[static_cast<size_t>(i)], static_cast<float>(kFirst + i));
    ASSERT_EQ(doubles[static_cast<size_t>(i)], static_cast<double>(kFirst + i));
  }
}

TEST(StepLoops, WrapAround) {
  constexpr int32_t kLast = std::numeric_limits<int32_t>::max();
  const std::vector<int32_t> steps = StepsFrom<int32_t>(0, kLast, 0, 40);
  EXPECT_EQ(steps[39], static_cast<int32_t>(39U * static_cast<uint32_t>(kLast)));
}

}  // namespace
}  // namespace plumb::fast::cpu
