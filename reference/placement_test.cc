#include "reference/placement.h"

#include <gtest/gtest.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

Code Extended(const std::string& device, const SessionOptions& options) {
  TestGraph graph;
  graph.Const("x", 1);
  graph.def.nodes[0].device = device;
  return ReferenceSession(options).Extend(graph.def).code();
}

TEST(Placement, RequestsNeedADevice) {
  const SessionOptions two{.cpu_devices = 2};
  for (const std::string device : {"", "/cpu:1", "/job:localhost/device:CPU:0", "/device:CPU:*"}) {
    EXPECT_EQ(Extended(device, two), Code::kOk) << device;
  }
  for (const std::string device : {"/cpu:2", "/gpu:0", "/job:ps/task:0", "/task:1"}) {
    EXPECT_EQ(Extended(device, two), Code::kInvalidArgument) << device;  // W15
  }
}

TEST(Placement, SoftPlacementForgivesTypeAndNumber) {
  const SessionOptions soft{.cpu_devices = 1, .allow_soft_placement = true};
  EXPECT_EQ(Extended("/gpu:7", soft), Code::kOk);
  EXPECT_EQ(Extended("/job:ps/gpu:0", soft), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
