// Corners of the meaning that no other test of this folder turns.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

const AttrMap kFloat = {{"T", DType::kFloat}};
const AttrMap kBool = {{"T", DType::kBool}};
const AttrMap kFloatVariable = {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}};
const AttrMap kFloatType = {{"dtype", DType::kFloat}};

// A conditional on "p", a variable "v" that "init" sets to 2, and constants.
TestGraph Base() {
  TestGraph graph;
  graph.Add("p", "Placeholder", {}, {{"dtype", DType::kBool}}).Const<float>("two", 2).Const<float>("three", 3);
  graph.Add("s", "Switch", {"two", "p"}, kFloat);
  graph.Add("left", "Identity", {"s"}, kFloat).Add("right", "Identity", {"s:1"}, kFloat);
  graph.Add("v", "VariableV2", {}, kFloatVariable).Add("init", "Assign", {"v", "two"}, kFloat);
  return graph;
}
const Feed kLeft = {"p", MakeScalar<bool>(false)};

std::vector<std::string> OrderOf(TestSession& session, std::vector<std::string> targets) {
  std::vector<std::string> order;
  Mode mode;
  mode.observer = [&](const NodeRun& run) { order.push_back(run.node.name); };
  const std::vector<ValueFeed> feeds = {{"p", MakeScalar<bool>(false)}};
  const Status status = session.session.RunValues(feeds, {}, targets, nullptr, mode);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return order;
}

TEST(EdgeCases, AMergeOfDeadInputsStillWaitsForItsControlInputs) {  // X32
  TestGraph graph = Base();
  graph.Add("a", "Identity", {"three"}, kFloat).Add("b", "Identity", {"a"}, kFloat).Add("c", "Identity", {"b"}, kFloat);
  graph.Add("m", "Merge", {"right", "s:1", "^c"}, kFloat);
  TestSession session(graph);
  EXPECT_EQ(OrderOf(session, {"m"}).back(), "m");
}

TEST(EdgeCases, AConditionalInsideALoopBody) {  // X17, X32: the merged value starts the next iteration
  TestGraph graph;
  const AttrMap into = {{"T", DType::kBool}, {"frame_name", "loop"}};
  AttrMap constant = into;
  constant["is_constant"] = true;
  graph.Const("yes0", true).Const("no0", false);
  graph.Add("enter", "Enter", {"yes0"}, into).Add("no", "Enter", {"no0"}, constant);
  graph.Add("go", "Merge", {"enter", "next"}, kBool).Add("cond", "LoopCond", {"go"});
  graph.Add("switch", "Switch", {"go", "cond"}, kBool).Add("body", "Identity", {"switch:1"}, kBool);
  graph.Add("inner", "Switch", {"no", "body"}, kBool).Add("taken", "Identity", {"inner:1"}, kBool);
  graph.Add("merged", "Merge", {"inner", "taken"}, kBool).Add("next", "NextIteration", {"merged"}, kBool);
  graph.Add("exit", "Exit", {"switch"}, kBool);
  EXPECT_FALSE(TestSession(graph).Run({"exit"}).scalar<bool>());
}

TEST(EdgeCases, AnUntakenBranchCannotFail) {  // X2
  TestGraph graph = Base();
  graph.Const("false", false).Value("bad_shape", MakeVector<int32_t>({3}));
  graph.Add("assert", "Assert", {"false", "right"}, {{"T", std::vector<DType>{DType::kFloat}}});
  graph.Add("reshape", "Reshape", {"right", "bad_shape"}, kFloat);
  graph.Add("result", "Merge", {"left", "reshape"}, kFloat);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"result"}, {kLeft}, {"assert"}).scalar<float>(), 2);
  EXPECT_EQ(session.Run({"result"}, {{"p", MakeScalar<bool>(true)}}).code(), Code::kInvalidArgument);
}

TEST(EdgeCases, WhatWasDoneBeforeAnErrorStaysDone) {  // X9, S5
  TestGraph graph = Base();
  graph.Const("false", false);
  graph.Add("assert", "Assert", {"false", "two", "^init"}, {{"T", std::vector<DType>{DType::kFloat}}});
  graph.Add("second", "Assign", {"v", "three", "^assert"}, kFloat);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"second"}).code(), Code::kInvalidArgument);
  EXPECT_EQ(session.Run({"v"}).scalar<float>(), 2);
}

TEST(EdgeCases, AnUpdatesReferenceShowsTheUpdate) {  // R34
  TestGraph graph = Base();
  graph.Add("later", "Assign", {"v", "three", "^init"}, kFloat);
  graph.Add("read", "Identity", {"init"}, kFloat).Add("read_later", "Identity", {"init", "^later"}, kFloat);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"read"}).scalar<float>(), 2);
  EXPECT_EQ(session.Run({"read_later"}).scalar<float>(), 3);
}

TEST(EdgeCases, AVariableMayBeFedWhereItsValueIsRead) {  // F3
  TestGraph graph = Base();
  graph.Add("copy", "Identity", {"v"}, kFloat);
  EXPECT_EQ(TestSession(graph).Run({"copy"}, {{"v", MakeScalar<float>(5)}}).scalar<float>(), 5);
}

TEST(EdgeCases, AFedNodeStillRunsForItsControlSuccessors) {  // F2
  TestGraph graph = Base();
  graph.Add("x", "Identity", {"two", "^init"}, kFloat);
  graph.Add("default", "PlaceholderWithDefault", {"x"}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}});
  graph.Add("y", "Add", {"x", "three", "^x"}, kFloat).Add("z", "Identity", {"default", "^default"}, kFloat);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"y"}, {{"x", MakeScalar<float>(10)}}).scalar<float>(), 13);
  EXPECT_EQ(session.Run({"v"}).scalar<float>(), 2);
  TestSession fresh(graph);
  EXPECT_EQ(fresh.Run({"z"}, {{"default", MakeScalar<float>(4)}}).scalar<float>(), 4);
  EXPECT_EQ(fresh.Run({"v"}).scalar<float>(), 2);
}

TEST(EdgeCases, AFeedsShapeIsNotCompared) {  // F4
  TestGraph graph;
  graph.Add("x", "Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}});
  graph.Add("y", "Neg", {"x"}, kFloat);
  EXPECT_EQ(TestSession(graph).Run({"y"}, {{"x", MakeScalar<float>(1)}}).scalar<float>(), -1);
}

TEST(EdgeCases, AnOptimizerNeedsItsVariable) {  // R46
  TestGraph graph = Base();
  graph.Add("h", "VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape(Shape())}});
  graph.Add("apply", "ResourceApplyGradientDescent", {"h", "two", "three"}, kFloat);
  EXPECT_EQ(TestSession(graph).Run({}, {}, {"apply"}).code(), Code::kInternal);
}

// A loop that never ends.
TestGraph Endless() {
  TestGraph graph;
  graph.Const("yes", true).Add("enter", "Enter", {"yes"}, {{"T", DType::kBool}, {"frame_name", "loop"}});
  graph.Add("go", "Merge", {"enter", "next"}, kBool).Add("cond", "LoopCond", {"go"});
  graph.Add("switch", "Switch", {"go", "cond"}, kBool).Add("next", "NextIteration", {"switch:1"}, kBool);
  return graph.Add("exit", "Exit", {"switch"}, kBool);
}

TEST(EdgeCases, AStepCanRunOutOfTimeAndOfFuel) {  // S4
  TestSession session(Endless());
  const std::vector<std::string> fetches = {"exit"};
  std::vector<Tensor> outputs;
  const RunOptions options{.timeout_ms = 1, .trace = false};
  EXPECT_EQ(session.session.Run(options, {}, fetches, {}, &outputs, nullptr).code(), Code::kDeadlineExceeded);
  Mode mode;
  mode.fuel = 1000;
  EXPECT_EQ(session.session.RunValues({}, fetches, {}, nullptr, mode).code(), Code::kResourceExhausted);
}

TEST(EdgeCases, ClosingEndsARunningStep) {  // S2
  TestSession session(Endless());
  int64_t runs = 0;
  Mode mode;
  mode.observer = [&](const NodeRun&) {
    if (++runs == 100) {
      EXPECT_TRUE(session.session.Close().ok());
    }
  };
  const std::vector<std::string> fetches = {"exit"};
  EXPECT_EQ(session.session.RunValues({}, fetches, {}, nullptr, mode).code(), Code::kCancelled);
  EXPECT_EQ(runs, 100);
}

// y = exp(x)·x at 1: bound and derivative come with the value; random rounding moves it within the bound.
TEST(EdgeCases, ValuesCarryBoundsAndDerivatives) {  // N1, N10, N11
  TestGraph graph;
  graph.Add("x", "Placeholder", {}, kFloatType).Add("e", "Exp", {"x"}, kFloat).Add("y", "Mul", {"e", "x"}, kFloat);
  TestSession session(graph);
  Value x(MakeScalar<float>(1));
  x.tangent = std::make_shared<std::vector<double>>(1, 1.0);
  const std::vector<ValueFeed> feeds = {{"x", x}};
  const std::vector<std::string> fetches = {"y"};
  std::vector<Value> exact, moved;
  Mode mode;
  mode.bounds = true;
  ASSERT_TRUE(session.session.RunValues(feeds, fetches, {}, &exact, mode).ok());
  ASSERT_NE(exact[0].bound, nullptr);
  ASSERT_NE(exact[0].tangent, nullptr);
  const double value = exact[0].tensor.scalar<float>(), bound = exact[0].bound->at(0);
  EXPECT_LE(std::fabs(value - std::exp(1.0)), bound);
  EXPECT_LE(std::fabs(exact[0].tangent->at(0) - 2 * std::exp(1.0)), 2 * bound);
  bool differs = false;
  for (uint64_t seed = 0; seed < 16; ++seed) {
    mode.perturb_seed = seed;
    ASSERT_TRUE(session.session.RunValues(feeds, fetches, {}, &moved, mode).ok());
    EXPECT_EQ(moved[0].bound, nullptr);
    EXPECT_LE(std::fabs(moved[0].tensor.scalar<float>() - value), bound);
    differs |= moved[0].tensor.scalar<float>() != static_cast<float>(value);
  }
  EXPECT_TRUE(differs);
}

TEST(EdgeCases, RandomRoundingReachesVariables) {  // N10
  TestGraph graph = Base();
  graph.Const<float>("tenth", 0.1f);
  graph.Add("step", "ApplyGradientDescent", {"init", "tenth", "three"}, kFloat);
  TestSession session(graph);
  const std::vector<std::string> fetches = {"step"};
  std::vector<Value> plain, moved;
  ASSERT_TRUE(session.session.RunValues({}, fetches, {}, &plain, {}).ok());
  bool differs = false;
  for (uint64_t seed = 0; seed < 64; ++seed) {
    Mode mode;
    mode.perturb_seed = seed;
    ASSERT_TRUE(session.session.RunValues({}, fetches, {}, &moved, mode).ok());
    differs |= moved[0].tensor.scalar<float>() != plain[0].tensor.scalar<float>();
    EXPECT_EQ(moved[0].bound, nullptr);
  }
  EXPECT_TRUE(differs);
}

TEST(EdgeCases, ATraceNamesWhatRan) {
  TestSession session(Base());
  const std::vector<std::string> fetches = {"init"};
  std::vector<Tensor> outputs;
  RunMetadata metadata;
  const RunOptions options{.timeout_ms = 0, .trace = true};
  ASSERT_TRUE(session.session.Run(options, {}, fetches, {}, &outputs, &metadata).ok());
  ASSERT_EQ(metadata.step_stats.size(), 1u);
  ASSERT_EQ(metadata.step_stats[0].nodes.size(), 3u);
  EXPECT_EQ(metadata.step_stats[0].nodes[2].node, "init");
  EXPECT_EQ(metadata.step_stats[0].nodes[2].op, "Assign");
}

}  // namespace
}  // namespace plumb::reference
