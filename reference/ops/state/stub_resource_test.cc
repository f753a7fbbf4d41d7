#include <gtest/gtest.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

Code MadeIn(ResourceStore& resources, const std::string& name) {
  ResourceStore step;
  Node node;
  node.name = "make";
  ResourceHandle handle;
  handle.container = "c";
  handle.name = name;
  handle.type_name = "StubResource";
  std::unique_ptr<KernelState> state;
  OpContext context{.node = node,
                    .inputs = {{Value(MakeScalar(std::move(handle))), nullptr}},
                    .outputs = {},
                    .dead = {},
                    .resources = resources,
                    .step = step,
                    .state = state};
  try {
    FindKernel("ResourceCreateOp")(context);
  } catch (const Error& error) {
    return error.status().code();
  }
  return Code::kOk;
}

TEST(StubResource, IsMadeOncePerName) {
  ResourceStore resources;
  EXPECT_EQ(MadeIn(resources, "a"), Code::kOk);
  EXPECT_EQ(MadeIn(resources, "b"), Code::kOk);
  EXPECT_EQ(MadeIn(resources, "a"), Code::kAlreadyExists);
}

}  // namespace
}  // namespace plumb::reference
