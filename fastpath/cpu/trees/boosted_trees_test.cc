#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;

std::vector<Tensor> Splits(float l1, float least, int32_t end = 2) {
  return RunKernel(
      "BoostedTreesCalculateBestGainsPerFeature",
      {MakeVector<int32_t>({0, end}), MakeTensor<float>({2, 3, 2}, {-3, 1, 1, 1, 2, 1, 1, 0.5, 0, 0, 1, 0.5}),
       MakeScalar<float>(l1), MakeScalar<float>(1), MakeScalar<float>(0.25), MakeScalar<float>(least)},
      {{"max_splits", int64_t{4}}});
}

// Node 0: -3 to the left gains 9/2, 3 to the right 9/3; together they have 0. Node 1: halves gain 2/3 each, but all of
// it in the left child 4/2, as much as its parent.
TEST(BoostedTreesCalculateBestGainsPerFeature, FindsTheBestBucket) {
  const std::vector<Tensor> splits = Splits(0, 0);
  EXPECT_THAT(Values<int32_t>(splits[0]), ElementsAre(0, 1));
  EXPECT_THAT(Values<float>(splits[1]), ElementsAre(7.25F, -0.25F));
  EXPECT_THAT(Values<int32_t>(splits[2]), ElementsAre(0, 2));
  EXPECT_THAT(Values<float>(splits[3]), ElementsAre(1.5F, -1));
  EXPECT_THAT(Values<float>(splits[4]), ElementsAre(-1, 0));
}

// Gradients of magnitude 1 are lost, others nearer to 0 by 1; the second node weighs too little.
TEST(BoostedTreesCalculateBestGainsPerFeature, ObeysItsPenalties) {
  const std::vector<Tensor> splits = Splits(1, 2);
  EXPECT_THAT(Values<int32_t>(splits[0]), ElementsAre(0));
  EXPECT_THAT(Values<float>(splits[1]), ElementsAre(testing::FloatEq(2 + 4 / 3.0F - 0.25F)));
  EXPECT_THAT(Values<float>(splits[3]), ElementsAre(1));
}

TEST(BoostedTreesCalculateBestGainsPerFeature, RefusesNodesThatAreNotThere) { EXPECT_THROW(Splits(0, 0, 3), Error); }

TEST(BoostedTreesCalculateBestGainsPerFeature, RefusesSummariesWithoutBuckets) {
  const auto code = [](int32_t end) {
    return CodeOfKernel("BoostedTreesCalculateBestGainsPerFeature",
                        {MakeVector<int32_t>({0, end}), Zeros(DType::kFloat, {2, 0, 2}), MakeScalar<float>(0),
                         MakeScalar<float>(1), MakeScalar<float>(0), MakeScalar<float>(0)},
                        {{"max_splits", int64_t{1}}});
  };
  EXPECT_EQ(code(2), Code::kInvalidArgument);
  EXPECT_EQ(code(0), Code::kOk) << "no node asks for one";
}

TEST(BoostedTrees, NoHandleLeadsToThem) {
  const Tensor handle(DType::kResource, {});
  EXPECT_EQ(CodeOfKernel("BoostedTreesCreateEnsemble", {handle, MakeScalar<int64_t>(0), MakeScalar<std::string>("")}),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("BoostedTreesCreateQuantileStreamResource",
                         {handle, MakeScalar<float>(0.1F), MakeScalar<int64_t>(1)}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
