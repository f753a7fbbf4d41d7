// Laws of integers beside a GPU (W14, W16): they go where they come from, and stay on the host on all of their way.
#include "fastpath/compile/placement/host_work.h"

#include <gtest/gtest.h>

#include "fastpath/compile/placement/counting_loop_testing.h"
#include "fastpath/compile/placement/memory_kinds.h"
#include "fastpath/compile/placement/partition.h"
#include "fastpath/compile/placement/place.h"
#include "fastpath/session/devices.h"
#include "fastpath/testing/test_graph.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat, kInt = DType::kInt32;
constexpr int kCpu = 0, kGpu = 1;

DeviceSet WithGpu() { return MakeDevices({.emulated_gpus = 1}); }

// What comes of "x", of which the sizes are known when it runs: "mean_size" per result, as a float, and an axis.
TestGraph Sizes() {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Op("y", "Tanh", kFloat, {"x"});
  graph.Int("two", 2);
  graph.Add("size", "Size", {"y"}, {{"T", kFloat}, {"out_type", kInt}});
  graph.Op("half", "FloorDiv", kInt, {"size", "two"});
  graph.Op("passed", "Identity", kInt, {"half"});
  graph.Add("number", "Cast", {"passed"}, {{"SrcT", kInt}, {"DstT", kFloat}});
  return graph;
}

TEST(HostWork, GoesWhereItsInputsAreLeft) {
  TestGraph graph = Sizes();
  graph.Placeholder("fed", kInt);
  graph.Op("sum", "Add", kInt, {"fed", "two"});
  graph.Op("handed_on", "Identity", kInt, {"sum"});
  StepGraph step = PruneFor(graph, {"x", "fed"}, {"number", "handed_on"});
  Place(step, WithGpu(), false);
  for (const char* name : {"y", "size", "half", "passed", "number"}) EXPECT_EQ(NodeOf(step, name).device, kGpu) << name;
  for (const char* name : {"sum", "handed_on"}) EXPECT_EQ(NodeOf(step, name).device, kCpu) << name;
}

NodeId Find(const StepGraph& graph, const std::string& name) {
  for (int i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].name == name) return NodeId(i);
  }
  throw NotFound("no node '", name, "'");
}

TEST(HostWork, MovesOnTheHostWhereSomebodyWantsItThere) {
  TestGraph graph = Sizes();
  graph.Op("shaped", "Identity", kInt, {"half"});
  graph.Add("filled", "Fill", {"shaped", "number"}, {{"T", kFloat}, {"index_type", kInt}});
  StepGraph step = PruneFor(graph, {"x"}, {"filled"});
  const DeviceSet devices = WithGpu();
  Place(step, devices, false);
  KeepWorkOnHost(step, devices);
  const MemoryKinds memory(step, devices);
  EXPECT_TRUE(memory.LiesOnHost({Find(step, "half"), 0}));
  EXPECT_TRUE(memory.LiesOnHost({Find(step, "shaped"), 0}));
  EXPECT_FALSE(memory.LiesOnHost({Find(step, "passed"), 0}));  // for a kernel of the device
  EXPECT_FALSE(memory.LiesOnHost({Find(step, "number"), 0}));
}

// A loop that counts stays on the host as far as it counts, and on the device as far as it computes.
TEST(HostWork, GoesRoundInLoopsOnTheHost) {
  StepGraph step = PruneFor(CountingLoop(), {"x"}, {"v_exit"});
  const DeviceSet devices = WithGpu();
  Place(step, devices, false);
  const MemoryKinds memory(step, devices);
  for (const char* name : {"i", "i_now", "less", "goes_on", "i_switch", "i_sum", "i_next", "v_now", "v_tanh"}) {
    EXPECT_EQ(NodeOf(step, name).device, kGpu) << name;
  }
  for (const char* name : {"i", "i_now", "less", "i_switch", "i_sum", "i_next"}) {
    EXPECT_TRUE(memory.LiesOnHost({Find(step, name), 0})) << name;
  }
  for (const char* name : {"v", "v_now", "v_switch", "v_tanh", "v_next"}) {
    EXPECT_FALSE(memory.LiesOnHost({Find(step, name), 0})) << name;
  }
}

bool Stays(const StepGraph& step, const std::string& name) {
  return GetAttrOr<bool>(NodeOf(step, name).op->attrs, "_stays_on_host", false);
}

// GPUs have a kernel for "kept"; what it joins lies on the host, and a shape is wanted there.
TEST(HostWork, IsWhatStartsAndEndsThere) {
  TestGraph graph = Sizes();
  graph.Add("shape", "Shape", {"y"}, {{"T", kFloat}, {"out_type", kInt}});
  graph.Const("places", MakeVector<int32_t>({0, 1}));
  graph.Const("first", MakeVector<int32_t>({0}));
  graph.Const("one", MakeVector<int32_t>({1}));
  graph.Add("kept", "DynamicStitch", {"places", "first", "shape", "one"}, {{"T", kInt}, {"N", 2}});
  graph.Add("reshaped", "Reshape", {"y", "kept"}, {{"T", kFloat}, {"Tshape", kInt}});
  graph.Add("for_device", "DynamicStitch", {"places", "first", "shape", "one"}, {{"T", kInt}, {"N", 2}});
  graph.Add("gathered", "GatherV2", {"y", "for_device", "axis"},
            {{"Tparams", kFloat}, {"Tindices", kInt}, {"Taxis", kInt}, {"batch_dims", 0}});
  graph.Int("axis", 0);
  graph.Add("leaves", "DynamicStitch", {"places", "first", "shape", "one"}, {{"T", kInt}, {"N", 2}});
  StepGraph step = PruneFor(graph, {"x"}, {"reshaped", "gathered", "leaves"});
  const DeviceSet devices = WithGpu();
  Place(step, devices, false);
  KeepWorkOnHost(step, devices);
  EXPECT_TRUE(Stays(step, "kept"));
  EXPECT_FALSE(Stays(step, "for_device"));
  EXPECT_FALSE(Stays(step, "leaves"));
  EXPECT_FALSE(Stays(step, "reshaped"));
  Partition(step, devices);
  int sends = 0;
  for (const StepNode& node : step.nodes) sends += node.op != nullptr && node.op->op->kind == OpKind::kSend;
  EXPECT_EQ(sends, 5);  // x comes, `shape` goes to the device's memory, and three results leave
}

TEST(HostWork, IsNotWhatGivesNothing) {
  TestGraph graph = Sizes();
  graph.Add("shape", "Shape", {"y"}, {{"T", kFloat}, {"out_type", kInt}});
  graph.Add("nothing", "Unpack", {"shape"}, {{"T", kInt}, {"num", 0}, {"axis", 0}});
  graph.Op("after", "Tanh", kFloat, {"y", "^nothing"});
  StepGraph step = PruneFor(graph, {"x"}, {"after"});
  const DeviceSet devices = WithGpu();
  Place(step, devices, false);
  KeepWorkOnHost(step, devices);
  EXPECT_FALSE(Stays(step, "nothing"));
}

}  // namespace
}  // namespace plumb::fast
