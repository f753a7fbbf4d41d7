#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

TEST(TensorScatter, KeepsTheGreaterOrTheLess) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = MakeTensor<float>({2, 2}, {1, 2, 3, 4}), rows = MakeTensor<int32_t>({2, 1}, {1, 1});
  const Tensor updates = MakeTensor<float>({2, 2}, {10, nan, 1, 7});
  EXPECT_EQ(Values<float>(RunKernel1("TensorScatterMax", {x, rows, updates})), Floats({1, 2, 10, 7}))
      << "what is not a number is not greater";
  EXPECT_EQ(Values<float>(RunKernel1("TensorScatterMin", {x, rows, updates})), Floats({1, 2, 1, 4}));
  const Tensor none = MakeVector<float>({nan}), first = MakeTensor<int32_t>({1, 1}, {0}),
               three = MakeVector<float>({3});
  EXPECT_TRUE(std::isnan(Values<float>(RunKernel1("TensorScatterMax", {none, first, three}))[0]));
  EXPECT_TRUE(std::isnan(Values<float>(RunKernel1("TensorScatterMin", {none, first, three}))[0]));
  EXPECT_EQ(CodeOfKernel("TensorScatterMax", {x, MakeTensor<int32_t>({1, 2}, {0, 2}), none}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("TensorScatterMin", {x, MakeVector<int32_t>({0}), MakeTensor<float>({1, 2}, {9, 9})}),
            Code::kInvalidArgument);
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

TEST(Slices, AreNamedBySevenCoordinatesAtMost) {  // T9
  const Tensor x = Zeros(DType::kFloat, Shape({1, 1, 1, 1, 1, 1, 1, 1})),
               shape = MakeVector<int32_t>({1, 1, 1, 1, 1, 1, 1, 1});
  for (const int64_t depth : {7, 8}) {
    const Code wanted = depth == 7 ? Code::kOk : Code::kInvalidArgument;
    const Tensor indices = Zeros(DType::kInt32, Shape({1, depth}));
    const Tensor updates = Zeros(DType::kFloat, depth == 7 ? Shape({1, 1}) : Shape({1}));
    EXPECT_EQ(CodeOfKernel("GatherNd", {x, indices}), wanted) << depth;
    EXPECT_EQ(CodeOfKernel("ScatterNd", {indices, updates, shape}), wanted) << depth;
    EXPECT_EQ(CodeOfKernel("TensorScatterUpdate", {x, indices, updates}), wanted) << depth;
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
