#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

// What TensorFlow 2.12 draws for these seeds: rates of both methods.
TEST(Poisson, DrawsTensorFlowsNumbersUnderBothNames) {
  const std::vector<float> expected = {1, 24, 2, 14, 1, 15, 0, 12};
  const std::vector<Tensor> inputs = {MakeVector<int32_t>({4}), MakeVector<float>({1.5, 20})};
  const AttrMap older = {{"seed", 7}, {"seed2", 3}, {"dtype", DType::kFloat}};
  EXPECT_EQ(Values<float>(RunKernel1("RandomPoisson", {inputs[0], inputs[1]}, older)), expected);
  AttrMap newer = older;
  newer["R"] = DType::kFloat;
  EXPECT_EQ(Values<float>(RunKernel1("RandomPoissonV2", {inputs[0], inputs[1]}, newer)), expected);
}

}  // namespace
}  // namespace plumb::fast::cpu
