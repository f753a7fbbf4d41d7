#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

TEST(TensorScatter, TakesUpdatesInOrder) {
  const Tensor x = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
  const Tensor rows = MakeTensor<int32_t>({2, 1}, {1, 1}), updates = MakeTensor<float>({2, 2}, {10, 20, 30, 40});
  EXPECT_EQ(Values<float>(RunKernel1("TensorScatterUpdate", {x, rows, updates})), Floats({1, 2, 30, 40}));
  EXPECT_EQ(Values<float>(RunKernel1("TensorScatterAdd", {x, rows, updates})), Floats({1, 2, 43, 64}));
  EXPECT_EQ(Values<float>(RunKernel1("TensorScatterSub", {x, rows, updates})), Floats({1, 2, -37, -56}));
  EXPECT_EQ(Values<float>(x), Floats({1, 2, 3, 4})) << "others hold it";
}

TEST(TensorScatter, RefusesIndicesThatNameNothing) {
  const Tensor x = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
  const auto code = [&](Tensor indices, Tensor updates) {
    return CodeOfKernel("TensorScatterUpdate", {x, std::move(indices), std::move(updates)});
  };
  EXPECT_EQ(code(MakeTensor<int32_t>({1, 2}, {0, 2}), MakeVector<float>({5})), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeTensor<int32_t>({1, 2}, {0, -1}), MakeVector<float>({5})), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeVector<int32_t>({0}), MakeTensor<float>({1, 2}, {5, 6})), Code::kInvalidArgument)
      << "a vector of indices";
  EXPECT_EQ(code(MakeTensor<int32_t>({1, 1}, {0}), MakeVector<float>({5, 6})), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
