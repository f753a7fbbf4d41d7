#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

AttrMap Attrs(bool scaled) { return {{"variance_epsilon", 1.0F}, {"scale_after_normalization", scaled}}; }

// The variances 3 and 15 give the factors 1/2 and 1/4.
TEST(GlobalBatchNorm, NormalizesEachChannel) {
  const Tensor t = MakeTensor<float>({1, 1, 2, 2}, {3, 9, 5, 1}), m = MakeVector<float>({1, 1});
  const Tensor v = MakeVector<float>({3, 15}), beta = MakeVector<float>({10, 20}), gamma = MakeVector<float>({2, 3});
  EXPECT_EQ(Values<float>(RunKernel1("BatchNormWithGlobalNormalization", {t, m, v, beta, gamma}, Attrs(false))),
            Floats({11, 22, 12, 20}));
  EXPECT_EQ(Values<float>(RunKernel1("BatchNormWithGlobalNormalization", {t, m, v, beta, gamma}, Attrs(true))),
            Floats({12, 26, 14, 20}));
  EXPECT_EQ(CodeOfKernel("BatchNormWithGlobalNormalization", {t, MakeVector<float>({1}), v, beta, gamma}, Attrs(true)),
            Code::kInvalidArgument);
}

TEST(GlobalBatchNorm, HasAGradientByEachInput) {
  const Tensor t = MakeTensor<float>({1, 1, 2, 2}, {3, 9, 5, 1}), m = MakeVector<float>({1, 1});
  const Tensor v = MakeVector<float>({3, 15}), gamma = MakeVector<float>({2, 4});
  const Tensor dy = MakeTensor<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const auto grads = RunKernel("BatchNormWithGlobalNormalizationGrad", {t, m, v, gamma, dy}, Attrs(true));
  EXPECT_EQ(Values<float>(grads[0]), Floats({1, 2, 3, 4}));
  EXPECT_EQ(Values<float>(grads[1]), Floats({-4, -6}));
  EXPECT_EQ(Values<float>(grads[2]), Floats({-1.75F, -0.5F})) << "Σ dy (t − m) is 14 and 16; times −1/2 r³ γ";
  EXPECT_EQ(Values<float>(grads[3]), Floats({4, 6}));
  EXPECT_EQ(Values<float>(grads[4]), Floats({7, 4}));
}

}  // namespace
}  // namespace plumb::fast::cpu
