#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

double Of(const char* op, double x) { return RunKernel1(op, {MakeScalar(x)}).scalar<double>(); }

TEST(Math, SpecialFunctionsAtArgumentsThatAreKnown) {
  EXPECT_DOUBLE_EQ(Of("Lgamma", 5), std::log(24.0));
  EXPECT_EQ(Of("Lgamma", 1), 0);
  EXPECT_EQ(Of("Lgamma", -2), std::numeric_limits<double>::infinity());
  EXPECT_FLOAT_EQ(static_cast<float>(Of("Digamma", 1)), -0.57721566f);
  EXPECT_TRUE(std::isnan(Of("Digamma", -1)));
  EXPECT_EQ(Of("Erf", 0), 0);
  EXPECT_EQ(Of("Erfc", 0), 1);
  EXPECT_EQ(Of("BesselI0", 0), 1);
  EXPECT_EQ(Of("BesselI0", -INFINITY), INFINITY);
  EXPECT_EQ(Of("BesselI1", -INFINITY), -INFINITY);
  EXPECT_EQ(Of("BesselI1", 0), 0);
  EXPECT_DOUBLE_EQ(Of("BesselI1", -1), -0.56515910399248503);
  const Tensor two = MakeScalar(2.0), one = MakeScalar(1.0);
  EXPECT_DOUBLE_EQ(RunKernel1("Zeta", {two, one}).scalar<double>(), M_PI * M_PI / 6);
  EXPECT_DOUBLE_EQ(RunKernel1("Polygamma", {one, one}).scalar<double>(), M_PI * M_PI / 6);
  EXPECT_DOUBLE_EQ(RunKernel1("Betainc", {two, two, MakeScalar(0.5)}).scalar<double>(), 0.5);
}

TEST(Math, BetaincTakesScalarsBesideOneShape) {
  const Tensor a = MakeScalar(1.0), x = MakeVector<double>({0, 0.25, 1});
  EXPECT_EQ(Values<double>(RunKernel1("Betainc", {a, a, x})), (std::vector<double>{0, 0.25, 1}));
  EXPECT_EQ(CodeOfKernel("Betainc", {MakeVector<double>({1, 2}), a, x}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
