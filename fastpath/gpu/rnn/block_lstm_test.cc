#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Three steps of one cell and two inputs for a batch of two.
Question Asked(int64_t steps, float weight) {
  const auto filled = [](const Shape& shape, float value) {
    Tensor x(DType::kFloat, shape);
    for (float& element : x.mutable_data<float>()) element = value;
    return x;
  };
  const Tensor peephole = filled({1}, 0);
  return {"BlockLSTM",
          {MakeTensor<int64_t>({}, {steps}), Digits({3, 2, 2}), Digits({2, 1}), Digits({2, 1}), filled({3, 4}, weight),
           peephole, peephole, peephole, filled({4}, 0)},
          {{"T", DType::kFloat}, {"forget_bias", 0.0F}, {"cell_clip", 0.0F}, {"use_peephole", false}},
          4};
}

// Gates without weights are one half: the state is halved step by step, and zero behind the last one.
TEST(GpuBlockLstm, ComputesAsManyStepsAsTheHostKnows) {
  for (const int64_t steps : {0, 2, 3}) ExpectSameOnBoth(Asked(steps, 0));
}

TEST(GpuBlockLstm, RefusesMoreStepsThanThereAre) {
  EXPECT_EQ(StatusOf(Asked(4, 0)).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf(Asked(-1, 0)).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
