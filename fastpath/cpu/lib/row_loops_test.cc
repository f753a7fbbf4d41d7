#include "fastpath/cpu/lib/row_loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace plumb::fast::cpu {
namespace {

// Small whole numbers, exact in all that is computed from them.
template <class T>
std::vector<T> Numbers(int64_t n, int64_t factor) {
  std::vector<T> numbers;
  for (int64_t i = 0; i < n; ++i) numbers.push_back(static_cast<T>(i * factor % 17 - 8));
  return numbers;
}

template <class T>
void ExpectRowsOfEveryLength() {
  for (int64_t n = 0; n <= 67; ++n) {
    const std::vector<T> a = Numbers<T>(n, 5), b = Numbers<T>(n, 3);
    std::vector<T> larger(a), smaller(a), sums(a), divided(a);
    TakeLarger(a.data(), b.data(), n, larger.data());
    TakeSmaller(a.data(), b.data(), n, smaller.data());
    AddQuotients(b.data(), T(2), n, sums.data());
    DivideRow(T(4), n, divided.data());
    for (size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(larger[i], std::max(a[i], b[i]));
      ASSERT_EQ(smaller[i], std::min(a[i], b[i]));
      ASSERT_EQ(sums[i], a[i] + b[i] / 2);
      ASSERT_EQ(divided[i], a[i] / 4);
    }
  }
}

TEST(RowLoops, TakeRowsOfEveryLength) {
  ExpectRowsOfEveryLength<float>();
  ExpectRowsOfEveryLength<double>();
}

TEST(RowLoops, TakeTheSecondOfNaNAndOfEqualNumbers) {
  const float a[] = {NAN, 1, -0.0F, 0}, b[] = {1, NAN, 0, -0.0F};
  float larger[4], zero[] = {-0.0F};
  TakeLarger(a, b, 4, larger);
  EXPECT_EQ(larger[0], 1);
  EXPECT_TRUE(std::isnan(larger[1]));
  EXPECT_FALSE(std::signbit(larger[2]));
  EXPECT_TRUE(std::signbit(larger[3]));
  DivideRow(1.0F, 1, zero);
  EXPECT_FALSE(std::signbit(zero[0]));
}

}  // namespace
}  // namespace plumb::fast::cpu
