#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(StubResource, IsMadeOncePerName) {
  KernelHarness harness;
  const auto handle = [&](const std::string& name) {
    return harness.Value("StubResourceHandleOp", {}, {{"container", std::string()}, {"shared_name", name}});
  };
  const auto made = [&](const Tensor& named) {
    return harness.CodeOf("ResourceCreateOp", {{.tensor = named, .ref = nullptr}});
  };
  EXPECT_EQ(handle("a").scalar<ResourceHandle>().type_name, "StubResource");
  EXPECT_EQ(made(handle("a")), Code::kOk);
  EXPECT_EQ(made(handle("b")), Code::kOk);
  EXPECT_EQ(made(handle("a")), Code::kAlreadyExists);
}

}  // namespace
}  // namespace plumb::fast::cpu
