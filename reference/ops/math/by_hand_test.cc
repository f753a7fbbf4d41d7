// Values of elementwise ops that are known without a computer, and of small array ops.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

double At(const KernelCall& call) { return call().tensor.scalar<double>(); }
Value Number(double x) { return MakeScalar(x); }

TEST(ByHand, AnglesAndHyperbolas) {
  EXPECT_DOUBLE_EQ(At(KernelCall{"Acos", {Number(-1)}}), M_PI);
  EXPECT_DOUBLE_EQ(At(KernelCall{"Asin", {Number(1)}}), M_PI / 2);
  EXPECT_DOUBLE_EQ(At(KernelCall{"Tan", {Number(M_PI / 4)}}), std::tan(M_PI / 4));
  // e^ln 2 = 2: the half sum with ½ is 1.25, the half difference 0.75.
  EXPECT_DOUBLE_EQ(At(KernelCall{"Cosh", {Number(M_LN2)}}), 1.25);
  EXPECT_DOUBLE_EQ(At(KernelCall{"Sinh", {Number(M_LN2)}}), 0.75);
  EXPECT_DOUBLE_EQ(At(KernelCall{"Asinh", {Number(0.75)}}), M_LN2);
  EXPECT_DOUBLE_EQ(At(KernelCall{"Atanh", {Number(0.6)}}), M_LN2);
}

TEST(ByHand, SpecialFunctions) {
  constexpr double kEulersConstant = 0.57721566490153286;
  EXPECT_FLOAT_EQ(static_cast<float>(At(KernelCall{"Digamma", {Number(1)}})), static_cast<float>(-kEulersConstant));
  EXPECT_DOUBLE_EQ(At(KernelCall{"Erfc", {Number(0)}}), 1);
}

// From tables (Abramowitz and Stegun 9, 7, 5 and 27), and with more digits by computer algebra.
TEST(ByHand, BesselFunctions) {
  const auto of = [](const char* op, double x) { return At(KernelCall{op, {Number(x)}}); };
  EXPECT_EQ(of("BesselJ0", 0), 1);
  EXPECT_EQ(of("BesselJ1", -0.0), 0);
  EXPECT_DOUBLE_EQ(of("BesselJ0", -1), 0.7651976865579665514);
  EXPECT_DOUBLE_EQ(of("BesselJ1", -1), -0.4400505857449335160);
  EXPECT_DOUBLE_EQ(of("BesselJ1", 1e-300), 5e-301);
  // The first zero is no double: this one lies 1.177e-16 beyond it. A unit roundoff of the waves' height is much to
  // what is summed with more digits.
  constexpr double kBesideZero = 2.404825557695772768, kUnit = std::numeric_limits<double>::epsilon() / 2;
  EXPECT_NEAR(of("BesselJ0", kBesideZero), -6.1087652597367304e-17, kUnit * std::sqrt(M_2_PI / kBesideZero));
  EXPECT_DOUBLE_EQ(of("BesselY0", 1), 0.0882569642156769580);
  EXPECT_DOUBLE_EQ(of("BesselY1", 1), -0.7812128213002887166);
  EXPECT_DOUBLE_EQ(of("BesselK0", 1), 0.4210244382407083333);
  EXPECT_DOUBLE_EQ(of("BesselK1", 1), 0.6019072301972345747);
  EXPECT_DOUBLE_EQ(of("BesselK0", 30), 2.1324774964630563712e-14);
  EXPECT_DOUBLE_EQ(of("BesselK0e", 1000), 0.0396283216007542171);
  EXPECT_DOUBLE_EQ(of("BesselK1e", 1), M_E * 0.6019072301972345747);
  // Far out, where x − π/4 has lost digits that x has.
  EXPECT_DOUBLE_EQ(of("BesselJ0", 1e6), 0.00033104301373987374);
  EXPECT_DOUBLE_EQ(of("BesselY1", 1e6), -0.00033104337672417629);
  for (const char* op : {"BesselY0", "BesselY1"}) {
    EXPECT_EQ(of(op, 0), -INFINITY) << op;
    EXPECT_EQ(of(op, -1), -INFINITY) << op;
    EXPECT_TRUE(std::isnan(of(op, INFINITY))) << op;
  }
  for (const char* op : {"BesselK0", "BesselK1", "BesselK0e", "BesselK1e"}) {
    EXPECT_EQ(of(op, -0.0), INFINITY) << op;
    EXPECT_EQ(of(op, INFINITY), 0) << op;
    EXPECT_EQ(of(op, -1), INFINITY) << op;
    EXPECT_TRUE(std::isnan(of(op, NAN))) << op;
  }
}

// Of equal parameters it is symmetric about ½, and of large ones close to the normal distribution, whose deviation is
// 1/√(8a).
TEST(ByHand, BetaIntegralsBetweenLargeParameters) {
  for (const double a : {1e9, 1e14, 1e30}) {
    const auto below = [a](double x) { return At(KernelCall{"Betainc", {Number(a), Number(a), Number(x)}}); };
    EXPECT_EQ(below(0.5), 0.5) << a;
    EXPECT_EQ(below(0.25), 0) << a;
    EXPECT_EQ(below(0.75), 1) << a;
  }
  constexpr double kLarge = 1e12;
  for (const double deviations : {-2.0, -0.5, 1.0}) {
    const Value x = Number(0.5 + deviations / std::sqrt(8 * kLarge));
    EXPECT_NEAR(At(KernelCall{"Betainc", {Number(kLarge), Number(kLarge), x}}), std::erfc(-deviations * M_SQRT1_2) / 2,
                1 / std::sqrt(kLarge));
  }
}

TEST(ByHand, FunctionsThatAreIntegrals) {
  const auto of = [](const char* op, double x) { return At(KernelCall{op, {Number(x)}}); };
  EXPECT_DOUBLE_EQ(of("Dawsn", -1), -0.5380795069127684191);
  EXPECT_DOUBLE_EQ(of("Dawsn", 1e10), 5e-11);
  EXPECT_EQ(of("Dawsn", INFINITY), 0);
  EXPECT_TRUE(std::isnan(of("Dawsn", NAN)));
  EXPECT_DOUBLE_EQ(of("Expint", 1), 1.8951178163559367555);
  EXPECT_DOUBLE_EQ(of("Expint", 60), 1.9361822139292765388e24);
  EXPECT_EQ(of("Expint", 0), -INFINITY);
  EXPECT_TRUE(std::isnan(of("Expint", -1)) && std::isnan(of("Expint", INFINITY)));
  EXPECT_DOUBLE_EQ(of("FresnelCos", 1), 0.7798934003768228295);
  EXPECT_DOUBLE_EQ(of("FresnelSin", -1), -0.4382591473903547661);
  EXPECT_DOUBLE_EQ(of("FresnelCos", 1000.25), 0.5000311919260179524);
  EXPECT_DOUBLE_EQ(of("FresnelSin", 1000.25), 0.4996833020274881014);
  EXPECT_EQ(of("FresnelSin", -INFINITY), -0.5);
  EXPECT_DOUBLE_EQ(of("Spence", 0), M_PI * M_PI / 6);
  EXPECT_DOUBLE_EQ(of("Spence", 0.5), M_PI * M_PI / 12 - M_LN2 * M_LN2 / 2);
  EXPECT_EQ(of("Spence", 1), 0);
  EXPECT_DOUBLE_EQ(of("Spence", 2), -M_PI * M_PI / 12);
  EXPECT_TRUE(std::isnan(of("Spence", -0.5)) && std::isnan(of("Spence", INFINITY)));
}

TEST(ByHand, QuotientsAndSlopes) {
  EXPECT_EQ(At(KernelCall{"Inv", {Number(4)}}), 0.25);
  EXPECT_EQ(At(KernelCall{"InvGrad", {Number(0.5), Number(3)}}), -0.75);
  EXPECT_EQ(At(KernelCall{"SoftplusGrad", {Number(2), Number(0)}}), 1);
  EXPECT_EQ(At(KernelCall{"SoftsignGrad", {Number(4), Number(-1)}}), 1);
  EXPECT_EQ((KernelCall{"Mod", {MakeScalar<int32_t>(-7), MakeScalar<int32_t>(3)}}().tensor.scalar<int32_t>()), -1);
}

TEST(ByHand, SmallArrays) {
  EXPECT_THAT(Floats(KernelCall{"LinSpace", {MakeScalar(0.0f), MakeScalar(1.0f), MakeScalar<int32_t>(3)}}()),
              ElementsAre(0, 0.5, 1));
  EXPECT_THAT(Floats(KernelCall{"Gather", {MakeVector<float>({5, 6, 7}), MakeVector<int32_t>({2, 0})}}()),
              ElementsAre(7, 5));
  EXPECT_THAT(Floats(KernelCall{"MatrixDiag", {MakeVector<float>({1, 2})}}()), ElementsAre(1, 0, 0, 2));
  // The mirrored x1 x0 x1 x2 x1 goes back to x0, x1 and x2.
  const KernelCall folded{"MirrorPadGrad",
                          {MakeVector<float>({1, 2, 3, 4, 5}), MakeTensor<int32_t>({1, 2}, {1, 1})},
                          {{"mode", std::string("REFLECT")}}};
  EXPECT_THAT(Floats(folded()), ElementsAre(2, 9, 4));
}

}  // namespace
}  // namespace plumb::reference
