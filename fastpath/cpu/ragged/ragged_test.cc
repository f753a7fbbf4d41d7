#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;

TEST(RaggedRange, GivesARowForEachStartAndLimit) {
  const auto rows = RunKernel(
      "RaggedRange", {MakeVector<int32_t>({0, 5, 8}), MakeVector<int32_t>({3, 5, 3}), MakeVector<int32_t>({1, 1, -2})});
  EXPECT_THAT(Values<int64_t>(rows[0]), ElementsAre(0, 3, 3, 6));
  EXPECT_THAT(Values<int32_t>(rows[1]), ElementsAre(0, 1, 2, 8, 6, 4));
}

TEST(RaggedRange, RefusesStepsOfZeroAndRowsThatSplitsCannotCount) {
  EXPECT_EQ(CodeOfKernel("RaggedRange", {MakeScalar<int32_t>(0), MakeScalar<int32_t>(3), MakeScalar<int32_t>(0)}),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("RaggedRange",
                         {MakeScalar<int64_t>(0), MakeScalar<int64_t>(int64_t{1} << 40), MakeScalar<int64_t>(1)},
                         {{"Tsplits", DType::kInt32}}),
            Code::kInvalidArgument);
}

TEST(RaggedGather, TakesRowsInTheShapeOfTheIndices) {
  const auto taken = RunKernel(
      "RaggedGather",
      {MakeVector<int64_t>({0, 2, 2, 5}), MakeVector<float>({1, 2, 3, 4, 5}), MakeTensor<int32_t>({2, 1}, {2, 0})},
      {{"PARAMS_RAGGED_RANK", int64_t{1}}, {"OUTPUT_RAGGED_RANK", int64_t{2}}});
  EXPECT_THAT(Values<int64_t>(taken[0]), ElementsAre(0, 1, 2));
  EXPECT_THAT(Values<int64_t>(taken[1]), ElementsAre(0, 3, 5));
  EXPECT_THAT(Values<float>(taken[2]), ElementsAre(3, 4, 5, 1, 2));
}

}  // namespace
}  // namespace plumb::fast::cpu
