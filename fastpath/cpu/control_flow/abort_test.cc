#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(AbortDeathTest, EndsTheProcess) {             // X38
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the process that ends starts from the beginning, not with threads
  const AttrMap fails = {{"error_msg", std::string("no way on")}, {"exit_without_error", false}};
  EXPECT_DEATH(RunKernel("Abort", {}, fails), "no way on");
  const AttrMap exits = {{"error_msg", std::string()}, {"exit_without_error", true}};
  EXPECT_EXIT(RunKernel("Abort", {}, exits), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace plumb::fast::cpu
