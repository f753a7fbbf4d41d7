// What a traced step says of the time that nodes took.
#include "client/placement/measured_costs.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

NodeStats Took(const char* node, int64_t nanoseconds) { return {node, "Op", 5, 5, 5 + nanoseconds, 0}; }

TEST(MeasuredCosts, OfWhatRanTwiceAreTheSumAndOfStepsTheMedian) {
  MeasuredCosts costs;
  for (const int64_t took : {9000, 1, 2}) {
    costs.Learn({.step_stats = {{"/device:CPU:0", {Took("x", took), Took("x", 1)}}}});
  }
  EXPECT_DOUBLE_EQ(costs.SecondsOf("x").value(), 3e-9);
  EXPECT_FALSE(costs.SecondsOf("y").has_value());
}

// The host is done with a kernel when it is queued.
TEST(MeasuredCosts, OfKernelsAreThoseOfTheirStream) {
  MeasuredCosts costs;
  costs.Learn({.step_stats = {{"/device:GPU:0", {Took("x", 7), Took("host", 2)}},
                              {"/device:GPU:0/stream:0", {Took("x:MatMul", 100), Took("x:MatMul", 20)}},
                              {"/device:GPU:0/stream:all", {Took("x:MatMul", 100), Took("x:MatMul", 20)}},
                              {"/device:GPU:0/memcpy", {Took("host", 50)}}}});
  EXPECT_DOUBLE_EQ(costs.SecondsOf("x").value(), 120e-9);
  EXPECT_DOUBLE_EQ(costs.SecondsOf("host").value(), 2e-9);
}

}  // namespace
}  // namespace plumb
