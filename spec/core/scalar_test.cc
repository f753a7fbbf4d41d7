#include "spec/core/scalar.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

TEST(ScalarTensor, KeepsWhatTheTypeCanHold) {
  EXPECT_EQ(ScalarTensor(0.1, DType::kDouble).scalar<double>(), 0.1);
  EXPECT_EQ(ScalarTensor(0.1, DType::kFloat).scalar<float>(), 0.1f);
  EXPECT_EQ(ScalarTensor(0.1, DType::kComplex128).scalar<std::complex<double>>(), std::complex<double>(0.1));
  EXPECT_EQ(ScalarTensor(0.1, DType::kComplex64).scalar<std::complex<float>>(), std::complex<float>(0.1f));
  EXPECT_EQ(static_cast<float>(ScalarTensor(1.5, DType::kHalf).scalar<Half>()), 1.5f);
  EXPECT_EQ(ScalarTensor(-3, DType::kInt32).scalar<int32_t>(), -3);
}

TEST(ScalarTensor, RefusesTypesWithoutNumbers) { EXPECT_THROW(ScalarTensor(1, DType::kString), Error); }

}  // namespace
}  // namespace plumb
