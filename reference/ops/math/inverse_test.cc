#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/kernel/kernel_testing.h"
#include "reference/kernel/slope_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::reference {
namespace {

double Of(std::string_view op, double x) { return KernelCall{op, {MakeScalar(x)}}().tensor.scalar<double>(); }
double Of(std::string_view op, double a, double x) {
  return KernelCall{op, {MakeScalar(a), MakeScalar(x)}}().tensor.scalar<double>();
}
// Igamma, and within what it is computed.
Within ShareWithin(double a, double x) {
  const Value share = KernelCall{"Igamma", {MakeScalar(a), MakeScalar(x)}, {}, {}, GetOp("Igamma").accuracy}();
  return {share.tensor.scalar<double>(), Bounds(share)[0]};
}

TEST(Inverse, OfTheErrorFunctionAndTheNormalDistribution) {
  EXPECT_DOUBLE_EQ(Of("Erfinv", std::erf(0.5)), 0.5);
  EXPECT_DOUBLE_EQ(Of("Erfinv", -std::erf(1)), -1);
  EXPECT_DOUBLE_EQ(Of("Erfinv", 1e-300), 1e-300 * std::sqrt(M_PI) / 2);
  EXPECT_EQ(Of("Erfinv", 1), INFINITY);
  EXPECT_EQ(Of("Erfinv", -2), -INFINITY);
  EXPECT_TRUE(std::isnan(Of("Erfinv", NAN)) && std::isnan(Of("Ndtri", NAN)));
  EXPECT_EQ(Of("Ndtri", 0.5), 0);
  EXPECT_DOUBLE_EQ(Of("Ndtri", 0.975), 1.959963984540054);
  EXPECT_EQ(Of("Ndtri", 0), -INFINITY);
  EXPECT_EQ(Of("Ndtri", 1.25), INFINITY);
  EXPECT_EQ(Of("Ndtri", -INFINITY), -INFINITY);
}

// The shares of a = 1 are 1 − exp(−x) and exp(−x); the derivative by a is that of the share itself.
TEST(Igamma, SharesOfTheGammaDistribution) {
  EXPECT_DOUBLE_EQ(Of("Igamma", 1, 0.5), -std::expm1(-0.5));
  EXPECT_DOUBLE_EQ(Of("Igammac", 1, 2), std::exp(-2));
  EXPECT_EQ(Of("Igamma", 2, 0), 0);
  for (const double x : {0.5, 2.0, 7.0}) {
    EXPECT_DOUBLE_EQ(Of("Igamma", 2.5, x) + Of("Igammac", 2.5, x), 1);
    const auto slope = SlopeByDifferences([&](double a) { return ShareWithin(a, x); }, 2.5);
    ASSERT_TRUE(slope) << x;
    EXPECT_NEAR(Of("IgammaGradA", 2.5, x), slope->value, slope->bound) << x;
  }
  EXPECT_EQ(Of("Igamma", -1, 0), 0);
  EXPECT_EQ(Of("IgammaGradA", NAN, 0), 0);
  EXPECT_EQ(Of("IgammaGradA", 2.5, INFINITY), 0);
  // Where no bound is known the number is near that of others, to three places, for samples move by about 1.
  EXPECT_EQ(std::round(1e3 * Of("IgammaGradA", 150, 150)), -33);
  EXPECT_EQ(std::round(1e3 * Of("IgammaGradA", 1000, 990)), -12);
  EXPECT_EQ(Of("Igamma", INFINITY, INFINITY), 0);
  EXPECT_EQ(Of("Igammac", INFINITY, INFINITY), 0);
  EXPECT_TRUE(std::isnan(Of("Igammac", -1, 0)));
  for (const char* op : {"Igamma", "Igammac", "IgammaGradA"}) {
    EXPECT_TRUE(std::isnan(Of(op, 0, 1))) << op;
    EXPECT_TRUE(std::isnan(Of(op, 1, -1))) << op;
  }
}

TEST(Special, FunctionsAtInfinity) {
  EXPECT_TRUE(std::isnan(Of("BesselI0", -INFINITY)) && std::isnan(Of("BesselI1", INFINITY)));
  EXPECT_EQ(Of("BesselI1", -1e30), -INFINITY);
  for (const char* op : {"Zeta", "Polygamma"}) {
    EXPECT_EQ(Of(op, 2, INFINITY), 0) << op;
    EXPECT_EQ(Of(op, INFINITY, -2), INFINITY) << op;
  }
  EXPECT_EQ(Of("Zeta", INFINITY, 2), 0);
}

// TensorFlow's factors meet as infinity and zero at some numbers and not at others: it answers NaN there.
TEST(Special, NothingIsKnownOfAPolygammaOfInfiniteOrder) {
  for (const float x : {-2.5F, 0.5F, 3.0F}) {
    const KernelCall call{.op = "Polygamma", .inputs = {Scalar(INFINITY), Scalar(x)}, .accuracy = Composed(8)};
    EXPECT_EQ(Bounds(call())[0], INFINITY) << x;
  }
}

template <class T>
double BoundOf(std::string_view op, T a, T x) {
  return Bounds(KernelCall{.op = op, .inputs = {MakeScalar(a), MakeScalar(x)}, .accuracy = Composed(8)}())[0];
}

// Nine terms in float32 end in front of poles that a number far below zero leaves above them, or close to zero, where
// the tail diverges.
TEST(Special, BoundsOfZetaSayWhatFloat32LeavesOut) {
  for (const std::string_view op : {"Zeta", "Polygamma"}) {
    EXPECT_EQ(BoundOf(op, 3.0F, -9.5F), INFINITY) << op;
    EXPECT_TRUE(std::isfinite(BoundOf(op, 3.0, -9.5))) << op << ": float64 goes on";
    EXPECT_LT(BoundOf(op, 3.0F, -0.5F), BoundOf(op, 3.0F, -8.5F)) << op;
    EXPECT_EQ(BoundOf(op, 3.0F, -12.0F), 0) << op << ": at a pole";
  }
}

// Above zero they leave out less than they round away: float64, which leaves nothing out, has as many units.
TEST(Special, WhatFloat32LeavesOutOfZetaIsLittleAboveZero) {
  constexpr double kUnits =
      std::numeric_limits<float>::epsilon() / std::numeric_limits<double>::epsilon();  // of float64 in one of float32
  for (const std::string_view op : {"Zeta", "Polygamma"}) {
    for (const float order : {2.0F, 3.0F, 5.0F}) {
      for (const float x : {0.5F, 1.0F, 2.5F, 12.0F}) {
        const double wide = BoundOf(op, static_cast<double>(order), static_cast<double>(x));
        EXPECT_LT(BoundOf(op, order, x), 2 * kUnits * wide) << op << " of " << order << " and " << x;
      }
    }
  }
}

}  // namespace
}  // namespace plumb::reference
