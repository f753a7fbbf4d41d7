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
  EXPECT_EQ(Of("BesselI0", 1e30), INFINITY);
  EXPECT_EQ(Of("BesselI1", -1e30), -INFINITY);
  EXPECT_TRUE(std::isnan(Of("BesselI0", -INFINITY)) && std::isnan(Of("BesselI1", INFINITY)));
  EXPECT_EQ(Of("BesselI1", 0), 0);
  EXPECT_DOUBLE_EQ(Of("BesselI1", -1), -0.56515910399248503);
  EXPECT_EQ(Of("BesselI0e", -INFINITY), 0);
  EXPECT_EQ(Of("BesselI0e", 0), 1);
  EXPECT_EQ(Of("BesselI1e", 0), 0);
  EXPECT_TRUE(std::isnan(Of("BesselI0e", NAN)) && std::isnan(Of("BesselI1e", NAN)));
  EXPECT_DOUBLE_EQ(Of("BesselI1e", -1), -0.20791041534970845);
  EXPECT_DOUBLE_EQ(Of("BesselI0e", 1e30), 3.9894228040143268e-16);
  const Tensor two = MakeScalar(2.0), one = MakeScalar(1.0);
  EXPECT_DOUBLE_EQ(RunKernel1("BesselI0e", {one}).scalar<double>(), 0.46575960759364043);
  EXPECT_DOUBLE_EQ(RunKernel1("BesselI1e", {one}).scalar<double>(), 0.20791041534970845);
  EXPECT_DOUBLE_EQ(RunKernel1("Zeta", {two, one}).scalar<double>(), M_PI * M_PI / 6);
  EXPECT_DOUBLE_EQ(RunKernel1("Polygamma", {one, one}).scalar<double>(), M_PI * M_PI / 6);
  const Tensor infinity = MakeScalar(double{INFINITY}), minus_two = MakeScalar(-2.0);
  for (const char* op : {"Zeta", "Polygamma"}) {
    EXPECT_EQ(RunKernel1(op, {two, infinity}).scalar<double>(), 0) << op;
    EXPECT_EQ(RunKernel1(op, {infinity, minus_two}).scalar<double>(), INFINITY) << op;
  }
  EXPECT_EQ(RunKernel1("Zeta", {infinity, two}).scalar<double>(), 0);
  EXPECT_EQ(RunKernel1("Zeta", {MakeScalar(1e30F), MakeScalar(4.0F)}).scalar<float>(), 0);
  EXPECT_EQ(RunKernel1("Zeta", {MakeScalar(1e30), one}).scalar<double>(), 1) << "the first term alone";
  EXPECT_DOUBLE_EQ(RunKernel1("Betainc", {two, two, MakeScalar(0.5)}).scalar<double>(), 0.5);
}

TEST(Math, InversesOfTheErrorFunction) {
  EXPECT_DOUBLE_EQ(RunKernel1("Erfinv", {MakeScalar(std::erf(0.5))}).scalar<double>(), 0.5);
  EXPECT_DOUBLE_EQ(Of("Erfinv", std::erf(-1.25)), -1.25);
  EXPECT_DOUBLE_EQ(Of("Erfinv", 1e-30), 1e-30 * std::sqrt(M_PI) / 2);
  EXPECT_EQ(Of("Erfinv", -1), -INFINITY);
  EXPECT_EQ(Of("Erfinv", 1.5), INFINITY);
  EXPECT_TRUE(std::isnan(Of("Erfinv", NAN)) && std::isnan(Of("Ndtri", NAN)));
  EXPECT_EQ(RunKernel1("Ndtri", {MakeScalar(0.5)}).scalar<double>(), 0);
  EXPECT_DOUBLE_EQ(Of("Ndtri", 0.975), 1.959963984540054);
  EXPECT_DOUBLE_EQ(Of("Ndtri", 0.025), -1.959963984540054);
  EXPECT_EQ(Of("Ndtri", 0), -INFINITY);
  EXPECT_EQ(Of("Ndtri", 1), INFINITY);
  EXPECT_EQ(Of("Ndtri", -0.5), -INFINITY);
  EXPECT_EQ(Of("Ndtri", INFINITY), INFINITY);
}

// The shares of a = 1 are 1 − exp(−x) and exp(−x); from a to a + 1 the lower one falls by xᵃ·exp(−x)/Γ(a+1).
TEST(Math, SharesOfTheGammaDistribution) {
  const auto of = [](const char* op, double a, double x) {
    return RunKernel1(op, {MakeScalar(a), MakeScalar(x)}).scalar<double>();
  };
  EXPECT_DOUBLE_EQ(of("Igamma", 1, 0.5), -std::expm1(-0.5));
  EXPECT_DOUBLE_EQ(of("Igammac", 1, 2), std::exp(-2));
  const Tensor two = MakeScalar(2.0), nothing = MakeScalar(0.0);
  EXPECT_EQ(RunKernel1("Igamma", {two, nothing}).scalar<double>(), 0);
  EXPECT_EQ(RunKernel1("Igammac", {two, nothing}).scalar<double>(), 1);
  EXPECT_EQ(RunKernel1("IgammaGradA", {two, nothing}).scalar<double>(), 0);
  const double fall = 4.5 * std::exp(-3), digamma_of_3 = 0.9227843350984671;
  EXPECT_FLOAT_EQ(static_cast<float>(of("IgammaGradA", 2, 3) - of("IgammaGradA", 3, 3)),
                  static_cast<float>(fall * (std::log(3) - digamma_of_3)));
  EXPECT_EQ(of("Igamma", -1, 0), 0);
  EXPECT_EQ(of("IgammaGradA", NAN, 0), 0);
  EXPECT_EQ(of("IgammaGradA", 2.5, INFINITY), 0);
  EXPECT_EQ(of("Igamma", INFINITY, INFINITY), 0);
  EXPECT_EQ(of("Igammac", INFINITY, INFINITY), 0);
  EXPECT_TRUE(std::isnan(of("Igammac", -1, 0)));
  for (const char* op : {"Igamma", "Igammac", "IgammaGradA"}) {
    EXPECT_TRUE(std::isnan(of(op, 0, 1))) << op;
    EXPECT_TRUE(std::isnan(of(op, 1, -1))) << op;
  }
}

// Parameters of any size: what lies below x, and above it, are shares of 1.
TEST(Math, BetaincOfLargeParametersIsAShare) {
  const auto share = [](double a, double b, double x) {
    return RunKernel1("Betainc", {MakeScalar(a), MakeScalar(b), MakeScalar(x)}).scalar<double>();
  };
  for (const double a : {1e4, 1e6, 1e8, 1e30}) {
    EXPECT_FLOAT_EQ(static_cast<float>(share(a, a, 0.5)), 0.5F) << a;
    EXPECT_EQ(share(a, 0.1, 0.1), 0) << a;
    const float narrow =
        RunKernel1("Betainc", {MakeScalar(static_cast<float>(a)), MakeScalar(static_cast<float>(a)), MakeScalar(0.5F)})
            .scalar<float>();
    EXPECT_FLOAT_EQ(narrow, 0.5F) << a;
  }
  EXPECT_FLOAT_EQ(static_cast<float>(share(1e5, 1, 1 - 1e-5)), static_cast<float>(std::exp(1e5 * std::log1p(-1e-5))));
  for (const double a : {2000.0, 999999.0, 2e6}) {
    const double b = 3 * a, x = 0.25 + 0.2 / std::sqrt(a);
    EXPECT_FLOAT_EQ(static_cast<float>(share(a, b, x) + share(b, a, 1 - x)), 1) << a;
    EXPECT_LT(share(a, b, 0.25), share(a, b, x)) << a;
    EXPECT_LT(share(a, b, x), share(a, b, 0.25 + 0.4 / std::sqrt(a))) << a;
  }
}

TEST(Math, BetaincTakesScalarsBesideOneShape) {
  const Tensor a = MakeScalar(1.0), x = MakeVector<double>({0, 0.25, 1});
  EXPECT_EQ(Values<double>(RunKernel1("Betainc", {a, a, x})), (std::vector<double>{0, 0.25, 1}));
  EXPECT_EQ(CodeOfKernel("Betainc", {MakeVector<double>({1, 2}), a, x}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
