#include "fastpath/cpu/quantization/unit_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace plumb::fast::cpu {
namespace {

template <class T>
std::vector<T> RoundedBy(UnitLoop<T> loop, const UnitSteps<T>& unit, std::vector<T> numbers) {
  loop(unit, numbers.data(), numbers.data(), std::ssize(numbers));
  return numbers;
}

// Whole numbers and halves of which the first comes again.
template <class T>
std::vector<T> Halves(int64_t n) {
  std::vector<T> numbers;
  for (int64_t i = 0; i < n; ++i) numbers.push_back(static_cast<T>(i * 7 % 19 - 9) / 2);
  return numbers;
}

template <class T>
void ExpectEveryLength() {
  const UnitLoops<T> loops = FindUnitLoops<T>();
  const UnitSteps<T> unit{.min = -2, .max = 3, .scale = 1, .inverse = T(0.25)};
  for (int64_t n = 0; n <= 67; ++n) {
    const std::vector<T> x = Halves<T>(n);
    std::vector<T> even, even_within, up, up_within;
    for (const T number : x) {
      const T within = std::fmax(T(-2), std::fmin(T(3), number));
      even.push_back(std::nearbyint(number) / 4);
      even_within.push_back(std::nearbyint(within) / 4);
      up.push_back(std::floor(number + T(0.5)) / 4);
      up_within.push_back(std::floor(within + T(0.5)) / 4);
    }
    ASSERT_EQ(RoundedBy(loops.to_even, unit, x), even);
    ASSERT_EQ(RoundedBy(loops.to_even_within, unit, x), even_within);
    ASSERT_EQ(RoundedBy(loops.half_up, unit, x), up);
    ASSERT_EQ(RoundedBy(loops.half_up_within, unit, x), up_within);
  }
}

template <class T>
void ExpectEnds() {
  const auto ends = FindUnitLoops<T>().ends;
  for (int64_t n = 1; n <= 67; ++n) {
    for (int64_t at = 0; at < n; ++at) {
      std::vector<T> x(static_cast<size_t>(n), T(1));
      x[static_cast<size_t>(at)] = -3;
      x[static_cast<size_t>(n - 1 - at)] = 5;
      const RangeEnds<T> found = ends(x.data(), n);
      ASSERT_EQ(found.max, 5);
      ASSERT_EQ(found.min, 2 * at + 1 == n ? (n == 1 ? 5 : 1) : -3);
      x[static_cast<size_t>(at)] = T(NAN);
      const RangeEnds<T> none = ends(x.data(), n);
      ASSERT_TRUE(std::isnan(none.min) && std::isnan(none.max));
    }
  }
}

TEST(UnitLoops, RunOverEveryLength) {
  ExpectEveryLength<float>();
  ExpectEveryLength<double>();
}

TEST(UnitLoops, FindBothEndsAnywhereAndNaN) {
  ExpectEnds<float>();
  ExpectEnds<double>();
}

TEST(UnitLoops, OfZerosTheFirstIsTheEnd) {
  for (const float first : {0.0F, -0.0F}) {
    std::vector<float> x(40, -first);
    x[3] = 1;
    x[0] = first;
    const RangeEnds<float> above = FindUnitLoops<float>().ends(x.data(), std::ssize(x));
    EXPECT_EQ(std::signbit(above.min), std::signbit(first));
    x[3] = -1;
    const RangeEnds<float> below = FindUnitLoops<float>().ends(x.data(), std::ssize(x));
    EXPECT_EQ(std::signbit(below.max), std::signbit(first));
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
