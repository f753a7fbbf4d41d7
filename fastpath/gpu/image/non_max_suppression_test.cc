#include <cmath>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

constexpr int32_t kMost = 20;

Question Asked(const Tensor& boxes, const Tensor& scores, float score_threshold, bool pads) {
  return {"NonMaxSuppressionV4",
          {boxes, scores, MakeTensor<int32_t>({}, {kMost}), MakeTensor<float>({}, {0.25F}),
           MakeTensor<float>({}, {score_threshold})},
          {{"T", DType::kFloat}, {"T_threshold", DType::kFloat}, {"pad_to_max_output_size", pads}},
          2};
}

TEST(GpuNonMaxSuppression, SelectsByFallingScore) {
  for (const int64_t boxes : {0, 3, 400, 2500}) {
    for (const bool pads : {false, true}) {
      ExpectSameOnBoth(Asked(Digits({boxes, 4}, 60), Digits({boxes}, 99), 40, pads));
    }
  }
}

// A box whose overlap is no number loses its score, and may come again behind others.
TEST(GpuNonMaxSuppression, BoxesOfNoNumbersWaitAgain) {
  const float nan = std::nanf("");
  const Tensor boxes = MakeTensor<float>({4, 4}, {0, 0, nan, 2, 0, 0, 1, 1, 5, 5, 6, 6, 5, 5, 6, 6.5F});
  for (const float threshold : {-10.0F, 0.0F}) {
    ExpectSameOnBoth(Asked(boxes, VectorOf<float>({3, 4, -1, -2}), threshold, false));
    ExpectSameOnBoth(Asked(boxes, VectorOf<float>({-2, 4, -1, 0}), threshold, false));
  }
}

}  // namespace
}  // namespace plumb::fast
