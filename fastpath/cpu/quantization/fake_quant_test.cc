#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

AttrMap Attrs(int64_t bits, bool narrow = false) { return {{"num_bits", bits}, {"narrow_range", narrow}}; }

// Two bits make the places −1, 0, 1 and 2 out of the range [−1, 2].
TEST(FakeQuant, RoundsToPlacesOfTheRange) {
  const Tensor x = MakeVector<float>({-3, -0.6F, 0.4F, 1.5F, 7});
  const Tensor min = MakeScalar<float>(-1), max = MakeScalar<float>(2);
  EXPECT_EQ(Values<float>(RunKernel1("FakeQuantWithMinMaxVars", {x, min, max}, Attrs(2))), Floats({-1, -1, 0, 2, 2}));
  const Tensor zero = MakeScalar<float>(0);
  EXPECT_EQ(Values<float>(RunKernel1("FakeQuantWithMinMaxVars", {x, zero, zero}, Attrs(2))), Floats(5, 0));
  EXPECT_EQ(CodeOfKernel("FakeQuantWithMinMaxVars", {x, min, max}, Attrs(1)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("FakeQuantWithMinMaxVars", {x, x, max}, Attrs(2)), Code::kInvalidArgument);
}

TEST(FakeQuant, GradientsGoToTheInputOrToTheEnds) {
  const Tensor x = MakeVector<float>({-3, -0.6F, 0.4F, 1.5F, 7}), dy = MakeVector<float>({1, 2, 3, 4, 5});
  const Tensor min = MakeScalar<float>(-1), max = MakeScalar<float>(2);
  const auto grads = RunKernel("FakeQuantWithMinMaxVarsGradient", {dy, x, min, max}, Attrs(2));
  EXPECT_EQ(Values<float>(grads[0]), Floats({0, 2, 3, 4, 0}));
  EXPECT_EQ(Values<float>(grads[1]), Floats({1}));
  EXPECT_EQ(Values<float>(grads[2]), Floats({5}));
}

TEST(FakeQuant, ChannelsHaveRangesOfTheirOwn) {
  const Tensor x = MakeTensor<float>({2, 2}, {0.4F, 5, 1.6F, -5}), dy = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
  const Tensor min = MakeVector<float>({-1, 0}), max = MakeVector<float>({2, 3});
  EXPECT_EQ(Values<float>(RunKernel1("FakeQuantWithMinMaxVarsPerChannel", {x, min, max}, Attrs(2))),
            Floats({0, 3, 2, 0}));
  const auto grads = RunKernel("FakeQuantWithMinMaxVarsPerChannelGradient", {dy, x, min, max}, Attrs(2));
  EXPECT_EQ(Values<float>(grads[0]), Floats({1, 0, 3, 0}));
  EXPECT_EQ(Values<float>(grads[1]), Floats({0, 4}));
  EXPECT_EQ(Values<float>(grads[2]), Floats({0, 2}));
  EXPECT_EQ(CodeOfKernel("FakeQuantWithMinMaxVarsPerChannel", {x, MakeScalar<float>(0), max}, Attrs(2)),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
