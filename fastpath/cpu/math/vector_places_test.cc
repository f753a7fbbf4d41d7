// Answers of vector loops, element by element: they depend on nothing else, wherever an element stands.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

// Numbers of all sizes in turns, so that each vector holds some of each piece that an expansion is made of.
template <class T>
Tensor Mixed(int64_t n) {
  static constexpr T kNumbers[] = {0.25, -3.5, 7, 0, 40.5, -0.75, 0.9921875, 2e6, 1.5, -12, INFINITY, 0.0001, NAN};
  Tensor numbers(DTypeOf<T>, {n});
  for (size_t i = 0; i < static_cast<size_t>(n); ++i) numbers.mutable_data<T>()[i] = kNumbers[i % 13];
  return numbers;
}

template <class T>
void ExpectSameAnywhere(const char* op) {
  const Tensor all = Mixed<T>(67);
  std::vector<T> alone;
  for (const T x : all.data<T>()) alone.push_back(RunKernel1(op, {MakeScalar(x)}).template scalar<T>());
  for (const int64_t n : {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 67}) {
    const Tensor y = RunKernel1(op, {Mixed<T>(n)});
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
      const T value = y.data<T>()[i];
      ASSERT_TRUE(value == alone[i] || (std::isnan(value) && std::isnan(alone[i])))
          << op << "(" << all.data<T>()[i] << ")";
    }
  }
}

TEST(VectorPlaces, SpecialFunctionsAreTheSameInAll) {
  for (const char* op : {"Erf",       "Erfinv",   "Ndtri",    "BesselI0", "BesselI1",   "BesselI0e", "BesselI1e",
                         "BesselJ0",  "BesselJ1", "BesselY0", "BesselY1", "BesselK0",   "BesselK1",  "BesselK0e",
                         "BesselK1e", "Dawsn",    "Expint",   "Spence",   "FresnelCos", "FresnelSin"}) {
    ExpectSameAnywhere<float>(op);
    ExpectSameAnywhere<double>(op);
  }
}

template <class T>
void ExpectAngles(double ulps) {
  static constexpr T kNumbers[] = {0, -0.0, 1, -1, 3, -0.125, INFINITY, -INFINITY, NAN, 1e-30};
  for (const T y : kNumbers) {
    for (const T x : kNumbers) {
      const T angle = RunKernel1("Atan2", {MakeScalar(y), MakeScalar(x)}).template scalar<T>(),
              exact = std::atan2(y, x);
      if (std::isnan(exact)) {
        EXPECT_TRUE(std::isnan(angle)) << y << ", " << x;
        continue;
      }
      EXPECT_NEAR(angle, exact, ulps * std::numeric_limits<T>::epsilon() * std::abs(exact)) << y << ", " << x;
      EXPECT_EQ(std::signbit(angle), std::signbit(exact)) << y << ", " << x;
    }
  }
}
TEST(VectorPlaces, AnglesOfPointsInAllDirections) {
  ExpectAngles<float>(3);
  ExpectAngles<double>(3);
}

TEST(VectorPlaces, TruthsOfEveryNumber) {
  for (size_t n = 1; n <= 130; ++n) {
    Tensor x(DType::kBool, {static_cast<int64_t>(n)}), y(DType::kBool, {static_cast<int64_t>(n)});
    for (size_t i = 0; i < n; ++i) {
      x.mutable_data<bool>()[i] = i % 3 == 0;
      y.mutable_data<bool>()[i] = i % 2 == 0;
    }
    const Tensor both = RunKernel1("LogicalAnd", {x, y}), any = RunKernel1("LogicalOr", {x, y});
    const Tensor no = RunKernel1("LogicalNot", {x}), one = RunKernel1("LogicalAnd", {x, MakeScalar(true)});
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(both.data<bool>()[i], i % 6 == 0);
      ASSERT_EQ(any.data<bool>()[i], i % 3 == 0 || i % 2 == 0);
      ASSERT_EQ(no.data<bool>()[i], i % 3 != 0);
      ASSERT_EQ(one.data<bool>()[i], i % 3 == 0);
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
