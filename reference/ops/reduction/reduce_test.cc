#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

const Value kMatrix = MakeTensor<float>({2, 3}, {1, 5, 3, 4, 2, 6});

KernelCall Reduce(std::string_view op, Value x, Tensor axes, bool keep_dims = false) {
  return {.op = op, .inputs = {x, axes}, .attrs = {{"keep_dims", keep_dims}}, .accuracy = Summation()};
}

TEST(Reduction, FoldsTheNamedAxes) {
  EXPECT_THAT(Floats(Reduce("Sum", kMatrix, Ints({0}))()), ElementsAre(5, 7, 9));
  EXPECT_THAT(Floats(Reduce("Mean", kMatrix, Ints({-1}))()), ElementsAre(3, 4));
  EXPECT_THAT(Floats(Reduce("Prod", kMatrix, Ints({1}))()), ElementsAre(15, 48));
  EXPECT_THAT(Floats(Reduce("Max", kMatrix, Ints({0, 1}))()), ElementsAre(6));
  EXPECT_THAT(Floats(Reduce("Min", kMatrix, Ints({}))()), ElementsAre(1, 5, 3, 4, 2, 6));
  EXPECT_EQ(Reduce("Sum", kMatrix, Int(1), true)().tensor.shape(), Shape({2, 1}));
}

TEST(Reduction, BadAxesAreRefused) {
  for (const Tensor& axes : {Ints({2}), Ints({-3}), Ints({0, 0}), Ints({0, -2})}) {
    EXPECT_EQ(Reduce("Sum", kMatrix, axes).Fails(), Code::kInvalidArgument) << axes.ToString();
  }
}

TEST(Reduction, OfNothingIsTheNeutralElement) {
  const Value nothing = MakeTensor<float>({0}, {});
  EXPECT_THAT(Floats(Reduce("Sum", nothing, Int(0))()), ElementsAre(0));
  EXPECT_THAT(Floats(Reduce("Prod", nothing, Int(0))()), ElementsAre(1));
  EXPECT_THAT(Floats(Reduce("Max", nothing, Int(0))()), ElementsAre(-INFINITY));
  EXPECT_TRUE(std::isnan(Floats(Reduce("Mean", nothing, Int(0))())[0]));
  const Tensor no_complex(DType::kComplex64, Shape({0}));
  EXPECT_EQ(Reduce("Mean", no_complex, Int(0))().tensor.scalar<std::complex<float>>(), 0.0f);
  const KernelCall arg_max{"ArgMax", {nothing, Int(0)}, {}, {DType::kInt64}};
  EXPECT_EQ(arg_max.Fails(), Code::kInvalidArgument);
}

TEST(Reduction, NegativeZerosAddUpToZeroButOneStays) {
  EXPECT_TRUE(std::signbit(Floats(Reduce("Sum", Vector({-0.0f}), Int(0))())[0]));
  EXPECT_FALSE(std::signbit(Floats(Reduce("Sum", Vector({-0.0f, -0.0f}), Int(0))())[0]));
}

TEST(Reduction, IntegerSumsWrapAndMeansDoNot) {
  const Value x = MakeVector<int8_t>({100, 101});
  EXPECT_THAT(Integers(Reduce("Sum", x, Int(0))()), ElementsAre(-55));
  EXPECT_THAT(Integers(Reduce("Mean", x, Int(0))()), ElementsAre(100));
  const Value y = MakeVector<uint64_t>({uint64_t{1} << 63, uint64_t{1} << 63, 6});
  EXPECT_THAT(Integers(Reduce("Mean", y, Int(0))()), ElementsAre(2));  // 64 bits are all there are
}

// Every order of a float sum lies within the bound; one that loses more does not.
TEST(Reduction, AnyOrderOfSummationLiesWithinTheBound) {
  std::vector<float> terms;
  for (int i = 1; i <= 1000; ++i) terms.push_back(1.0f / static_cast<float>(i));
  const Value sum = Reduce("Sum", MakeTensor<float>({1000}, std::span<const float>(terms)), Int(0))();
  float forward = 0, backward = 0;
  for (int i = 0; i < 1000; ++i) {
    forward += terms[i];
    backward += terms[999 - i];
  }
  const double value = Floats(sum)[0], bound = Bounds(sum)[0];
  EXPECT_NE(forward, backward);
  EXPECT_LE(std::fabs(forward - value), bound);
  EXPECT_LE(std::fabs(backward - value), bound);
  EXPECT_GT(std::fabs(static_cast<double>(Half(forward)) - value), bound) << "a sum rounded to half is out";
}

// Kept in half the sum is some units off what it is when it is rounded once (N8).
TEST(Reduction, SumsOfHalvesMayRoundToHalfAtEachStep) {
  std::vector<Half> terms;
  Half kept(0.0f);
  for (int i = 1; i <= 100; ++i) {
    terms.push_back(Half(1.0f / static_cast<float>(i)));
    kept = Half(static_cast<float>(kept) + static_cast<float>(terms.back()));
  }
  const Value sum = Reduce("Sum", MakeTensor<Half>({100}, std::span<const Half>(terms)), Int(0))();
  const auto off = static_cast<double>(static_cast<float>(kept) - static_cast<float>(sum.tensor.data<Half>()[0]));
  EXPECT_GT(std::fabs(off), 0);
  EXPECT_LE(std::fabs(off), Bounds(sum)[0]);
}

// 3e38 + 3e38 − 3e38 is infinite, or 3e38, or NaN with another pair, as the order has it: nothing is known.
TEST(Reduction, ASumThatMayOverflowOnItsWayIsOpen) {
  const Value sum = Reduce("Sum", Vector({3e38f, 3e38f, -3e38f}), Int(0))();
  EXPECT_EQ(Bounds(sum)[0], INFINITY);
  EXPECT_EQ(Bounds(Reduce("Sum", Vector({INFINITY, 1, 2}), Int(0))())[0], 0) << "this one is infinite in any order";
}

TEST(Reduction, AProductThatMayVanishOnItsWayIsBoundedByItsSize) {
  const Value product = Reduce("Prod", Vector({1e-30f, 1e-30f, 1e30f}), Int(0))();
  EXPECT_GE(Bounds(product)[0], 1e-30);
  EXPECT_EQ(Bounds(Reduce("Prod", Vector({1e30f, 1e30f, 0}), Int(0))())[0], INFINITY) << "zero, or inf·0";
}

}  // namespace
}  // namespace plumb::reference
