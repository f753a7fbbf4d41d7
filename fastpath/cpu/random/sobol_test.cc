#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;

std::vector<Tensor> Inputs(int32_t dim, int32_t count, int32_t skip) {
  return {MakeScalar<int32_t>(dim), MakeScalar<int32_t>(count), MakeScalar<int32_t>(skip)};
}

TEST(SobolSample, LeavesOutTheOrigin) {
  EXPECT_THAT(Values<float>(RunKernel1("SobolSample", Inputs(3, 3, 0))),
              ElementsAre(0.5F, 0.5F, 0.5F, 0.75F, 0.25F, 0.25F, 0.25F, 0.75F, 0.75F));
  EXPECT_THAT(Values<float>(RunKernel1("SobolSample", Inputs(3, 2, 7))),
              ElementsAre(0.1875F, 0.3125F, 0.9375F, 0.6875F, 0.8125F, 0.4375F));
}

// What TensorFlow 2.12.1 answers.
TEST(SobolSample, ReachesFarPoints) {
  const Tensor points = RunKernel1("SobolSample", Inputs(3, 1, 1 << 29), {{"dtype", DType::kDouble}});
  EXPECT_THAT(Values<double>(points), ElementsAre(0.5000000027939677, 0.7666666666045785, 0.20313960034400225));
}

TEST(SobolSample, RefusesWhatIsNoPoint) {
  for (const auto& inputs : {Inputs(0, 1, 0), Inputs(1112, 1, 0), Inputs(2, 0, 0), Inputs(2, 1, -1),
                             Inputs(2, 5, std::numeric_limits<int32_t>::max() - 5)}) {
    EXPECT_EQ(CodeOfKernel("SobolSample", inputs), Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
