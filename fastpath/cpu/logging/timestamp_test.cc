#include <gtest/gtest.h>

#include <ctime>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(Timestamp, IsTheTimeOfTheMachine) {
  const auto before = static_cast<double>(std::time(nullptr));
  const double now = RunKernel1("Timestamp", {}).scalar<double>();
  EXPECT_GE(now, before);
  EXPECT_LE(now, static_cast<double>(std::time(nullptr)) + 1);
}

}  // namespace
}  // namespace plumb::fast::cpu
