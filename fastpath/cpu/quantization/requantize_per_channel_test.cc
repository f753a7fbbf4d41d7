#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

// A range of 32-bit codes is [-1, 1] for the first channel of the images below.
constexpr int32_t kHalf = 1 << 30, kOf255 = std::numeric_limits<int32_t>::max() / 255;

std::vector<Tensor> Inputs(float second_min, float min, float max) {
  Tensor images(DType::kQint32, {1, 3, 1, 2});
  const int32_t codes[] = {
      kOf255 + 1, 2 * kOf255 + 2,  std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min(),
      kHalf,      3 * (kOf255 / 2)};
  std::copy(std::begin(codes), std::end(codes), static_cast<int32_t*>(images.mutable_raw()));
  return {images, MakeVector<float>({-1, second_min}), MakeVector<float>({1, 1}), MakeScalar<float>(min),
          MakeScalar<float>(max)};
}

template <class T>
std::vector<int> CodesOf(const Tensor& tensor) {
  std::vector<int> codes;
  for (const T& code : tensor.data<T>()) codes.push_back(code.value);
  return codes;
}

// What TensorFlow 2.12.1 answers: halves go to the even code.
TEST(RequantizePerChannel, StretchesEachChannel) {
  EXPECT_EQ(CodesOf<Quint8>(RunKernel1("RequantizePerChannel", Inputs(-1, 0, 1))),
            std::vector<int>({1, 2, 255, 0, 128, 1}));
  const AttrMap attrs = {{"out_type", DType::kQint8}};
  EXPECT_EQ(CodesOf<Qint8>(RunKernel1("RequantizePerChannel", Inputs(-1, -1, 1), attrs)),
            std::vector<int>({0, 1, 127, -127, 64, 1}));
  EXPECT_EQ(CodesOf<Qint8>(RunKernel1("RequantizePerChannel", Inputs(-2, -1, 1), attrs)),
            std::vector<int>({0, 2, 127, -128, 64, 1}));
  EXPECT_EQ(CodesOf<Quint8>(RunKernel1("RequantizePerChannel", Inputs(-2, 0, 3))),
            std::vector<int>({0, 1, 85, 0, 42, 1}));
}

// One channel whose range is wanted: 1 of 2^31 - 1 is nothing, all of it is everything.
TEST(RequantizePerChannel, KeepsTheEndsOfTheRange) {
  Tensor images(DType::kQint32, {1, 1, 2, 1});
  const int32_t codes[] = {1, std::numeric_limits<int32_t>::max()};
  std::copy(std::begin(codes), std::end(codes), static_cast<int32_t*>(images.mutable_raw()));
  const Tensor low = MakeVector<float>({-1}), high = MakeVector<float>({1});
  EXPECT_EQ(CodesOf<Quint8>(
                RunKernel1("RequantizePerChannel", {images, low, high, MakeScalar<float>(0), MakeScalar<float>(1)})),
            std::vector<int>({0, 255}));
}

TEST(RequantizePerChannel, RefusesRangesWithoutChannels) {
  std::vector<Tensor> inputs = Inputs(-1, 0, 1);
  EXPECT_EQ(CodeOfKernel("RequantizePerChannel", inputs, {{"out_type", DType::kQint8}}), Code::kInvalidArgument);
  inputs[1] = inputs[2] = MakeVector<float>({1, 1, 1});
  EXPECT_EQ(CodeOfKernel("RequantizePerChannel", inputs), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
