#include <gmock/gmock.h>

#include <cmath>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Activation, ReluPropagatesNan) {
  const auto y = Floats(KernelCall{"Relu", {Vector({-1, 0, 2, NAN})}}());
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[2], 2);
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_THAT(Floats(KernelCall{"ReluGrad", {Vector({5, 5, 5}), Vector({-1, 0, 2})}}()), ElementsAre(0, 0, 5));
}

// N20: the gradient times 1 or 0, in one shape.
TEST(Activation, ReluGradIsAProduct) {
  const auto dx = Floats(KernelCall{"ReluGrad", {Vector({INFINITY, NAN, INFINITY}), Vector({-1, -1, 1})}}());
  EXPECT_TRUE(std::isnan(dx[0]));
  EXPECT_TRUE(std::isnan(dx[1]));
  EXPECT_EQ(dx[2], INFINITY);
  for (const char* op : {"ReluGrad", "Relu6Grad"}) {
    const auto zeros = Floats(KernelCall{op, {Vector({-5, 5}), Vector({-1, -1})}}());
    EXPECT_TRUE(std::signbit(zeros[0]) && !std::signbit(zeros[1])) << op;
  }
  const Value row = MakeTensor<float>({1, 2}, {1, 1});
  EXPECT_EQ((KernelCall{"ReluGrad", {Vector({1, 1}), row}}.Fails()), Code::kInvalidArgument);
}

// From alpha times a number to all of another one.
TEST(Activation, ALeakyUnitThatMayFlipIsBoundedByBothSides) {
  constexpr double kBound = 0.4;
  const Tensor x = MakeVector<double>({-0.1, 0, 0.1});
  const Value y = KernelCall{"LeakyRelu", {WithBound(x, {kBound, kBound, kBound})}, {{"alpha", 0.25F}}}();
  const auto leaked = [](double t) { return t > 0 ? t : 0.25 * t; };
  for (int i = 0; i < 3; ++i) {
    const double at = x.data<double>()[i], highest = leaked(at + kBound), lowest = leaked(at - kBound);
    EXPECT_GE(Bounds(y)[i], std::max(highest - leaked(at), leaked(at) - lowest)) << at;
  }
}

TEST(Activation, AGradientThatMayFlipIsBoundedByItsSize) {
  const Value dy = KernelCall{"ReluGrad", {Vector({5}), WithBound(Vector({0.1f}), {0.2})}}();
  EXPECT_GE(Bounds(dy)[0], 5);
}

// What the whole interval of an argument may become: nothing beyond 0 and 6.
TEST(Activation, Relu6CutsNumbersAndTheirBounds) {
  const Value y = KernelCall{"Relu6",
                             {WithBound(Vector({-2, -0.25F, 0.25F, 3, 5.75F, 6.25F, 6.5F, 9}),
                                        {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, INFINITY})}}();
  EXPECT_THAT(Floats(y), ElementsAre(0, 0, 0.25F, 3, 5.75F, 6, 6, 6));
  EXPECT_EQ(Bounds(y), StoredBounds(y, {0, 0.25, 0.5, 0.5, 0.5, 0.25, 0, INFINITY}));
  const Value plain = KernelCall{"Relu6", {Vector({-1, 6.5F, 7, NAN})}}();
  EXPECT_THAT(Floats(plain), ElementsAre(0, 6, 6, testing::IsNan()));
  EXPECT_THAT(Bounds(plain), testing::Each(0)) << "what is beyond a limit is known exactly";
  const Value slopes = KernelCall{"Relu6", {WithTangent(Vector({-1, 0, 3, 6, 7}), {1, 1, 1, 1, 1})}}();
  EXPECT_THAT(Tangents(slopes), ElementsAre(0, 0, 1, 0, 0));
}

TEST(Activation, AGradientOfRelu6MayFlipAtEitherLimit) {
  const Value x = WithBound(Vector({-1, 0.1F, 3, 5.9F, 6.1F, 7}), {0.2, 0.2, 0.2, 0.2, 0.2, 0.2});
  const Value dx = KernelCall{"Relu6Grad", {Vector({5, 5, 5, 5, 5, 5}), x}}();
  EXPECT_THAT(Floats(dx), ElementsAre(0, 5, 5, 5, 0, 0));
  EXPECT_EQ(Bounds(dx), StoredBounds(dx, {0, 5, 0, 5, 5, 0}));
}

// (1 + 1e30)² is no float: a conforming implementation may divide by infinity.
TEST(Activation, AGradientOfSoftsignMayVanishWhereItsSquareOverflows) {
  const Value dx = KernelCall{"SoftsignGrad", {Vector({-1e30F, -1}), Vector({-1e30F, 1})}}();
  EXPECT_GE(Bounds(dx)[0], std::fabs(double{Floats(dx)[0]}));
  EXPECT_LT(Bounds(dx)[1], std::fabs(double{Floats(dx)[1]}));
}

TEST(Activation, SoftmaxOfEqualLogitsIsUniform) {
  const KernelCall call{
      .op = "Softmax", .inputs = {MakeTensor<float>({1, 4}, {1000, 1000, 1000, 1000})}, .accuracy = Composed(2)};
  EXPECT_THAT(Floats(call()), ElementsAre(0.25f, 0.25f, 0.25f, 0.25f));
}

TEST(Activation, SoftmaxOfInfinitiesIsNan) {
  for (const float x : {INFINITY, -INFINITY}) {
    for (const float y : Floats(KernelCall{"Softmax", {MakeTensor<float>({1, 2}, {x, -INFINITY})}}())) {
      EXPECT_TRUE(std::isnan(y));
    }
  }
}

// The same formula in float, step by step, on moved logits.
TEST(Activation, FloatSoftmaxLiesWithinTheBound) {
  const Value logits = WithBound(MakeTensor<float>({1, 3}, {1.5f, -0.25f, 3.1f}), {1e-4, 1e-4, 1e-4});
  const Value y = KernelCall{.op = "Softmax", .inputs = {logits}, .accuracy = Composed(2)}();
  const float x[] = {1.50009f, -0.25009f, 3.10009f};
  const float e[] = {std::exp(x[0] - x[2]), std::exp(x[1] - x[2]), 1};
  for (int i = 0; i < 3; ++i) EXPECT_LE(std::fabs(double{e[i] / (e[0] + e[1] + e[2])} - Floats(y)[i]), Bounds(y)[i]);
}

}  // namespace
}  // namespace plumb::reference
