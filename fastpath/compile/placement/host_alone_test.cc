// What the host alone computes beside a GPU, and what of it leaves without waiting for the GPU.
#include "fastpath/compile/placement/host_alone.h"

#include <gtest/gtest.h>

#include <set>

#include "fastpath/compile/placement/counting_loop_testing.h"
#include "fastpath/compile/placement/partition.h"
#include "fastpath/compile/placement/place.h"
#include "fastpath/device/transfer.h"
#include "fastpath/session/devices.h"
#include "fastpath/testing/test_graph.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat, kInt = DType::kInt32;
constexpr char kGpu[] = "/device:GPU:0";

using Names = std::set<std::string>;

DeviceSet WithGpu() { return MakeDevices({.emulated_gpus = 1}); }

Names AloneOf(const StepGraph& step, const DeviceSet& devices) {
  const MemoryKinds memory(step, devices);
  const std::vector<bool> is_alone = FindHostAlone(step, devices, memory);
  Names names;
  for (size_t i = 0; i < is_alone.size(); ++i) {
    if (is_alone[i]) names.insert(step.nodes[i].name);
  }
  return names;
}

// Integers that are fed, and numbers of the GPU's that they are computed with.
TestGraph Integers() {
  const AttrMap of_ints = {{"T", kInt}};
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Placeholder("fed", kInt);
  graph.Add("y", "Tanh", {"x"}, {{"T", kFloat}}, kGpu);
  graph.Add("sum", "Add", {"fed", "fed"}, of_ints, kGpu);
  graph.Add("passed", "Identity", {"sum"}, of_ints, kGpu);
  graph.Add("product", "Mul", {"passed", "sum"}, of_ints, kGpu);
  graph.Add("after", "Mul", {"sum", "sum", "^y"}, of_ints, kGpu);
  graph.Add("after_that", "Neg", {"after"}, of_ints, kGpu);
  graph.Add("size", "Size", {"y"}, {{"T", kFloat}, {"out_type", kInt}}, kGpu);
  graph.Add("half", "FloorDiv", {"size", "sum"}, of_ints, kGpu);
  graph.Add("number", "Cast", {"y"}, {{"SrcT", kFloat}, {"DstT", kInt}}, kGpu);
  graph.Add("of_number", "Neg", {"number"}, of_ints, kGpu);
  return graph;
}

// Behind "size" stands a kernel of the GPU, whose result's shape is known before it has run; what is copied from the
// GPU has been computed.
TEST(HostAlone, IsWhatNoWorkOfTheDeviceGoesBefore) {
  StepGraph step = PruneFor(Integers(), {"x", "fed"}, {"product", "after_that", "half", "of_number"});
  const DeviceSet devices = WithGpu();
  Place(step, devices, false);
  EXPECT_EQ(AloneOf(step, devices), Names({"sum", "passed", "product", "of_number"}));
}

TEST(HostAlone, IsNothingWithoutADevice) {
  TestGraph graph;
  graph.Placeholder("fed", kInt);
  graph.Op("sum", "Add", kInt, {"fed", "fed"});
  StepGraph step = PruneFor(graph, {"fed"}, {"sum"});
  const DeviceSet devices = MakeDevices({});
  Place(step, devices, false);
  EXPECT_EQ(AloneOf(step, devices), Names());
}

TEST(HostAlone, LeavesWithoutWaiting) {
  StepGraph step = PruneFor(Integers(), {"x", "fed"}, {"product", "after_that", "half", "of_number", "y"});
  const DeviceSet devices = WithGpu();
  Place(step, devices, false);
  Partition(step, devices);
  Names waiting, others;
  for (const StepNode& node : step.nodes) {
    if (node.op == nullptr || node.op->op->kind != OpKind::kSend) continue;
    if (GetAttr<std::string>(node.op->attrs, "send_device").find("GPU") == std::string::npos) continue;
    const bool needs_no_work = GetAttrOr<bool>(node.op->attrs, kNeedsNoWork, false);
    (needs_no_work ? others : waiting).insert(step[node.inputs[0].node].name);
  }
  EXPECT_EQ(others, Names({"product", "of_number"}));
  EXPECT_EQ(waiting, Names({"after_that", "half", "number", "y"}));
}

// The counter and the condition of a loop go round without what it computes.
TEST(HostAlone, GoesRoundInLoops) {
  StepGraph step = PruneFor(CountingLoop(), {"x"}, {"v_exit"});
  const DeviceSet devices = WithGpu();
  Place(step, devices, false);
  const Names alone = AloneOf(step, devices);
  for (const char* name : {"i", "i_now", "less", "goes_on", "i_switch", "i_sum", "i_next"}) {
    EXPECT_TRUE(alone.contains(name)) << name;
  }
  for (const char* name : {"start", "v", "v_now", "v_switch", "v_tanh", "v_next", "v_exit"}) {
    EXPECT_FALSE(alone.contains(name)) << name;
  }
}

}  // namespace
}  // namespace plumb::fast
