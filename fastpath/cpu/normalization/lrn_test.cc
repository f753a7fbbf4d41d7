#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
AttrMap LrnAttrs(double beta) { return {{"depth_radius", 1}, {"bias", 1.0}, {"alpha", 0.5}, {"beta", beta}}; }

TEST(Lrn, DividesByAPowerOfTheNeighbourhood) {
  const Tensor x = MakeTensor<float>({1, 1, 1, 3}, {1, 2, 1});  // norms 3.5, 4, 3.5
  EXPECT_EQ(Values<float>(RunKernel1("LRN", {x}, LrnAttrs(1)))[1], 0.5f);
  EXPECT_EQ(Values<float>(RunKernel1("LRN", {x}, LrnAttrs(0.5)))[1], 1.0f);
  EXPECT_EQ(Values<float>(RunKernel1("LRN", {x}, LrnAttrs(2)))[1], 0.125f);
  const Tensor pair = MakeTensor<float>({1, 1, 1, 2}, {1, std::sqrt(29.0f)});  // norm 16 up to rounding
  EXPECT_EQ(Values<float>(RunKernel1("LRN", {pair}, LrnAttrs(0.75)))[0], 0.125f);
}

// A square that float16 does not have reaches the channel that is not beside it, as in TensorFlow 2.12.1.
TEST(Lrn, SquaresOverflowAsTheirTypeDoes) {
  const auto last = [](float first) {
    const Tensor x = MakeTensor<Half>({1, 1, 1, 3}, {Half(first), Half(0), Half(1)});
    return static_cast<float>(Values<Half>(RunKernel1("LRN", {x}, LrnAttrs(1)))[2]);
  };
  EXPECT_TRUE(std::isnan(last(256)));
  EXPECT_EQ(last(255.875F), static_cast<float>(Half(1 / 1.5F)));
}

TEST(LrnGrad, FollowsTheNeighbours) {
  // beta = 1: dx[k] = dy[k]/n[k] − x[k]·Σ dy[j]·y[j]/n[j] with alpha = 1/2, here for x = (1, 2, 1), dy = (0, 16, 0).
  const Tensor x = MakeTensor<float>({1, 1, 1, 3}, {1, 2, 1}), dy = MakeTensor<float>({1, 1, 1, 3}, {0, 16, 0});
  const Tensor y = RunKernel1("LRN", {x}, LrnAttrs(1));
  EXPECT_EQ(Values<float>(RunKernel1("LRNGrad", {dy, x, y}, LrnAttrs(1))), Floats({-2, 4 - 2 * 2, -2}));
}

TEST(Lrn, RefusesWhatDoesNotFit) {
  const Tensor x = Zeros(DType::kFloat, {1, 1, 1, 3});
  EXPECT_EQ(CodeOfKernel("LRN", {Zeros(DType::kFloat, {3})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("LRN", {x}, {{"depth_radius", -1}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("LRN", {x}, {{"depth_radius", int64_t{1} << 60}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("LRNGrad", {x, x, Zeros(DType::kFloat, {1, 1, 3, 1})}), Code::kInvalidArgument);
}

// Ones and zeros, whose squares add up exactly: 1 / (1 + how many ones are near).
TEST(Lrn, OfEveryDepthSeesTheNeighboursThatThereAre) {
  for (int64_t depth = 1; depth <= 35; ++depth) {
    Tensor x(DType::kFloat, {1, 2, 1, depth});
    for (int64_t i = 0; i < x.elements(); ++i) x.mutable_data<float>()[i] = i % 3 == 1 ? 0.0f : 1.0f;
    for (const int64_t radius : {int64_t{0}, int64_t{1}, int64_t{5}, depth - 1, depth, depth + 3}) {
      const AttrMap attrs = {{"depth_radius", radius}, {"bias", 1.0}, {"alpha", 1.0}, {"beta", 1.0}};
      const Tensor y = RunKernel1("LRN", {x}, attrs);
      for (int64_t i = 0; i < x.elements(); ++i) {
        const int64_t pixel = i / depth * depth;
        float norm = 1;
        for (int64_t j = std::max(pixel, i - radius); j <= std::min(pixel + depth - 1, i + radius); ++j) {
          norm += x.data<float>()[static_cast<size_t>(j)];
        }
        ASSERT_EQ(y.data<float>()[static_cast<size_t>(i)], x.data<float>()[static_cast<size_t>(i)] * (1 / norm))
            << depth << " channels, radius " << radius;
      }
    }
  }
}

// A product with ones and zeros sums the squares: what is infinite, or becomes so, makes the sums beside it no number.
TEST(Lrn, ASquareThatIsNotFiniteReachesEveryChannel) {
  const AttrMap attrs = {{"depth_radius", int64_t{1}}, {"bias", 1.0}, {"alpha", 1.0}, {"beta", 1.0}};
  for (const float large : {1e30F, INFINITY}) {
    const Tensor y = RunKernel1("LRN", {MakeTensor<float>({2, 1, 1, 4}, {large, 1, 1, 1, 1, 0, 0, 0})}, attrs);
    const auto to = y.data<float>();
    EXPECT_EQ(to[1], 0);
    EXPECT_TRUE(std::isnan(to[2]) && std::isnan(to[3])) << large;
    EXPECT_EQ(to[4], 0.5F);
    EXPECT_EQ(to[7], 0);
  }
}

TEST(Lrn, ASquareThatIsNotFiniteReachesEveryChannelOfMany) {
  const AttrMap attrs = {{"depth_radius", int64_t{1}}, {"bias", 1.0}, {"alpha", 1.0}, {"beta", 1.0}};
  for (const int64_t depth : {3, 17, 40}) {
    for (int64_t place = 0; place < depth; ++place) {
      Tensor x = Zeros(DType::kFloat, {1, 1, 1, depth});
      x.mutable_data<float>()[static_cast<size_t>(place)] = INFINITY;
      const Tensor y = RunKernel1("LRN", {x}, attrs);
      for (int64_t i = 0; i < depth; ++i) {
        const bool is_neighbour = i == place - 1 || i == place + 1;  // zero, divided by what is infinite
        const float to = y.data<float>()[static_cast<size_t>(i)];
        ASSERT_TRUE(is_neighbour ? to == 0 : std::isnan(to)) << i << " of " << depth << " beside " << place;
      }
    }
  }
}

TEST(LrnGrad, AGradientOfZeroAddsNothing) {
  const Tensor dy = MakeTensor<float>({1, 1, 1, 2}, {0, 1}), x = MakeTensor<float>({1, 1, 1, 2}, {1, 2});
  const Tensor y = MakeTensor<float>({1, 1, 1, 2}, {-INFINITY, 1});
  const AttrMap attrs = {{"depth_radius", int64_t{1}}, {"bias", 1.0}, {"alpha", 1.0}, {"beta", 1.0}};
  const Tensor dx = RunKernel1("LRNGrad", {dy, x, y}, attrs);
  for (const float number : dx.data<float>()) EXPECT_TRUE(std::isfinite(number));
}

}  // namespace
}  // namespace plumb::fast::cpu
