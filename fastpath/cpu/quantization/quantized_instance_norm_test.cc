#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatEq;

Tensor Codes(const Shape& shape, std::initializer_list<uint8_t> codes) {
  Tensor tensor(DType::kQuint8, shape);
  std::copy(codes.begin(), codes.end(), static_cast<uint8_t*>(tensor.mutable_raw()));
  return tensor;
}
std::vector<int> Numbers(const Tensor& codes) {
  const auto* const first = static_cast<const uint8_t*>(codes.raw());
  return {first, first + codes.elements()};
}
std::vector<Tensor> Normalized(const Tensor& images, float min, float max, AttrMap attrs = {}) {
  return RunKernel("QuantizedInstanceNorm", {images, MakeScalar<float>(min), MakeScalar<float>(max)}, std::move(attrs));
}

// Steps of 1: the first channel has the mean 2 and the variance 4, the second one 8 and 1.
TEST(QuantizedInstanceNorm, NormalizesEachChannelOfEachImage) {
  const auto y = Normalized(Codes({1, 2, 1, 2}, {0, 7, 4, 9}), 0, 255, {{"variance_epsilon", 0.0F}});
  EXPECT_THAT(y[1].scalar<float>(), FloatEq(-1));
  EXPECT_THAT(y[2].scalar<float>(), FloatEq(1));
  EXPECT_THAT(Numbers(y[0]), ElementsAre(0, 0, 255, 255));
}

TEST(QuantizedInstanceNorm, TakesTheRangeThatIsGiven) {
  const auto y = Normalized(
      Codes({1, 2, 1, 1}, {0, 4}), 0, 255,
      {{"variance_epsilon", 0.0F}, {"output_range_given", true}, {"given_y_min", -2.0F}, {"given_y_max", 0.5F}});
  EXPECT_THAT(Numbers(y[0]), ElementsAre(102, 255));
  EXPECT_EQ(y[1].scalar<float>(), -2);
  EXPECT_EQ(y[2].scalar<float>(), 0.5F);
}

TEST(QuantizedInstanceNorm, WidensANarrowRange) {
  const auto y = Normalized(Codes({1, 1, 2, 1}, {9, 9}), -1, 2);
  EXPECT_THAT(Numbers(y[0]), Each(0));
  EXPECT_EQ(y[1].scalar<float>(), 0);
  EXPECT_EQ(y[2].scalar<float>(), 0.001F);
}

TEST(QuantizedInstanceNorm, RefusesRangesThatAreNone) {
  const Tensor images = Codes({1, 1, 1, 1}, {9});
  const auto code = [&](const Tensor& x, float min, float max, AttrMap attrs) {
    return CodeOfKernel("QuantizedInstanceNorm", {x, MakeScalar<float>(min), MakeScalar<float>(max)}, attrs);
  };
  EXPECT_EQ(code(images, 2, 2, {}), Code::kInvalidArgument);
  EXPECT_EQ(code(images, NAN, 2, {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Codes({1}, {9}), 1, 2, {}), Code::kInvalidArgument);
  EXPECT_EQ(code(images, 1, 2, {{"output_range_given", true}, {"given_y_min", 1.0F}, {"given_y_max", 1.0F}}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
