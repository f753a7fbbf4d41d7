#include "reference/step/control_flow.h"

#include <gtest/gtest.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

const AttrMap kInt = {{"T", DType::kInt32}};
const AttrMap kBool = {{"T", DType::kBool}};
const AttrMap kIntVariable = {{"shape", PartialShape(Shape())}, {"dtype", DType::kInt32}};

// Both sides of a conditional on `p`: left (port 0) lives when p is false, right when it is true.
TestGraph Conditional() {
  TestGraph graph;
  graph.Add("p", "Placeholder", {}, {{"dtype", DType::kBool}}).Const("x", 7).Const("y", 8);
  graph.Add("s", "Switch", {"x", "p"}, kInt);
  graph.Add("left", "Identity", {"s"}, kInt).Add("right", "Identity", {"s:1"}, kInt);
  return graph;
}
const std::vector<Feed> kTrue = {{"p", MakeScalar<bool>(true)}};
const std::vector<Feed> kFalse = {{"p", MakeScalar<bool>(false)}};

TEST(ControlFlow, SwitchSendsToOneSide) {
  TestSession session(Conditional());
  EXPECT_EQ(session.Run({"right"}, kTrue).scalar<int32_t>(), 7);
  EXPECT_EQ(session.Run({"left"}, kTrue).code(), Code::kInvalidArgument);  // F26
  EXPECT_EQ(session.Run({"left"}, kFalse).scalar<int32_t>(), 7);
  EXPECT_EQ(session.Run({"left"}, {{"p", MakeVector<bool>({true})}}).code(), Code::kInvalidArgument);  // X31
}

// An index that no output has means the last.
TEST(ControlFlow, SwitchSendsToTheOutputOfANumber) {
  TestGraph graph;
  graph.Add("i", "Placeholder", {}, {{"dtype", DType::kInt32}}).Const("x", 7);
  graph.Add("s", "_SwitchN", {"x", "i"}, {{"T", DType::kInt32}, {"num_outs", 3}});
  graph.Add("m", "Merge", {"s", "s:1", "s:2"}, kInt);
  TestSession session(graph);
  for (const auto& [index, output] : {std::pair(0, 0), {1, 1}, {2, 2}, {3, 2}, {-1, 2}, {INT32_MIN, 2}}) {
    const RunResult result = session.Run({"m", "m:1"}, {{"i", MakeScalar<int32_t>(index)}});
    ASSERT_EQ(result.code(), Code::kOk) << result.status.ToString();
    EXPECT_EQ(result.scalar<int32_t>(0), 7);
    EXPECT_EQ(result.scalar<int32_t>(1), output) << index;
  }
  EXPECT_EQ(session.Run({"s"}, {{"i", MakeScalar<int32_t>(1)}}).code(), Code::kInvalidArgument);  // F26
  EXPECT_EQ(session.Run({"s"}, {{"i", MakeVector<int32_t>({0})}}).code(), Code::kInvalidArgument);
}

TEST(ControlFlow, MergeTakesTheLiveInputWhateverItsControlInputs) {
  TestGraph graph = Conditional();
  graph.Add("m", "Merge", {"left", "right"}, kInt).Add("m_after_dead", "Merge", {"left", "right", "^right"}, kInt);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"m:1"}, kTrue).scalar<int32_t>(), 1);  // X34
  const RunResult result = session.Run({"m_after_dead", "m_after_dead:1"}, kFalse);
  EXPECT_EQ(result.scalar<int32_t>(0), 7);  // X32
  EXPECT_EQ(result.scalar<int32_t>(1), 0);
}

TEST(ControlFlow, AMergeOfDeadInputsIsDeadAndWaitsForItsControlInputs) {
  TestGraph graph = Conditional();
  graph.Add("m", "Merge", {"right", "s:1", "^later"}, kInt).Add("later", "Identity", {"y"}, kInt);
  EXPECT_EQ(TestSession(graph).Run({"m"}, kFalse).code(), Code::kInvalidArgument);
}

TEST(ControlFlow, TwoLiveInputsFireAMergeOnce) {
  TestGraph graph = Conditional();
  graph.Add("m", "Merge", {"x", "y"}, kInt);
  const RunResult result = TestSession(graph).Run({"m", "m:1"});
  EXPECT_EQ(result.scalar<int32_t>(0), 7 + result.scalar<int32_t>(1));
}

TEST(ControlFlow, AControlEdgeCarriesTheDeadnessOfItsNode) {
  TestGraph graph = Conditional();
  graph.Add("after_switch", "Identity", {"y", "^s"}, kInt).Add("after_side", "Identity", {"y", "^right"}, kInt);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"after_switch"}, kTrue).scalar<int32_t>(), 8);  // X3
  EXPECT_EQ(session.Run({"after_switch"}, kFalse).scalar<int32_t>(), 8);
  EXPECT_EQ(session.Run({"after_side"}, kTrue).scalar<int32_t>(), 8);
  EXPECT_EQ(session.Run({"after_side"}, kFalse).code(), Code::kInvalidArgument);  // X2
}

TEST(ControlFlow, ControlTriggerRevivesAndNoOpDoesNot) {
  TestGraph graph = Conditional();
  graph.Add("trigger", "ControlTrigger", {"^right"}).Add("group", "NoOp", {"^left", "^right"});
  graph.Add("after_trigger", "Identity", {"y", "^trigger"}, kInt).Add("after_group", "Identity", {"y", "^group"}, kInt);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"after_trigger"}, kFalse).scalar<int32_t>(), 8);          // X5
  EXPECT_EQ(session.Run({"after_group"}, kFalse).code(), Code::kInvalidArgument);  // X37
}

TEST(ControlFlow, ADeadFetchFailsAfterTheStepHasRun) {
  TestGraph graph = Conditional();
  graph.Add("v", "VariableV2", {}, kIntVariable).Add("assign", "Assign", {"v", "x"}, kInt);
  TestSession session(graph);
  const RunResult dead = session.Run({"right"}, kFalse, {"assign"});
  EXPECT_EQ(dead.code(), Code::kInvalidArgument);
  EXPECT_NE(dead.status.message().find("'right:0'"), std::string::npos) << dead.status.message();
  EXPECT_EQ(session.Run({"v"}).scalar<int32_t>(), 7);  // F26, S5: side effects stand
}

TEST(ControlFlow, ReferencesPassThroughSwitchAndMerge) {
  TestGraph graph = Conditional();
  graph.Add("v", "VariableV2", {}, kIntVariable).Add("rs", "RefSwitch", {"v", "p"}, kInt);
  graph.Add("assign", "Assign", {"rs:1", "y"}, kInt);
  graph.Add("rm", "RefMerge", {"rs", "assign"}, kInt);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"rm"}, kFalse).code(), Code::kFailedPrecondition);  // R13: RefMerge is not exempt
  EXPECT_EQ(session.Run({"rm"}, kTrue).scalar<int32_t>(), 8);                // RefSwitch is
  EXPECT_EQ(session.Run({"v"}).scalar<int32_t>(), 8);
}

TEST(ControlFlow, RefSelectPicksAReference) {
  TestGraph graph;
  graph.Add("i", "Placeholder", {}, {{"dtype", DType::kInt32}}).Const("x", 7).Const("y", 8);
  graph.Add("v", "VariableV2", {}, kIntVariable).Add("w", "VariableV2", {}, kIntVariable);
  graph.Add("v_init", "Assign", {"v", "x"}, kInt).Add("w_init", "Assign", {"w", "y"}, kInt);
  graph.Add("pick", "RefSelect", {"i", "v_init", "w_init"}, {{"T", DType::kInt32}, {"N", 2}});
  TestSession session(graph);
  EXPECT_EQ(session.Run({"pick"}, {{"i", MakeScalar<int32_t>(1)}}).scalar<int32_t>(), 8);
  EXPECT_EQ(session.Run({"pick"}, {{"i", MakeScalar<int32_t>(2)}}).code(), Code::kInvalidArgument);
  EXPECT_EQ(session.Run({"pick"}, {{"i", MakeVector<int32_t>({0})}}).code(), Code::kInvalidArgument);
}

TEST(ControlFlow, AnUnreadableReferenceStopsTheReader) {
  TestGraph graph = Conditional();
  graph.Add("v", "VariableV2", {}, kIntVariable).Add("copy", "Identity", {"v"}, kInt);
  graph.Add("empty", "VariableV2", {}, {{"shape", PartialShape(Shape({0}))}, {"dtype", DType::kInt32}});
  graph.Add("has", "IsVariableInitialized", {"v"}, {{"dtype", DType::kInt32}});
  graph.Add("empty_has", "IsVariableInitialized", {"empty"}, {{"dtype", DType::kInt32}});
  TestSession session(graph);
  EXPECT_EQ(session.Run({"copy"}).code(), Code::kFailedPrecondition);
  EXPECT_FALSE(session.Run({"has"}).scalar<bool>());
  EXPECT_TRUE(session.Run({"empty_has"}).scalar<bool>());  // R11
  EXPECT_EQ(session.Run({"empty"}).outputs.at(0).elements(), 0);
}

// R31–R33: what was handed on shows a later write, what was computed does not.
TEST(ControlFlow, AReadIsAnAlias) {
  TestGraph graph = Conditional();
  graph.Add("v", "VariableV2", {}, kIntVariable).Add("init", "Assign", {"v", "x"}, kInt);
  graph.Add("before", "Identity", {"v"}, kInt).Add("same", "Neg", {"before"}, kInt);
  graph.Add("write", "Assign", {"v", "y", "^same"}, kInt);
  graph.Add("late", "Neg", {"before", "^write"}, kInt).Add("after", "Identity", {"same", "^write"}, kInt);
  TestSession session(graph);
  ASSERT_EQ(session.Run({"init"}).code(), Code::kOk);
  const RunResult result = session.Run({"late", "after"});
  EXPECT_EQ(result.scalar<int32_t>(0), -8);
  EXPECT_EQ(result.scalar<int32_t>(1), -7);
}

TEST(ControlFlow, MessagesCarryDeadness) {
  TestGraph graph = Conditional();
  const AttrMap channel = {{"T", DType::kInt32},        {"tensor_type", DType::kInt32}, {"tensor_name", "edge"},
                           {"send_device", "/cpu:0"},   {"recv_device", "/cpu:1"},      {"send_device_incarnation", 1},
                           {"client_terminated", false}};
  AttrMap send = channel, recv = channel;
  send.erase("tensor_type");
  recv.erase("T");
  graph.Add("recv", "_Recv", {}, recv).Add("send", "_Send", {"right"}, send);
  graph.Add("m", "Merge", {"recv", "left"}, kInt);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"m:1"}, kTrue, {"send"}).scalar<int32_t>(), 0);
  EXPECT_EQ(session.Run({"m:1"}, kFalse, {"send"}).scalar<int32_t>(), 1);  // X4
}

}  // namespace
}  // namespace plumb::reference
