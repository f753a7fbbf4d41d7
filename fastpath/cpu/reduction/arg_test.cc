#include <gtest/gtest.h>

#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(ArgMax, TakesTheFirstOfEqualsAndIgnoresNaN) {
  const Tensor x = MakeTensor<float>({2, 3}, {1, 5, 5, kNaN, -2, -3});
  EXPECT_EQ(Values<int64_t>(RunKernel1("ArgMax", {x, MakeScalar(1)})), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(Values<int64_t>(RunKernel1("ArgMin", {x, MakeScalar(0)})), (std::vector<int64_t>{0, 1, 1}));
  const AttrMap narrow = {{"output_type", DType::kInt32}};
  EXPECT_EQ(Values<int32_t>(RunKernel1("ArgMax", {x, MakeScalar(0)}, narrow)), (std::vector<int32_t>{0, 0, 0}));
  EXPECT_EQ(CodeOfKernel("ArgMax", {Zeros(DType::kFloat, {2, 0}), MakeScalar(1)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("ArgMax", {x, MakeScalar(2)}), Code::kInvalidArgument);
}

TEST(ArgMax, TakesTheFirstOfEqualsHoweverManyThereAre) {
  for (const int64_t n : {3, 64, 65, 300}) {
    const Tensor column = Zeros(DType::kFloat, {n, 1}), columns = Zeros(DType::kInt32, {n, 3});
    for (const char* op : {"ArgMax", "ArgMin"}) {
      EXPECT_EQ(Values<int64_t>(RunKernel1(op, {column, MakeScalar(0)})), (std::vector<int64_t>{0})) << n;
      EXPECT_EQ(Values<int64_t>(RunKernel1(op, {columns, MakeScalar(0)})), (std::vector<int64_t>{0, 0, 0})) << n;
    }
  }
}

TEST(ArgMax, KnowsSevenDimensions) {  // T9
  const auto code = [](const Shape& shape) {
    return CodeOfKernel("ArgMax", {Zeros(DType::kFloat, shape), MakeScalar(-1)});
  };
  EXPECT_EQ(code({1, 1, 1, 1, 1, 1, 2}), Code::kOk);
  EXPECT_EQ(code({1, 1, 1, 1, 1, 1, 1, 2}), Code::kInvalidArgument);
  EXPECT_EQ(code({0, 1, 1, 1, 1, 1, 1, 2}), Code::kOk) << "there is nothing to search";
}

}  // namespace
}  // namespace plumb::fast::cpu
