#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/granted_error.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

double Of(const char* op, double x) { return RunKernel1(op, {MakeScalar(x)}).scalar<double>(); }

TEST(Integrals, OfDawson) {
  EXPECT_DOUBLE_EQ(Of("Dawsn", {-1}), -0.5380795069127684191);
  EXPECT_EQ(Of("Dawsn", {1e-300}), 1e-300);
  EXPECT_TRUE(std::signbit(Of("Dawsn", {-0.0})));
  EXPECT_DOUBLE_EQ(Of("Dawsn", {1e10}), 5e-11);
  EXPECT_EQ(Of("Dawsn", {-INFINITY}), 0);
  EXPECT_TRUE(std::isnan(Of("Dawsn", {NAN})));
}

TEST(Integrals, OfExponentials) {
  EXPECT_DOUBLE_EQ(Of("Expint", {1}), 1.8951178163559367555);
  EXPECT_DOUBLE_EQ(Of("Expint", {60}), 1.9361822139292765388e24);
  EXPECT_EQ(Of("Expint", {-0.0}), -INFINITY);
  EXPECT_EQ(Of("Expint", {720}), INFINITY);
  EXPECT_LT(Of("Expint", {712}), INFINITY) << "exp(712) is infinite, and 712 times as large";
  EXPECT_TRUE(std::isnan(Of("Expint", {-1})) && std::isnan(Of("Expint", {NAN})) &&
              std::isnan(Of("Expint", {INFINITY})));
}

TEST(Integrals, OfFresnel) {
  EXPECT_DOUBLE_EQ(Of("FresnelCos", {1}), 0.7798934003768228295);
  EXPECT_DOUBLE_EQ(Of("FresnelSin", {-1}), -0.4382591473903547661);
  EXPECT_DOUBLE_EQ(Of("FresnelCos", {1000.25}), 0.5000311919260179524);
  EXPECT_DOUBLE_EQ(Of("FresnelSin", {-1000.25}), -0.4996833020274881014);
  EXPECT_EQ(Of("FresnelCos", {-INFINITY}), -0.5);
  EXPECT_EQ(Of("FresnelSin", {1e300}), 0.5);
  EXPECT_TRUE(std::isnan(Of("FresnelCos", {NAN})) && std::isnan(Of("FresnelSin", {NAN})));
}

TEST(Integrals, Dilogarithm) {
  EXPECT_DOUBLE_EQ(Of("Spence", {-0.0}), M_PI * M_PI / 6);
  EXPECT_DOUBLE_EQ(Of("Spence", {0.5}), M_PI * M_PI / 12 - M_LN2 * M_LN2 / 2);
  EXPECT_EQ(Of("Spence", {1}), 0);
  EXPECT_DOUBLE_EQ(Of("Spence", {2}), -M_PI * M_PI / 12);
  EXPECT_TRUE(std::isnan(Of("Spence", {-0.5})) && std::isnan(Of("Spence", {NAN})) &&
              std::isnan(Of("Spence", {INFINITY})));
}

// The pieces meet: a function has no step where its expansion changes.
TEST(Integrals, ExpansionsMeet) {
  const auto expect_no_step = [](const char* op, double x, double slope) {
    const double below = Of(op, std::nextafter(x, 0)), above = Of(op, x);
    EXPECT_NEAR(below, above, GrantedStep(op, x, above, slope)) << op << " at " << x;
  };
  for (const double x : {1.0, 2.5, 5.0}) expect_no_step("Dawsn", x, 1);
  for (const double x : {2.0, 6.0, 16.0}) expect_no_step("Expint", x, std::exp(x) / x);
  for (const double x : {0.5, 2.0}) expect_no_step("Spence", x, 2 * M_LN2);
  for (const char* op : {"FresnelCos", "FresnelSin"}) {
    for (const double x : {1.5, 2.5}) expect_no_step(op, x, 1);
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
