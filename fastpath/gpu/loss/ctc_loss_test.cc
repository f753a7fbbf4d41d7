#include <cmath>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// As many labels as times, none like the one before it: there is one way to spell them, and each of its classes is one
// of four that are equally probable. The gradient is the probability, less 1 where a class is taken.
TEST(GpuCtcLoss, FindsTheOneWayThroughManyStates) {
  constexpr int64_t kTimes = 20, kClasses = 4;
  Tensor indices(DType::kInt64, Shape({kTimes, 2})), labels(DType::kInt32, Shape({kTimes}));
  for (int64_t t = 0; t < kTimes; ++t) {
    indices.mutable_data<int64_t>()[static_cast<size_t>(2 * t)] = 0;
    indices.mutable_data<int64_t>()[static_cast<size_t>(2 * t + 1)] = t;
    labels.mutable_data<int32_t>()[static_cast<size_t>(t)] = static_cast<int32_t>(1 + t % 3);
  }
  const Tensor inputs = Digits({kTimes, 1, kClasses}, 0);
  const std::vector<Tensor> got =
      AnswersTo({"CTCLossV2", {inputs, indices, labels, VectorOf<int32_t>({kTimes})}, {}, 2}, true);
  EXPECT_FLOAT_EQ(got[0].data<float>()[0], kTimes * std::log(4.0F));
  for (int64_t at = 0; at < kTimes * kClasses; ++at) {
    const bool is_taken = at % kClasses == 1 + at / kClasses % 3;
    EXPECT_EQ(got[1].data<float>()[static_cast<size_t>(at)], is_taken ? -0.75F : 0.25F) << at;
  }
}

}  // namespace
}  // namespace plumb::fast
