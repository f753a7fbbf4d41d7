#include "fastpath/cpu/lib/row_loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
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
    std::vector<T> larger(a), smaller(a), sums(a), divided(a), quotients(a), added(a), put(a);
    TakeLarger(a.data(), b.data(), n, larger.data());
    TakeSmaller(a.data(), b.data(), n, smaller.data());
    AddQuotients(b.data(), T(2), n, sums.data());
    DivideRow(T(4), n, divided.data());
    TakeQuotients(T(4), n, quotients.data());
    AddMultiple(b.data(), T(3), n, added.data());
    PutQuotients(b.data(), T(2), n, put.data());
    for (size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(larger[i], std::max(a[i], b[i]));
      ASSERT_EQ(smaller[i], std::min(a[i], b[i]));
      ASSERT_EQ(sums[i], a[i] + b[i] / 2);
      ASSERT_EQ(divided[i], a[i] / 4);
      ASSERT_EQ(quotients[i], a[i] / 4);
      ASSERT_EQ(added[i], a[i] + 3 * b[i]);
      ASSERT_EQ(put[i], b[i] / 2);
    }
  }
}

TEST(RowLoops, TakeRowsOfEveryLength) {
  ExpectRowsOfEveryLength<float>();
  ExpectRowsOfEveryLength<double>();
}

TEST(RowLoops, AddUpProductsOfEveryLength) {
  for (int64_t n = 0; n <= 150; ++n) {
    const std::vector<float> a = Numbers<float>(n, 5), b = Numbers<float>(n, 3);
    ASSERT_EQ(DotOfRows(a.data(), b.data(), n), std::inner_product(a.begin(), a.end(), b.begin(), 0.0F)) << n;
  }
}

TEST(RowLoops, ShrinkTowardsZero) {
  std::vector<float> row = {3, -3, 1, -1, 0, NAN, INFINITY, -2, 5};
  ShrinkRow(2, std::ssize(row), row.data());
  EXPECT_TRUE(std::isnan(row[5]) && std::signbit(row[3]) && !std::signbit(row[2]));
  row[5] = 0;
  EXPECT_EQ(row, std::vector<float>({1, -1, 0, 0, 0, 0, INFINITY, 0, 3}));
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
  zero[0] = -0.0F;
  TakeQuotients(1.0F, 1, zero);
  EXPECT_TRUE(std::signbit(zero[0]));
}

}  // namespace
}  // namespace plumb::fast::cpu
