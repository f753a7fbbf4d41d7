#include "fastpath/compile/plan/priorities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

using testing::ElementsAre;

constexpr DType kFloat = DType::kFloat;

// The names of all nodes but fetches, in their order.
std::vector<std::string> Ordered(const StepGraph& step) {
  std::vector<std::string> names;
  for (const NodeId id : OrderByPriority(step)) {
    if (step[id].kind != NodeKind::kFetch) names.push_back(step[id].name);
  }
  return names;
}

// "one" and "short" have as far to go as the end of the chain, and stand before it.
TEST(Priorities, TheLongestWayToTheEndComesFirstAndTiesKeepTheirOrder) {
  TestGraph graph;
  graph.Float("one", 1);
  graph.Op("short", "Neg", kFloat, {"one"});
  graph.Float("two", 2);
  graph.Op("a", "Neg", kFloat, {"two"});
  graph.Op("b", "Neg", kFloat, {"a"});
  graph.Op("c", "Neg", kFloat, {"b"});
  EXPECT_THAT(Ordered(PruneFor(graph, {}, {"short", "c"})), ElementsAre("two", "a", "b", "one", "short", "c"));
}

// Also where an edge only orders.
TEST(Priorities, ControlEdgesCount) {
  TestGraph graph;
  graph.Float("one", 1);
  graph.Op("first", "Neg", kFloat, {"one"});
  graph.Op("second", "Abs", kFloat, {"one"});
  graph.Op("behind", "Exp", kFloat, {"one", "^second"});
  EXPECT_THAT(Ordered(PruneFor(graph, {}, {"first", "behind"})), ElementsAre("one", "second", "first", "behind"));
}

TEST(Priorities, AKernelCountsMoreThanMoves) {
  TestGraph graph;
  graph.Float("one", 1);
  graph.Op("a", "Identity", kFloat, {"one"});
  graph.Op("b", "Identity", kFloat, {"a"});
  graph.Op("c", "Identity", kFloat, {"b"});
  graph.Float("two", 2);
  graph.Op("kernel", "Neg", kFloat, {"two"});
  EXPECT_THAT(Ordered(PruneFor(graph, {}, {"c", "kernel"})), ElementsAre("two", "kernel", "one", "a", "b", "c"));
}

TEST(Priorities, ALoopIsOrderedFromItsEntries) {
  TestGraph graph;
  graph.Float("zero", 0);
  graph.Float("ten", 10);
  graph.Enter("enter", kFloat, {"zero"}, "frame");
  graph.Enter("limit", kFloat, {"ten"}, "frame", /*is_constant=*/true);
  graph.Merge("merge", kFloat, {"enter", "next"}, 2);
  graph.Op("less", "Less", kFloat, {"merge", "limit"});
  graph.Add("cond", "LoopCond", {"less"});
  graph.Op("switch", "Switch", kFloat, {"merge", "cond"});
  graph.Op("exit", "Exit", kFloat, {"switch"});
  graph.Op("next", "NextIteration", kFloat, {"switch:1"});
  const std::vector<std::string> order = Ordered(PruneFor(graph, {}, {"exit"}));
  EXPECT_EQ(order.size(), 10u);
  EXPECT_EQ(std::set<std::string>(order.begin(), order.end()).size(), order.size());
  const auto place = [&](const char* name) { return std::find(order.begin(), order.end(), name) - order.begin(); };
  EXPECT_LT(place("enter"), place("merge"));
  EXPECT_LT(place("merge"), place("switch"));
  EXPECT_LT(place("switch"), place("next"));
}

}  // namespace
}  // namespace plumb::fast
