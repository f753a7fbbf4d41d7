#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_harness.h"

namespace plumb::fast::cpu {
namespace {

AttrMap Seeds(int64_t seed, int64_t seed2, DType dtype = DType::kFloat) {
  return {{"seed", seed}, {"seed2", seed2}, {"dtype", dtype}};
}

std::vector<Entry> Shaped(std::initializer_list<int32_t> dims) { return {In(MakeVector<int32_t>(dims))}; }

TEST(TruncatedNormal, StaysWithinTwoStandardDeviations) {
  KernelHarness harness;
  const Tensor values = harness.Value("TruncatedNormal", Shaped({1001}), Seeds(1, 2));
  for (const float value : values.data<float>()) EXPECT_LT(std::abs(value), 2);
}

}  // namespace
}  // namespace plumb::fast::cpu
