// What travels between devices (rules W20–W24).
#include "fastpath/compile/placement/partition.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fastpath/compile/placement/place.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/device/transfer.h"
#include "fastpath/sim/sim_testing.h"
#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

StepGraph Partitioned(const TestGraph& graph, const std::string& fetch, const DeviceSet& devices) {
  StepGraph step = PruneFor(graph, {"x"}, {fetch});
  Place(step, devices, false);
  Partition(step, devices);
  return step;
}

int64_t SendsIn(const StepGraph& step) {
  return std::count_if(step.nodes.begin(), step.nodes.end(), [](const StepNode& node) {
    return node.kind == NodeKind::kSend || (node.op != nullptr && node.op->op->kind == OpKind::kSend);
  });
}

// A constant on the other device that waits for `before`, behind a node that takes `value` there.
TestGraph Waiting(const std::string& value, const std::string& before, const std::string& far) {
  TestGraph graph;
  graph.Add("x", "Placeholder", {}, {{"dtype", kFloat}});
  graph.Add("choice", "Less", {"x", "x"}, {{"T", kFloat}});
  graph.Add("made", "Neg", {"x"}, {{"T", kFloat}}, "/cpu:0");
  graph.Add("chosen", "Switch", {"x", "choice"}, {{"T", kFloat}}, "/cpu:0");
  graph.Add("one", "Const", {"^" + before}, {{"value", MakeScalar(1.0f)}, {"dtype", kFloat}}, far);
  graph.Add("late", "Neg", {"one"}, {{"T", kFloat}}, far);
  graph.Add("sum", "Add", {value, "late"}, {{"T", kFloat}}, far);
  return graph;
}

// W22: one message tells of both, whichever of its readers comes first.
TEST(Partition, SendsNoSignalBesideAValue) {
  const DeviceSet devices = CpuDevices(2);
  EXPECT_EQ(SendsIn(Partitioned(Waiting("made", "made", "/cpu:1"), "sum", devices)), 1);
  EXPECT_EQ(SendsIn(Partitioned(Waiting("x", "made", "/cpu:1"), "sum", devices)), 2);
}

// X3: a Switch is live where one of its outputs is not.
TEST(Partition, SendsASignalBesideOneOutputOfASwitch) {
  EXPECT_EQ(SendsIn(Partitioned(Waiting("chosen:1", "chosen", "/cpu:1"), "sum", CpuDevices(2))), 2);
}

// W16: that a value lies in the memory of a device says nothing of the work before it.
TEST(Partition, SendsASignalToDevicesWithMemoryOfTheirOwn) {
  DeviceSet devices = CpuDevices(1);
  devices.Add(std::make_unique<SimDevice>(NewSimDriver({}), 0, 1));
  EXPECT_EQ(SendsIn(Partitioned(Waiting("made", "made", "/device:SIM:0"), "sum", devices)),
            SendsIn(Partitioned(Waiting("made", "x", "/device:SIM:0"), "sum", devices)));
}

// A loop on two devices that computes by Tanh, with these LoopConds: all ask the same, and each turns a value of its
// own.
TestGraph LoopAskedBy(const std::vector<std::string>& conditions) {
  TestGraph graph;
  graph.Add("x", "Placeholder", {}, {{"dtype", kFloat}});
  graph.Enter("limit", kFloat, {"x"}, "loop", true);
  std::vector<std::string> exits;
  for (const std::string& condition : conditions) {
    const std::string v = "v" + std::to_string(exits.size());
    graph.Enter(v, kFloat, {"x"}, "loop");
    graph.Merge(v + "_now", kFloat, {v, v + "_next"}, 2);
    graph.Add(v + "_less", "Less", {"v0_now", "limit"}, {{"T", kFloat}}, "/cpu:0");
    graph.Add(condition, "LoopCond", {v + "_less"}, {}, "/cpu:0");
    graph.Op(v + "_switch", "Switch", kFloat, {v + "_now", condition});
    graph.Add(v + "_tanh", "Tanh", {v + "_switch:1"}, {{"T", kFloat}}, "/device:SIM:0");
    graph.Op(v + "_next", "NextIteration", kFloat, {v + "_tanh"});
    exits.push_back(graph.Op(v + "_exit", "Exit", kFloat, {v + "_switch"}));
  }
  graph.Add("sum", "AddN", exits, {{"T", kFloat}, {"N", std::ssize(exits)}});
  return graph;
}

// X12, W26: what tells the parts of a loop to go on is its LoopCond and not that of a counter, in whichever order they
// stand; a counter where there is nothing else.
TEST(Partition, ControlLoopsFollowTheConditionAndNotACounter) {
  DeviceSet devices = CpuDevices(1);
  devices.Add(std::make_unique<SimDevice>(NewSimDriver({}), 0, 1));
  using Conditions = std::vector<std::string>;
  for (const auto& [conditions, expected] : {std::pair(Conditions{"goes_on", "a/LoopCounter"}, "goes_on"),
                                             {{"a/LoopCounter", "goes_on"}, "goes_on"},
                                             {{"a/LoopCounter", "goes_on", "b/LoopCounter"}, "goes_on"},
                                             {{"a/LoopCounter"}, "a/LoopCounter"}}) {
    const StepGraph step = Partitioned(LoopAskedBy(conditions), "sum", devices);
    int loops = 0;
    for (const StepNode& node : step.nodes) {
      if (!node.name.starts_with("_control_loop_") || !node.name.ends_with("/switch") || node.device != 0) continue;
      EXPECT_EQ(step[node.inputs[1].node].name, expected);
      ++loops;
    }
    EXPECT_EQ(loops, 1);
  }
}

// W30: no two channels of a step have one number.
TEST(Partition, CountsChannels) {
  DeviceSet devices = CpuDevices(1);
  devices.Add(std::make_unique<SimDevice>(NewSimDriver({}), 0, 1));
  const StepGraph step = Partitioned(Waiting("made", "made", "/device:SIM:0"), "sum", devices);
  std::vector<int64_t> sent, received;
  for (const StepNode& node : step.nodes) {
    if (node.op == nullptr || !node.op->attrs.contains(kChannelNumber)) continue;
    const auto number = GetAttr<int64_t>(node.op->attrs, kChannelNumber);
    (node.op->op->kind == OpKind::kSend ? sent : received).push_back(number);
  }
  std::sort(sent.begin(), sent.end());
  std::sort(received.begin(), received.end());
  EXPECT_GE(sent.size(), 3u) << "a value, a signal, and what is fetched";
  EXPECT_EQ(sent, received);
  EXPECT_EQ(std::unique(sent.begin(), sent.end()), sent.end());
}

}  // namespace
}  // namespace plumb::fast
