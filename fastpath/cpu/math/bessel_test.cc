#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fastpath/cpu/lib/testing/granted_error.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

double Of(const char* op, double x) { return RunKernel1(op, {MakeScalar(x)}).scalar<double>(); }

// Of the waves that J and Y are from some units on.
double Height(double x) { return std::sqrt(M_2_PI / x); }

TEST(Bessel, OfTheFirstKind) {
  EXPECT_EQ(Of("BesselJ0", {0}), 1);
  EXPECT_DOUBLE_EQ(Of("BesselJ0", {-1}), 0.7651976865579665514);
  EXPECT_DOUBLE_EQ(Of("BesselJ1", {-1}), -0.4400505857449335160);
  EXPECT_EQ(Of("BesselJ1", {1e-300}), 5e-301);
  // The first zero is no double: this one lies 1.177e-16 beyond it.
  constexpr double kBesideZero = 2.404825557695772768;
  EXPECT_NEAR(Of("BesselJ0", {kBesideZero}), -6.1087652597367304e-17, GrantedError("BesselJ0", 0, Height(kBesideZero)));
  EXPECT_DOUBLE_EQ(Of("BesselJ0", {1e6}), 0.00033104301373987374);
  EXPECT_DOUBLE_EQ(Of("BesselJ1", {-1e6}), 0.00072596835681376304);
  EXPECT_TRUE(std::isnan(Of("BesselJ0", {-INFINITY})) && std::isnan(Of("BesselJ1", {NAN})));
}

TEST(Bessel, OfTheSecondKind) {
  EXPECT_DOUBLE_EQ(Of("BesselY0", {1}), 0.0882569642156769580);
  EXPECT_DOUBLE_EQ(Of("BesselY1", {1}), -0.7812128213002887166);
  EXPECT_DOUBLE_EQ(Of("BesselY0", {1e6}), -0.00072596852233517917);
  EXPECT_DOUBLE_EQ(Of("BesselY1", {1e6}), -0.00033104337672417629);
  for (const char* op : {"BesselY0", "BesselY1"}) {
    EXPECT_EQ(Of(op, -0.0), -INFINITY) << op;
    EXPECT_TRUE(std::isfinite(Of(op, op == std::string("BesselY0") ? 5e-324 : 1e-307))) << op;
    EXPECT_EQ(Of(op, -1), -INFINITY) << op;
    EXPECT_TRUE(std::isnan(Of(op, NAN)) && std::isnan(Of(op, INFINITY))) << op;
  }
}

TEST(Bessel, ModifiedOfTheSecondKind) {
  EXPECT_DOUBLE_EQ(Of("BesselK0", {1}), 0.4210244382407083333);
  EXPECT_DOUBLE_EQ(Of("BesselK1", {1}), 0.6019072301972345747);
  EXPECT_DOUBLE_EQ(Of("BesselK0", {30}), 2.1324774964630563712e-14);
  EXPECT_DOUBLE_EQ(Of("BesselK1", {1e-10}), 1e10);
  EXPECT_DOUBLE_EQ(Of("BesselK0", {5e-324}), 744.5560034370396);
  EXPECT_DOUBLE_EQ(Of("BesselK0e", {1000}), 0.0396283216007542171);
  EXPECT_DOUBLE_EQ(Of("BesselK1e", {0.5}), std::exp(0.5) * 1.656441120003300893);
  for (const char* op : {"BesselK0", "BesselK1", "BesselK0e", "BesselK1e"}) {
    EXPECT_EQ(Of(op, 0), INFINITY) << op;
    EXPECT_EQ(Of(op, INFINITY), 0) << op;
    EXPECT_EQ(Of(op, -1), INFINITY) << op;
    EXPECT_TRUE(std::isnan(Of(op, NAN))) << op;
  }
}

// The pieces meet: a function has no step where its expansion changes.
TEST(Bessel, ExpansionsMeet) {
  const auto expect_no_step = [](const char* op, double x, double slope, double height) {
    const double below = Of(op, std::nextafter(x, 0)), above = Of(op, x);
    EXPECT_NEAR(below, above, GrantedStep(op, x, above, slope, height)) << op;
  };
  for (const char* op : {"BesselJ0", "BesselJ1", "BesselY0", "BesselY1"}) expect_no_step(op, 5, 1, Height(5));
  for (const char* op : {"BesselK0", "BesselK1", "BesselK0e", "BesselK1e"}) {
    for (const double x : {1.0, 3.0}) expect_no_step(op, x, 2, 0);
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
