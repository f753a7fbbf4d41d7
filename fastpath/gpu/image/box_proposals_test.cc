#include <cmath>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Of two images with `rows` by four anchors each, which stay where they are: nothing is rounded.
Question Asked(int64_t rows, int32_t considered, float threshold = 0.25F) {
  Tensor scores = Digits({2, rows, 4, 1}, 40);
  if (rows > 0) scores.mutable_data<float>()[5] = std::nanf("");
  return {"GenerateBoundingBoxProposals",
          {scores, Zeros(DType::kFloat, {2, rows, 4, 4}), MakeTensor<float>({2, 5}, {40, 50, 1, 0, 0, 60, 30, 2, 0, 0}),
           Digits({rows, 4, 4}, 60), MakeScalar(threshold), MakeScalar(considered), MakeScalar(3.0F)},
          {{"post_nms_topn", int64_t{20}}},
          2};
}

TEST(GpuBoxProposals, AreTheBestOfEachImageThatDoNotOverlap) {
  for (const int64_t rows : {0, 3, 100, 600}) {
    for (const int32_t considered : {1, 50, 5000}) ExpectSameOnBoth(Asked(rows, considered));
  }
}

TEST(GpuBoxProposals, AreRefusedAsOnTheCpu) {
  EXPECT_EQ(StatusOf(Asked(3, 5)).ToString(), "OK");
  EXPECT_EQ(StatusOf(Asked(3, 0)).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf(Asked(3, 5, 1.5F)).code(), Code::kInvalidArgument);
  Question question = Asked(3, 5);
  question.inputs[3] = Digits({3, 4, 8}, 60);
  EXPECT_EQ(StatusOf(question).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
