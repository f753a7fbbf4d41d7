// Laws of frames and iterations (X11–X30).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/execute/counter_testing.h"

namespace plumb::fast {
namespace {

constexpr DType kInt = DType::kInt32;

TEST(Loops, CountUpToTheirLimit) {
  for (const int parallel_iterations : {1, 2, 10, 1000}) {
    TestGraph graph;
    graph.Int("zero", 0);
    graph.Placeholder("limit", kInt);
    AddCounter(graph, "loop", "zero", "limit", parallel_iterations);
    TestSession session(graph);
    // With a false predicate at once the initial value comes out.
    for (const int limit : {0, 1, 2, 5, 1000}) {
      EXPECT_EQ(session.Scalar<int32_t>({{"limit", MakeScalar(limit)}}, "loop/exit"), limit);
    }
    EXPECT_EQ(session.Scalar<int32_t>({{"limit", MakeScalar(-3)}}, "loop/exit"), 0);
  }
}

// X28: a loop on an untaken branch gives a dead result.
TEST(Loops, AreDeadOnAnUntakenBranch) {
  for (const bool taken : {false, true}) {
    TestGraph graph;
    graph.Bool("pred", taken);
    graph.Int("zero", 0);
    graph.Int("limit", 4);
    graph.Op("start", "Switch", kInt, {"zero", "pred"});
    graph.Op("bound", "Switch", kInt, {"limit", "pred"});
    AddCounter(graph, "loop", "start:1", "bound:1");
    graph.Merge("result", kInt, {"start:0", "loop/exit"}, 2);
    TestSession session(graph);
    EXPECT_EQ(session.Scalar<int32_t>({}, "result"), taken ? 4 : 0);
    EXPECT_EQ(session.Scalar<int32_t>({}, "result:1"), taken ? 1 : 0);
  }
}

// X11.
TEST(Loops, RefuseInputsFromTwoFrames) {
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Int("limit", 4);
  AddCounter(graph, "loop", "zero", "limit");
  graph.Int("loose", 1);
  graph.Op("mixed", "Add", kInt, {"loop/body", "loose"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"mixed"}), Code::kInvalidArgument);
  EXPECT_EQ(session.Scalar<int32_t>({}, "loop/exit"), 4) << "the rest of the graph is sound";
}

// X12, X14: equal frame names mean one frame, which may not have two predicates.
TEST(Loops, OfOneNameAreOneFrame) {
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Int("limit", 4);
  AddCounter(graph, "loop", "zero", "limit");
  graph.Enter("enter2", kInt, {"zero"}, "loop");
  graph.Op("less2", "Less", kInt, {"enter2", "loop/limit"});
  graph.Add("cond2", "LoopCond", {"less2"});
  graph.Op("switch2", "Switch", kInt, {"enter2", "cond2"});
  graph.Op("exit2", "Exit", kInt, {"switch2"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {"loop/exit", "exit2"}), Code::kInvalidArgument);
}

// X1: constants are tokens of iteration 0, in the root frame too. What is computed from them alone does not fire again
// where only its control input comes.
TEST(Loops, ANodeOverConstantsDoesNotFireInALaterIterationOfTheRootFrame) {
  TestGraph graph;
  graph.Int("one", 1);
  graph.Op("next", "NextIteration", kInt, {"one"});
  graph.Merge("merge", kInt, {"one", "next"}, 2);
  graph.Op("two", "Add", kInt, {"one", "one", "^merge"});
  EXPECT_EQ(TestSession(graph).Scalar<int32_t>({}, "two"), 2);
}

// X6: what takes a constant besides does not fire again for a token that a NextIteration brings.
TEST(Loops, AConstantIsOfTheFirstIterationOfTheRootFrame) {
  TestGraph graph;
  graph.Int("one", 1);
  graph.Int("two", 2);
  graph.Op("next", "NextIteration", kInt, {"one"});
  graph.Merge("merge", kInt, {"one", "next"}, 2);
  graph.Op("sum", "Add", kInt, {"merge", "two"});
  EXPECT_EQ(TestSession(graph).Scalar<int32_t>({}, "sum"), 3);
}

TEST(Loops, AnExitNeedsAFrame) {
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Op("exit", "Exit", kInt, {"zero"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {"exit"}), Code::kInvalidArgument);
}

// X27: a loop variable whose Enter is dead while the counter runs never comes out.
TEST(Loops, AStarvedExitNeverDelivers) {
  TestGraph graph;
  graph.Bool("pred", false);
  graph.Int("zero", 0);
  graph.Int("limit", 3);
  graph.Op("branch", "Switch", kInt, {"zero", "pred"});
  AddCounter(graph, "loop", "zero", "limit");
  graph.Enter("v/enter", kInt, {"branch:1"}, "loop");
  graph.Merge("v/merge", kInt, {"v/enter", "v/next"}, 2);
  graph.Op("v/switch", "Switch", kInt, {"v/merge", "loop/cond"});
  graph.Op("v/next", "NextIteration", kInt, {"v/switch:1"});
  graph.Op("v/exit", "Exit", kInt, {"v/switch"});
  TestSession session(graph);
  for (int step = 0; step < 3; ++step) {
    EXPECT_EQ(session.Try({}, {"v/exit"}), Code::kInvalidArgument);
    EXPECT_EQ(session.Scalar<int32_t>({}, "loop/exit"), 3);
  }
}

// For (j < limit) for (i from 0 to j) ++sum. The inner trip count depends on the outer index.
TEST(Loops, NestAndKeepTheirIterationsApart) {
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Int("limit", 5);
  graph.Enter("o/j", kInt, {"zero"}, "outer");
  graph.Enter("o/sum", kInt, {"zero"}, "outer");
  graph.Enter("o/limit", kInt, {"limit"}, "outer", true);
  graph.Merge("o/j_merge", kInt, {"o/j", "o/j_next"}, 2);
  graph.Merge("o/sum_merge", kInt, {"o/sum", "o/sum_next"}, 2);
  graph.Op("o/less", "Less", kInt, {"o/j_merge", "o/limit"});
  graph.Add("o/cond", "LoopCond", {"o/less"});
  graph.Op("o/j_switch", "Switch", kInt, {"o/j_merge", "o/cond"});
  graph.Op("o/sum_switch", "Switch", kInt, {"o/sum_merge", "o/cond"});
  graph.Op("o/j_body", "Identity", kInt, {"o/j_switch:1"});
  graph.Int("o/zero", 0, {"^o/j_body"});
  AddCounter(graph, "inner", "o/zero", "o/j_body");
  graph.Op("o/sum_add", "Add", kInt, {"o/sum_switch:1", "inner/exit"});
  graph.Int("o/one", 1, {"^o/j_body"});
  graph.Op("o/j_add", "Add", kInt, {"o/j_body", "o/one"});
  graph.Op("o/j_next", "NextIteration", kInt, {"o/j_add"});
  graph.Op("o/sum_next", "NextIteration", kInt, {"o/sum_add"});
  graph.Op("o/sum_exit", "Exit", kInt, {"o/sum_switch"});
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<int32_t>({}, "o/sum_exit"), 0 + 1 + 2 + 3 + 4);
  EXPECT_EQ(session.Scalar<int32_t>({}, "o/sum_exit"), 10) << "a second step starts afresh";
}

// F30: one live iteration gives its value, a second one is an error.
TEST(Loops, ATensorOfTheBodyCanBeFetchedOnce) {
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Placeholder("limit", kInt);
  AddCounter(graph, "loop", "zero", "limit");
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<int32_t>({{"limit", MakeScalar(1)}}, "loop/body"), 0);
  EXPECT_EQ(session.Try({{"limit", MakeScalar(2)}}, {"loop/body"}), Code::kInternal);
  EXPECT_EQ(session.Try({{"limit", MakeScalar(0)}}, {"loop/body"}), Code::kInvalidArgument);
}

// The next value comes from a conditional inside the body: odd values step by one, even ones by two.
TEST(Loops, ContinueWithAMergedValue) {
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Int("limit", 10);
  AddCounter(graph, "loop", "zero", "limit");
  graph.Enter("e", kInt, {"zero"}, "loop");
  graph.Merge("m", kInt, {"e", "n"}, 2);
  graph.Op("s", "Switch", kInt, {"m", "loop/cond"});
  graph.Op("b", "Identity", kInt, {"s:1"});
  graph.Int("five", 5, {"^b"});
  graph.Op("early", "Less", kInt, {"loop/body", "five"});
  graph.Op("branch", "Switch", kInt, {"b", "early"});
  graph.Int("c1", 1, {"^branch_off"});
  graph.Op("branch_off", "Identity", kInt, {"branch:0"});
  graph.Op("plus1", "Add", kInt, {"branch_off", "c1"});
  graph.Op("branch_on", "Identity", kInt, {"branch:1"});
  graph.Int("c100", 100, {"^branch_on"});
  graph.Op("plus100", "Add", kInt, {"branch_on", "c100"});
  graph.Merge("joined", kInt, {"plus1", "plus100"}, 2);
  graph.Op("n", "NextIteration", kInt, {"joined"});
  graph.Op("x", "Exit", kInt, {"s"});
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<int32_t>({}, "x"), 5 * 100 + 5);
}

// X29: with parallel_iterations = 1 an iteration starts after every node of the one before, waited for or not.
TEST(Loops, OfOneIterationAtATimeWaitForSideBranches) {
  constexpr int kTrips = 20;
  const DType kFloat = DType::kFloat;
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Int("limit", kTrips);
  graph.Float("nothing", 0);
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}});
  graph.Op("init", "Assign", kFloat, {"v", "nothing"});
  AddCounter(graph, "loop", "zero", "limit", 1);
  graph.Add("v_in", "RefEnter", {"v"},
            {{"T", kFloat}, {"frame_name", "loop"}, {"is_constant", true}, {"parallel_iterations", 1}});
  graph.Enter("sum", kFloat, {"nothing"}, "loop", false, 1);
  graph.Merge("sum_merge", kFloat, {"sum", "sum_next"}, 2);
  graph.Op("sum_switch", "Switch", kFloat, {"sum_merge", "loop/cond"});
  graph.Float("step", 1, {"^loop/body"});
  graph.Op("seen", "Mul", kFloat, {"v_in", "step"});
  graph.Add("side", "AssignAdd", {"v_in", "step", "^seen"}, {{"T", kFloat}});
  graph.Op("sum_add", "Add", kFloat, {"sum_switch:1", "seen"});
  graph.Op("sum_next", "NextIteration", kFloat, {"sum_add"});
  graph.Op("sum_exit", "Exit", kFloat, {"sum_switch"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  EXPECT_EQ(session.Scalar<float>({}, "sum_exit", {"side"}), kTrips * (kTrips - 1) / 2);
  EXPECT_EQ(session.Scalar<float>({}, "v"), kTrips);
}

// X26: what hangs off invariants only runs in every iteration, also in the last, false one.
TEST(Loops, NodesOfInvariantsRunOnceMoreThanTheBody) {
  const DType kFloat = DType::kFloat;
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Int("limit", 3);
  graph.Float("one", 1);
  graph.Float("nothing", 0);
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}});
  graph.Op("init", "Assign", kFloat, {"v", "nothing"});
  AddCounter(graph, "loop", "zero", "limit");
  graph.Add("v_in", "RefEnter", {"v"}, {{"T", kFloat}, {"frame_name", "loop"}, {"is_constant", true}});
  graph.Enter("one_in", kFloat, {"one"}, "loop", true);
  graph.Op("count", "AssignAdd", kFloat, {"v_in", "one_in"});
  TestSession session(graph);
  EXPECT_EQ(session.Try({}, {}, {"init"}), Code::kOk);
  EXPECT_EQ(session.Scalar<int32_t>({}, "loop/exit", {"count"}), 3);
  EXPECT_EQ(session.Scalar<float>({}, "v"), 4);
}

// Iterations of the root frame: a NextIteration needs no Enter.
TEST(Loops, MayRunInTheRootFrame) {
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Merge("merge", kInt, {"zero", "next"}, 2);
  graph.Int("one", 1, {"^merge"});
  graph.Int("limit", 6, {"^merge"});
  graph.Op("less", "Less", kInt, {"merge", "limit"});
  graph.Op("switch", "Switch", kInt, {"merge", "less"});
  graph.Op("add", "Add", kInt, {"switch:1", "one"});
  graph.Op("next", "NextIteration", kInt, {"add"});
  graph.Op("out", "Identity", kInt, {"switch:0"});
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<int32_t>({}, "out"), 6);
}

// X24: a frame of which one Enter is starved never completes; the step still ends.
TEST(Loops, AFrameThatIsNeverCompleteDoesNotHang) {
  TestGraph graph;
  graph.Bool("pred", false);
  graph.Int("zero", 0);
  graph.Int("limit", 3);
  graph.Op("branch", "Switch", kInt, {"zero", "pred"});
  AddCounter(graph, "first", "zero", "limit");
  graph.Enter("v/enter", kInt, {"branch:1"}, "first");
  graph.Merge("v/merge", kInt, {"v/enter", "v/next"}, 2);
  graph.Op("v/switch", "Switch", kInt, {"v/merge", "first/cond"});
  graph.Op("v/next", "NextIteration", kInt, {"v/switch:1"});
  graph.Op("v/starved", "Exit", kInt, {"v/switch"});
  AddCounter(graph, "second", "zero", "limit");
  graph.Enter("late", kInt, {"v/starved"}, "second");
  graph.Op("use", "Add", kInt, {"late", "second/body"});
  TestSession session(graph);
  for (int step = 0; step < 2; ++step) {
    EXPECT_EQ(session.Scalar<int32_t>({}, "second/exit", {"use"}), 3);
    EXPECT_EQ(session.Try({}, {"use"}), Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace plumb::fast
