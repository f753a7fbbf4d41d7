#include <gtest/gtest.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

TEST(AbortDeathTest, EndsTheProcess) {             // X38
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the process that ends starts from the beginning, not with threads
  const AttrMap fails = {{"error_msg", std::string("no way on")}, {"exit_without_error", false}};
  EXPECT_DEATH((KernelCall{"Abort", {}, fails}.Run()), "no way on");
  const AttrMap exits = {{"error_msg", std::string()}, {"exit_without_error", true}};
  EXPECT_EXIT((KernelCall{"Abort", {}, exits}.Run()), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace plumb::reference
