#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(Unique, KeepsTheOrderOfFirstOccurrence) {
  const auto found = RunKernel("Unique", {Vector({5, 3, 5, 9, 3})});
  EXPECT_EQ(Ints(found[0]), (I{5, 3, 9}));
  EXPECT_EQ(Ints(found[1]), (I{0, 1, 0, 2, 1}));
  const auto zeros = RunKernel("Unique", {MakeVector<float>({0.0f, -0.0f})});
  EXPECT_EQ(zeros[0].elements(), 1);
  const auto halves = RunKernel("Unique", {MakeVector<Half>({Half(0.0f), Half(-0.0f), Half(0.0f)})});
  EXPECT_EQ(Ints(halves[1]), (I{0, 1, 0})) << "zeros of sixteen bits have signs";
  EXPECT_EQ(CodeOfKernel("Unique", {Iota({2, 2})}), Code::kInvalidArgument);
}

TEST(Unique, FindsSlicesAlongAnAxis) {
  const Tensor x = MakeTensor<int32_t>({3, 2}, {1, 0, 1, 0, 2, 0});
  const auto rows = RunKernel("UniqueWithCountsV2", {x, MakeVector<int64_t>({0})});
  EXPECT_EQ(rows[0].shape(), Shape({2, 2}));
  EXPECT_EQ(Ints(rows[0]), (I{1, 0, 2, 0}));
  EXPECT_EQ(Ints(rows[1]), (I{0, 0, 1}));
  EXPECT_EQ(Ints(rows[2]), (I{2, 1}));
  const auto nans = RunKernel("UniqueV2", {MakeTensor<float>({2, 2}, {1, NAN, 1, NAN}), MakeVector<int32_t>({-2})});
  EXPECT_EQ(nans[0].shape(), Shape({2, 2})) << "NaN equals nothing";
  EXPECT_EQ(RunKernel("UniqueV2", {Iota({3, 0}), MakeVector<int32_t>({0})})[0].shape(), Shape({1, 0}));
  EXPECT_EQ(CodeOfKernel("UniqueV2", {x, MakeVector<int64_t>({2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("UniqueV2", {x, MakeVector<int64_t>({})}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
