#include <gmock/gmock.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

// One image of 20 by 30 with a row of anchors.
std::vector<Tensor> Inputs(std::initializer_list<float> scores, std::initializer_list<float> deltas,
                           std::initializer_list<float> anchors, int32_t considered = 10, float min_size = 1) {
  const auto n = static_cast<int64_t>(scores.size());
  return {MakeTensor<float>({1, 1, n, 1}, scores),
          MakeTensor<float>({1, 1, n, 4}, deltas),
          MakeTensor<float>({1, 5}, {20, 30, 2, 0, 0}),
          MakeTensor<float>({1, n, 4}, anchors),
          MakeScalar<float>(0.5),
          MakeScalar<int32_t>(considered),
          MakeScalar<float>(min_size)};
}
const AttrMap kThree = {{"post_nms_topn", int64_t{3}}};

// A quarter of its height down, half of its width to the right, and twice as wide: cut at the edge of the image.
TEST(GenerateBoundingBoxProposals, MovesAndCutsAnchors) {
  const auto outputs =
      RunKernel("GenerateBoundingBoxProposals", Inputs({0.5}, {0.25, 0.5, 0, std::log(2.0F)}, {4, 10, 12, 22}), kThree);
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(6, FloatEq(10), 14, 30, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Values<float>(outputs[1]), ElementsAre(0.5F, 0, 0));
}

// The best anchor is lower than 1 · 2. With the second one the first shares 80 of 100 pixels, the third 50 of 150.
TEST(GenerateBoundingBoxProposals, KeepsTheBestThatDoNotOverlap) {
  const auto run = [](int32_t considered) {
    return Values<float>(RunKernel("GenerateBoundingBoxProposals",
                                   Inputs({0.5, 0.75, 0.25, 1}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                                          {0, 0, 10, 8, 0, 0, 10, 10, 0, 5, 10, 15, 0, 0, 1, 9}, considered),
                                   kThree)[1]);
  };
  EXPECT_THAT(run(10), ElementsAre(0.75F, 0.25F, 0));
  EXPECT_THAT(run(3), ElementsAre(0.75F, 0, 0));
}

TEST(GenerateBoundingBoxProposals, RefusesWhatDoesNotFit) {
  const auto code = [](std::vector<Tensor> inputs) {
    return CodeOfKernel("GenerateBoundingBoxProposals", std::move(inputs), kThree);
  };
  std::vector<Tensor> inputs = Inputs({1}, {0, 0, 0, 0}, {0, 0, 1, 1});
  EXPECT_EQ(code(inputs), Code::kOk);
  inputs[4] = MakeScalar<float>(NAN);
  EXPECT_EQ(code(inputs), Code::kInvalidArgument);
  EXPECT_EQ(code(Inputs({1}, {0, 0, 0, 0}, {0, 0, 1, 1}, 0)), Code::kInvalidArgument);
  inputs = Inputs({1}, {0, 0, 0, 0}, {0, 0, 1, 1});
  inputs[2] = Zeros(DType::kFloat, {1, 4});
  EXPECT_EQ(code(inputs), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
