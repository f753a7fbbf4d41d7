#include "fastpath/execute/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

// Switch(data, pred) with an Identity on each side.
TestGraph Branches(bool taken) {
  TestGraph graph;
  graph.Float("x", 7);
  graph.Bool("pred", taken);
  graph.Op("switch", "Switch", DType::kFloat, {"x", "pred"});
  graph.Op("off", "Identity", DType::kFloat, {"switch:0"});
  graph.Op("on", "Identity", DType::kFloat, {"switch:1"});
  return graph;
}

// X2, X31, X32, F26.
TEST(Executor, SwitchTakesOneSideAndMergeForwardsIt) {
  for (const bool taken : {false, true}) {
    TestGraph graph = Branches(taken);
    graph.Merge("merge", DType::kFloat, {"off", "on"}, 2);
    TestSession session(graph);
    EXPECT_EQ(session.Scalar<float>({}, "merge:0"), 7);
    EXPECT_EQ(session.Scalar<int32_t>({}, "merge:1"), taken ? 1 : 0);
    EXPECT_EQ(session.Try({}, {taken ? "off" : "on"}), Code::kInvalidArgument);
    EXPECT_THAT(session.status().message(), testing::HasSubstr("does not have value"));
  }
}

// X3, cases 4 and 5: a control edge from the Switch itself is live, one from a branch's Identity is not.
TEST(Executor, ControlEdgesCarryTheDeadnessOfTheNode) {
  TestGraph graph = Branches(false);
  graph.Float("after_switch", 1, {"^switch"});
  graph.Float("after_on", 2, {"^on"});
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<float>({}, "after_switch"), 1);
  EXPECT_EQ(session.Try({}, {"after_on"}), Code::kInvalidArgument);
}

// X5, X37, cases 6 and 7.
TEST(Executor, ControlTriggerRevivesAndNoOpDoesNot) {
  TestGraph graph = Branches(false);
  graph.Add("trigger", "ControlTrigger", {"^on"});
  graph.Float("after_trigger", 1, {"^trigger"});
  graph.Add("group", "NoOp", {"^on", "^off"});
  graph.Float("after_group", 2, {"^group"});
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<float>({}, "after_trigger"), 1);
  EXPECT_EQ(session.Try({}, {"after_group"}), Code::kInvalidArgument);
}

// X32, cases 1 and 2: dead control inputs do not kill a Merge; a dead Merge waits for its control inputs.
TEST(Executor, MergeIgnoresDeadControlInputs) {
  TestGraph graph = Branches(false);
  graph.Merge("live", DType::kFloat, {"off", "on", "^on"}, 2);
  graph.Merge("dead", DType::kFloat, {"on", "on", "^off"}, 2);
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<float>({}, "live:0"), 7);
  EXPECT_EQ(session.Try({}, {"dead:0"}), Code::kInvalidArgument);
}

// Case 3: two live inputs, one firing.
TEST(Executor, MergeFiresOnceForTwoLiveInputs) {
  TestGraph graph;
  graph.Float("a", 1);
  graph.Float("b", 1);
  graph.Merge("merge", DType::kFloat, {"a", "b"}, 2);
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<float>({}, "merge:0"), 1);
}

// Case 9.
TEST(Executor, SwitchWantsAScalarPredicate) {
  TestGraph graph;
  graph.Float("x", 7);
  graph.Const("pred", MakeVector<bool>({true}));
  graph.Op("switch", "Switch", DType::kFloat, {"x", "pred"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {"switch:1"}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
