#include "fastpath/compile/placement/place.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "fastpath/compile/passes/schedule_receives.h"
#include "fastpath/compile/placement/partition.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

StepGraph Placed(const TestGraph& graph, std::vector<std::string> fetches, int devices = 2, bool soft = false) {
  StepGraph step = PruneFor(graph, {}, std::move(fetches));
  Place(step, CpuDevices(devices), soft);
  return step;
}

TEST(Place, DoesWhatANodeAsksFor) {
  TestGraph graph;
  graph.Add("a", "Placeholder", {}, {{"dtype", kFloat}}, "/cpu:1");
  graph.Add("b", "Neg", {"a"}, {{"T", kFloat}}, "/device:CPU:0");
  const StepGraph step = Placed(graph, {"b"});
  EXPECT_EQ(NodeOf(step, "a").device, 1);
  EXPECT_EQ(NodeOf(step, "b").device, 0);
}

// W13, W15.
TEST(Place, RefusesMissingDevicesUnlessPlacementIsSoft) {
  for (const std::string device : {"/device:GPU:0", "/cpu:2", "/job:elsewhere"}) {
    TestGraph graph;
    graph.Add("a", "Placeholder", {}, {{"dtype", kFloat}}, device);
    try {
      Placed(graph, {"a"});
      ADD_FAILURE() << device << " was found";
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    }
    if (device != "/job:elsewhere") {
      EXPECT_NO_THROW(Placed(graph, {"a"}, 2, true)) << device;
    }
  }
}

// W11 (a), W12: a reference stays where its variable is; a value read from it may go.
TEST(Place, KeepsReferencesTogether) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}}, "/cpu:1");
  graph.Float("one", 1);
  graph.Add("assign", "Assign", {"v", "one"}, {{"T", kFloat}}, "/cpu:0");
  graph.Add("read", "Neg", {"assign"}, {{"T", kFloat}}, "/cpu:0");
  const StepGraph step = Placed(graph, {"read"});
  EXPECT_EQ(NodeOf(step, "assign").device, 1);
  EXPECT_EQ(NodeOf(step, "read").device, 0);
}

// R31: what may be an alias stays where its variable is, in whichever order the nodes stand.
TEST(Place, KeepsAliasesTogetherInAnyOrder) {
  const std::vector<std::string> chain = {"first", "second", "third"};
  for (const bool is_reversed : {false, true}) {
    TestGraph graph;
    if (!is_reversed) graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}}, "/cpu:1");
    for (size_t k = 0; k < chain.size(); ++k) {
      const size_t i = is_reversed ? chain.size() - 1 - k : k;
      graph.Op(chain[i], "Identity", kFloat, {i == 0 ? "v" : chain[i - 1]});
    }
    if (is_reversed) graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}}, "/cpu:1");
    const StepGraph step = Placed(graph, {"third"});
    for (const std::string& name : chain) EXPECT_EQ(NodeOf(step, name).device, 1) << name << ", " << is_reversed;
  }
}

// R31: what hands on several values shows each of them.
TEST(Place, KeepsAliasesTogetherThatAreHandedOnAtOnce) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}}, "/cpu:1");
  graph.Op("read", "Identity", kFloat, {"v"});
  graph.Op("again", "Identity", kFloat, {"v"});
  graph.Add("both", "IdentityN", {"read", "again"}, {{"T", std::vector<DType>{kFloat, kFloat}}});
  EXPECT_EQ(NodeOf(Placed(graph, {"both"}), "both").device, 1);
}

// W11 (b), W12.
TEST(Place, ColocatesByClass) {
  const auto with_class = [](const std::string& label) {
    return AttrMap{{"T", kFloat}, {"_class", std::vector<std::string>{"loc:@" + label}}};
  };
  TestGraph graph;
  graph.Add("a", "Placeholder", {}, {{"dtype", kFloat}}, "/cpu:1");
  graph.Add("b", "Neg", {"a"}, with_class("a"));
  graph.Add("c", "Neg", {"b"}, with_class("nobody"), "/cpu:1");
  graph.Add("d", "Neg", {"c"}, with_class("nobody"));
  const StepGraph step = Placed(graph, {"d"});
  EXPECT_EQ(NodeOf(step, "b").device, 1);
  EXPECT_EQ(NodeOf(step, "d").device, 1);
  graph.Add("e", "Neg", {"d"}, with_class("a"), "/cpu:0");
  EXPECT_THROW(Placed(graph, {"e"}), Error);
  EXPECT_NO_THROW(Placed(graph, {"e"}, 2, true));
}

// W21: one Send and one Recv for a tensor and a device, however many consumers.
TEST(Partition, SharesOneReceiveForATensorAndADevice) {
  TestGraph graph;
  graph.Add("a", "Placeholder", {}, {{"dtype", kFloat}}, "/cpu:0");
  graph.Add("b", "Neg", {"a"}, {{"T", kFloat}}, "/cpu:1");
  graph.Add("c", "Abs", {"a"}, {{"T", kFloat}}, "/cpu:1");
  graph.Add("d", "Add", {"b", "c"}, {{"T", kFloat}}, "/cpu:1");
  StepGraph step = Placed(graph, {"d"});
  Partition(step, CpuDevices(2));
  int sends = 0, receives = 0;
  for (const StepNode& node : step.nodes) {
    sends += node.kind == NodeKind::kSend && node.device == 0;
    receives += node.kind == NodeKind::kRecv && node.device == 1;
    if (node.kind == NodeKind::kRecv) continue;
    for (const Endpoint& input : node.inputs) EXPECT_EQ(step[input.node].device, node.device) << node.name;
  }
  EXPECT_EQ(sends, 1);
  EXPECT_EQ(receives, 1);
}

// W22: a control edge between devices ends at an Identity, once for each device.
TEST(Partition, SendsControlEdgesAsEmptyTensors) {
  TestGraph graph;
  graph.Add("a", "NoOp", {}, {}, "/cpu:0");
  graph.Add("b", "NoOp", {"^a"}, {}, "/cpu:1");
  graph.Add("c", "NoOp", {"^a", "^b"}, {}, "/cpu:1");
  StepGraph step = PruneFor(graph, {}, {}, {"c"});
  const DeviceSet devices = CpuDevices(2);
  Place(step, devices, false);
  Partition(step, devices);
  const NodeId signal = NodeOf(step, "b").controls[0];
  EXPECT_EQ(step[signal].kind, NodeKind::kIdentity);
  EXPECT_EQ(step[signal].device, 1);
  EXPECT_EQ(NodeOf(step, "c").controls[0], signal);
}

// W35: the latest start of a node leaves just enough time for what follows it.
TEST(ScheduleReceives, LatestStartsGrowAlongEdges) {
  TestGraph graph;
  graph.Placeholder("p", kFloat);
  graph.Op("a", "Neg", kFloat, {"p"});
  graph.Op("b", "Neg", kFloat, {"a"});
  graph.Op("c", "Add", kFloat, {"b", "p"});
  const StepGraph step = PruneFor(graph, {}, {"c"});
  const LatestStarts latest = ComputeLatestStarts(step);
  for (int i = 0; i < step.size(); ++i) {
    for (const Endpoint& input : step.nodes[i].inputs) {
      EXPECT_LT(latest.start[Index(input.node)], latest.start[i]) << step.nodes[i].name;
    }
    EXPECT_GE(latest.start[i], 0) << step.nodes[i].name;
  }
}

// x → n0 → n1, which is Abs, → … on one device; "end" takes the last of them and a value of another device.
StepGraph LongChain() {
  TestGraph graph;
  graph.Add("x", "Placeholder", {}, {{"dtype", kFloat}}, "/cpu:0");
  graph.Add("far", "Placeholder", {}, {{"dtype", kFloat}}, "/cpu:1");
  std::string last = "x";
  for (int i = 0; i < 200; ++i) {
    last = graph.Add("n" + std::to_string(i), i == 1 ? "Abs" : "Neg", {last}, {{"T", kFloat}}, "/cpu:0");
  }
  graph.Add("end", "Add", {last, "far"}, {{"T", kFloat}}, "/cpu:0");
  StepGraph step = Placed(graph, {"end"});
  Partition(step, CpuDevices(2));
  return step;
}

// A Recv whose value is wanted at the end of a long chain waits for the chain's beginning.
TEST(ScheduleReceives, HoldsBackWhatIsWantedLate) {
  StepGraph step = LongChain();
  ScheduleReceives(step, [](const StepNode&) { return false; });
  const StepNode& recv = step[NodeOf(step, "end").inputs[1].node];
  ASSERT_EQ(recv.kind, NodeKind::kRecv);
  ASSERT_EQ(recv.controls.size(), 1u);
  EXPECT_EQ(step[recv.controls[0]].kind, NodeKind::kControlTrigger);
  EXPECT_NO_THROW(TopologicalOrder(step));
}

// What waits for others, and all that hangs off it, holds nothing back.
TEST(ScheduleReceives, HoldsNothingBackForWhatMayWait) {
  StepGraph step = LongChain();
  ScheduleReceives(step, [](const StepNode& node) { return node.op != nullptr && node.op->op->name == "Abs"; });
  const StepNode& recv = step[NodeOf(step, "end").inputs[1].node];
  ASSERT_EQ(recv.controls.size(), 1u);
  const StepNode& trigger = step[recv.controls[0]];
  std::vector<std::string> awaited;
  for (const NodeId before : trigger.controls) awaited.push_back(step[before].name);
  EXPECT_EQ(awaited, (std::vector<std::string>{"x", "n0"}));
}

}  // namespace
}  // namespace plumb::fast
