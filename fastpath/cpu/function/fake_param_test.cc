#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

// As TensorFlow 2.12.1 answers; what the elements are is open.
TEST(FakeParam, OpenDimensionsAreEmpty) {
  const auto shape = [](DType type, const PartialShape& declared) {
    const Tensor value = RunKernel1("FakeParam", {}, {{"dtype", type}, {"shape", declared}});
    EXPECT_EQ(value.dtype(), type);
    return value.shape();
  };
  EXPECT_EQ(shape(DType::kFloat, PartialShape({2, 3})), Shape({2, 3}));
  EXPECT_EQ(shape(DType::kFloat, PartialShape({-1, 3})), Shape({0, 3}));
  EXPECT_EQ(shape(DType::kInt32, PartialShape::Unknown()), Shape());
  EXPECT_EQ(shape(DType::kString, PartialShape({2})), Shape({2}));
  EXPECT_EQ(shape(DType::kVariant, PartialShape(Shape())), Shape());
}

}  // namespace
}  // namespace plumb::fast::cpu
