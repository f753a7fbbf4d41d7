// Laws of placing and partitioning with devices that have memory of their own (W13–W16, W20–W26).
#include <gtest/gtest.h>

#include <algorithm>

#include "fastpath/compile/placement/aliases.h"
#include "fastpath/compile/placement/partition.h"
#include "fastpath/compile/placement/place.h"
#include "fastpath/device/transfer.h"
#include "fastpath/session/devices.h"
#include "fastpath/testing/test_graph.h"
#include "spec/ops/op_def.h"
#include "spec/validate/signatures.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;
constexpr int kCpu = 0, kSim = 1;

DeviceSet WithSims() { return MakeDevices({.sim_devices = 2}); }

int Count(const StepGraph& graph, OpKind kind) {
  return static_cast<int>(std::count_if(graph.nodes.begin(), graph.nodes.end(), [&](const StepNode& node) {
    return node.op != nullptr && node.op->op->kind == kind;
  }));
}

std::vector<DType> TypesOf(const std::vector<ArgDef>& args, const AttrMap& attrs) {
  std::vector<DType> types;
  for (const ArgDef& arg : args) {
    for (const DType type : ExpandTypes(arg, attrs)) types.push_back(type);
  }
  return types;
}

// T1–T3: nodes have the types that the rows of their ops give them, those that were made on the way too, and edges
// carry what both of their ends say.
void PartitionTyped(StepGraph& step, const DeviceSet& devices) {
  Partition(step, devices);
  for (const StepNode& node : step.nodes) {
    ASSERT_EQ(node.inputs.size(), node.input_types.size()) << node.name;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const Endpoint input = node.inputs[i];
      EXPECT_TRUE(MayFlow(step[input.node].output_types.at(input.output), node.input_types[i])) << node.name;
    }
    if (node.op == nullptr) continue;
    EXPECT_EQ(node.input_types, TypesOf(node.op->op->inputs, node.op->attrs)) << node.name;
    EXPECT_EQ(node.output_types, TypesOf(node.op->op->outputs, node.op->attrs)) << node.name;
  }
}

// W14; W16; what may be an alias of a variable's buffer stays with it.
TEST(Accelerators, GetWhatTheyCanTake) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}});
  graph.Op("handed_on", "Identity", kFloat, {"v"});
  graph.Op("computed", "Add", kFloat, {"handed_on", "handed_on"});
  graph.Op("shape", "Shape", kFloat, {"computed"});
  graph.Op("shape_of_v", "Shape", kFloat, {"v"});
  graph.Const("text", MakeScalar<std::string>("a"));
  graph.Op("text_on_host", "Identity", DType::kString, {"text"});
  graph.Add("third", "Neg", {"computed"}, {{"T", kFloat}}, "/cpu:0");
  StepGraph step = PruneFor(graph, {}, {"shape", "shape_of_v", "text_on_host", "third"});
  const DeviceSet devices = WithSims();
  Place(step, devices, false);
  for (const char* name : {"text", "text_on_host", "third"}) EXPECT_EQ(NodeOf(step, name).device, kCpu) << name;
  for (const char* name : {"v", "handed_on", "computed", "shape", "shape_of_v"}) {
    EXPECT_EQ(NodeOf(step, name).device, kSim) << name;
  }
}

// W14: lists go together where all that is done with them can be done, and what asks for a place has it.
TEST(Accelerators, GetListsWithAllTheirUsers) {
  const AttrMap floats = {{"element_dtype", kFloat}}, made = {{"element_dtype", kFloat}, {"shape_type", DType::kInt32}};
  TestGraph graph;
  graph.Placeholder("rows", kFloat);
  graph.Int("any", -1);
  graph.Add("a", "TensorListFromTensor", {"rows", "any"}, made);
  graph.Op("same", "Identity", DType::kVariant, {"a"});
  graph.Add("on_sim", "TensorListStack", {"same", "any"}, floats);
  graph.Add("b", "TensorListFromTensor", {"rows", "any"}, made);
  graph.Add("longer", "TensorListPushBack", {"b", "on_sim"}, floats);
  graph.Add("lists", "Pack", {"longer", "longer"}, {{"T", DType::kVariant}, {"N", int64_t{2}}});
  graph.Add("first", "Unpack", {"lists"}, {{"T", DType::kVariant}, {"num", int64_t{2}}});
  graph.Add("on_host", "TensorListStack", {"first", "any"}, floats);
  graph.Add("c", "TensorListFromTensor", {"rows", "any"}, made, "/cpu:0");
  graph.Add("there", "TensorListStack", {"c", "any"}, floats);
  StepGraph step = PruneFor(graph, {}, {"on_sim", "on_host", "there"});
  Place(step, WithSims(), false);
  for (const char* name : {"a", "same", "on_sim", "there"}) EXPECT_EQ(NodeOf(step, name).device, kSim) << name;
  for (const char* name : {"b", "longer", "lists", "first", "on_host", "c"}) {
    EXPECT_EQ(NodeOf(step, name).device, kCpu) << name;
  }
}

// W13: an accelerator without a kernel is no place, unless placement is soft.
TEST(Accelerators, AreNotAskedForKernelsThatTheyLack) {
  TestGraph graph;
  graph.Const("text", MakeScalar<std::string>("a"));
  graph.Add("far", "Identity", {"text"}, {{"T", DType::kString}}, "/device:SIM:0");
  const DeviceSet devices = WithSims();
  StepGraph step = PruneFor(graph, {}, {"far"});
  try {
    Place(step, devices, false);
    ADD_FAILURE() << "it was placed";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
  }
  Place(step, devices, true);
  EXPECT_EQ(NodeOf(step, "far").device, kCpu);
}

// Of a graph that prefers the host, as calls do that are compiled when they run, accelerators get what asks for them.
TEST(Accelerators, GetWhatAsksForThemWhereTheHostIsPreferred) {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Op("near", "Neg", kFloat, {"x"});
  graph.Add("far", "Neg", {"near"}, {{"T", kFloat}}, "/device:SIM:0");
  graph.Op("near_again", "Exp", kFloat, {"far"});
  StepGraph step = PruneFor(graph, {"x"}, {"near_again"});
  Place(step, WithSims(), false, /*prefers_host=*/true);
  for (const char* name : {"near", "near_again"}) EXPECT_EQ(NodeOf(step, name).device, kCpu) << name;
  EXPECT_EQ(NodeOf(step, "far").device, kSim);
}

// W16, W21: a tensor goes to a device once for each memory; constants are not sent at all.
TEST(Partition, SendsOnceForEachMemory) {
  TestGraph graph;
  graph.Placeholder("x", DType::kInt32);
  graph.Float("half", 0.5f);
  graph.Add("a", "Neg", {"x"}, {{"T", DType::kInt32}}, "/device:SIM:0");
  graph.Add("b", "Square", {"x"}, {{"T", DType::kInt32}}, "/device:SIM:0");
  graph.Add("c", "Fill", {"x", "half"}, {{"T", kFloat}}, "/device:SIM:0");
  graph.Add("d", "Fill", {"x", "half"}, {{"T", kFloat}}, "/device:SIM:0");
  StepGraph step = PruneFor(graph, {"x"}, {}, {"a", "b", "c", "d"});
  const DeviceSet devices = WithSims();
  Place(step, devices, false);
  PartitionTyped(step, devices);
  EXPECT_EQ(Count(step, OpKind::kSend), 2);
  EXPECT_EQ(NodeOf(step, "a").inputs[0], NodeOf(step, "b").inputs[0]);
  EXPECT_EQ(NodeOf(step, "c").inputs, NodeOf(step, "d").inputs);
  const StepNode& shape = step[NodeOf(step, "c").inputs[0].node];
  ASSERT_EQ(shape.op->op->kind, OpKind::kRecv);
  EXPECT_TRUE(GetAttr<bool>(shape.op->attrs, kReceivesOnHost));
  EXPECT_FALSE(GetAttr<bool>(step[NodeOf(step, "a").inputs[0].node].op->attrs, kReceivesOnHost));
  EXPECT_TRUE(step[NodeOf(step, "c").inputs[1].node].in_device_memory);
  const auto parts = SplitPlans(step, devices);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].size() + parts[1].size(), step.size());
  for (const StepGraph& part : parts) EXPECT_NO_THROW(TopologicalOrder(part));
}

// W24: what may change is read when all else is there that the consumer waits for.
TEST(Partition, ReadsVariablesWhenTheConsumerWould) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}}, "/cpu:0");
  graph.Float("one", 1);
  graph.Op("other", "Assign", kFloat, {"v", "one"});
  graph.Placeholder("x", kFloat);
  graph.Add("y", "Neg", {"x"}, {{"T", kFloat}}, "/device:SIM:0");
  graph.Add("sum", "Add", {"v", "y", "^other"}, {{"T", kFloat}}, "/device:SIM:0");
  StepGraph step = PruneFor(graph, {"x"}, {"sum"});
  const DeviceSet devices = WithSims();
  Place(step, devices, false);
  PartitionTyped(step, devices);
  int waits = 0;
  for (const StepNode& node : step.nodes) {
    const bool sends_v =
        node.op != nullptr && node.op->op->kind == OpKind::kSend && step[node.inputs[0].node].name == "v";
    if (sends_v) waits = static_cast<int>(node.controls.size());
  }
  EXPECT_EQ(waits, 2) << "for the assignment, and for a word from the other device that y is there";
}

// W26: one control loop for each plan that takes part in a frame; none where a loop lies in one plan.
TEST(Partition, GivesEachPlanOfALoopAControlLoop) {
  const auto loops = [](const std::string& device) {
    TestGraph graph;
    const auto on_host = [&](const char* name, const char* op, std::vector<std::string> inputs, AttrMap attrs) {
      attrs.emplace("T", kFloat);
      graph.Add(name, op, std::move(inputs), std::move(attrs), "/cpu:0");
    };
    graph.Placeholder("x", kFloat);
    on_host("enter", "Enter", {"x"}, {{"frame_name", "f"}});
    on_host("merge", "Merge", {"enter", "next"}, {{"N", 2}});
    graph.Add("limit", "Const", {"^merge"}, {{"value", MakeScalar(3.0f)}, {"dtype", kFloat}}, "/cpu:0");
    on_host("less", "Less", {"merge", "limit"}, {});
    graph.Add("cond", "LoopCond", {"less"}, {}, "/cpu:0");
    on_host("switch", "Switch", {"merge", "cond"}, {});
    graph.Add("body", "Exp", {"switch:1"}, {{"T", kFloat}}, device);
    on_host("next", "NextIteration", {"body"}, {});
    on_host("exit", "Exit", {"switch"}, {});
    StepGraph step = PruneFor(graph, {"x"}, {"exit"});
    const DeviceSet devices = WithSims();
    Place(step, devices, true);
    PartitionTyped(step, devices);
    return Count(step, OpKind::kMerge) - 1;
  };
  EXPECT_EQ(loops("/cpu:0"), 0);
  EXPECT_EQ(loops("/device:SIM:0"), 2);
}

// R31: through whatever may hand a buffer on, around loops too; not through what computes, or gives another kind of
// element, or nothing.
TEST(FindAliases, FollowsBuffers) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape({4})}});
  graph.Placeholder("x", kFloat);
  graph.Op("handed_on", "Identity", kFloat, {"v"});
  graph.Const("shape", MakeVector<int32_t>({2, 2}));
  graph.Add("reshaped", "Reshape", {"handed_on", "shape"}, {{"T", kFloat}, {"Tshape", DType::kInt32}});
  graph.Op("sum", "Add", kFloat, {"v", "x"});
  graph.Op("after", "Identity", kFloat, {"sum"});
  graph.Op("text", "AsString", kFloat, {"handed_on"});
  graph.Bool("holds", true);
  graph.Add("check", "Assert", {"holds", "handed_on"}, {{"T", std::vector{kFloat}}});
  graph.Op("chosen", "Select", kFloat, {"holds", "x", "handed_on"});
  graph.Const("paddings", MakeTensor<int32_t>({1, 2}, {0, 0}));
  graph.Add("padded", "PadV2", {"handed_on", "paddings", "x"}, {{"T", kFloat}, {"Tpaddings", DType::kInt32}});
  const StepGraph step = PruneFor(graph, {"x"}, {"after", "reshaped", "text", "chosen", "padded"}, {"check"});
  const std::vector<bool> may_alias = FindAliases(step);
  const auto of = [&](const char* name) { return may_alias[&NodeOf(step, name) - step.nodes.data()]; };
  for (const char* name : {"v", "handed_on", "reshaped", "chosen", "padded"}) EXPECT_TRUE(of(name)) << name;
  for (const char* name : {"x", "shape", "sum", "after", "text", "check"}) EXPECT_FALSE(of(name)) << name;
  for (size_t i = 0; i < step.nodes.size(); ++i) {
    EXPECT_FALSE(step.nodes[i].kind == NodeKind::kFetch && may_alias[i]) << "who fetches gets a copy";
  }
}

}  // namespace
}  // namespace plumb::fast
