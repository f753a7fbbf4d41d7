#include "fastpath/compile/passes/prune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

TestGraph Chain() {
  TestGraph graph;
  graph.Placeholder("p", DType::kFloat);
  graph.Float("unused", 1);
  graph.Op("a", "Identity", DType::kFloat, {"p"});
  graph.Op("b", "Identity", DType::kFloat, {"a", "^side"});
  graph.Add("side", "NoOp");
  graph.Op("c", "Identity", DType::kFloat, {"b", "^a"});
  return graph;
}

// F23.
TEST(Prune, KeepsWhatReachesAFetchOrATarget) {
  EXPECT_THAT(NamesOf(PruneFor(Chain(), {}, {"b"})), UnorderedElementsAre("p", "a", "side", "b", "b"));
  EXPECT_THAT(NamesOf(PruneFor(Chain(), {}, {}, {"side"})), ElementsAre("side"));
}

// F1: a feed cuts the data edges of its tensor, and what only they needed goes; F2: control edges stay.
TEST(Prune, LetsFeedsCutDataEdgesOnly) {
  const StepGraph fed = PruneFor(Chain(), {"b"}, {"c"});
  EXPECT_THAT(NamesOf(fed), UnorderedElementsAre("b", "p", "a", "c", "c"));
  EXPECT_EQ(fed[NodeOf(fed, "c").inputs[0].node].kind, NodeKind::kFeed);
}

// F8.
TEST(Prune, DropsFeedsThatNothingNeeds) {
  EXPECT_THAT(NamesOf(PruneFor(Chain(), {"unused"}, {}, {"side"})), ElementsAre("side"));
}

// F2: the exception for placeholders.
TEST(Prune, MovesTheControlEdgesOfFedPlaceholders) {
  TestGraph graph;
  graph.Placeholder("p", DType::kFloat);
  graph.Float("c", 1, {"^p"});
  const StepGraph fed = PruneFor(graph, {"p"}, {"c"});
  ASSERT_EQ(NodeOf(fed, "c").controls.size(), 1u);
  EXPECT_EQ(fed[NodeOf(fed, "c").controls[0]].kind, NodeKind::kFeed);
}

TEST(Prune, RefusesAConstantOfTheWrongType) {
  TestGraph graph;
  graph.Add("c", "Const", {}, {{"value", MakeScalar(1)}, {"dtype", DType::kFloat}});
  EXPECT_THROW(PruneFor(graph, {}, {"c"}), Error);
}

}  // namespace
}  // namespace plumb::fast
