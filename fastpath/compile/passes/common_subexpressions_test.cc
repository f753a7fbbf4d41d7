#include "fastpath/compile/passes/common_subexpressions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

StepGraph Merged(const TestGraph& graph, std::vector<std::string> fetches) {
  StepGraph step = PruneFor(graph, {}, fetches);
  MergeCommonSubexpressions(step);
  return step;
}

// Whether the two fetches end at one node.
bool AreOne(const TestGraph& graph, const std::string& a, const std::string& b) {
  const StepGraph step = Merged(graph, {a, b});
  std::vector<Endpoint> fetched;
  for (const StepNode& node : step.nodes) {
    if (node.kind == NodeKind::kFetch) fetched.push_back(node.inputs[0]);
  }
  return fetched.at(0) == fetched.at(1);
}

TEST(CommonSubexpressions, MergeEqualTreesFromTheConstantsUp) {
  TestGraph graph;
  for (const std::string side : {"l", "r"}) {
    graph.Float(side + "c", 2);
    graph.Op(side + "neg", "Neg", kFloat, {side + "c"});
    graph.Op(side + "sum", "Add", kFloat, {side + "neg", side + "c"});
  }
  EXPECT_TRUE(AreOne(graph, "lsum", "rsum"));
}

TEST(CommonSubexpressions, LookAtOpValueAndOrder) {
  TestGraph graph;
  graph.Float("one", 1);
  graph.Float("two", 2);
  graph.Op("neg1", "Neg", kFloat, {"one"});
  graph.Op("abs1", "Abs", kFloat, {"one"});
  graph.Op("neg2", "Neg", kFloat, {"two"});
  graph.Op("sub12", "Sub", kFloat, {"one", "two"});
  graph.Op("sub21", "Sub", kFloat, {"two", "one"});
  graph.Op("mul12", "Mul", kFloat, {"one", "two"});
  graph.Op("mul21", "Mul", kFloat, {"two", "one"});
  EXPECT_FALSE(AreOne(graph, "neg1", "abs1"));
  EXPECT_FALSE(AreOne(graph, "neg1", "neg2"));
  EXPECT_FALSE(AreOne(graph, "sub12", "sub21"));
  EXPECT_TRUE(AreOne(graph, "mul12", "mul21")) << "Mul is commutative";
}

// Whoever asks for a device gets a node there.
TEST(CommonSubexpressions, LookAtTheDeviceThatIsAskedFor) {
  TestGraph graph;
  graph.Float("c", 1);
  for (const auto& [name, device] : {std::pair("here", "/device:CPU:0"), std::pair("too", "/device:CPU:0"),
                                     std::pair("there", "/device:CPU:1"), std::pair("anywhere", "")}) {
    graph.Add(name, "Neg", {"c"}, {{"T", kFloat}}, device);
  }
  EXPECT_TRUE(AreOne(graph, "here", "too"));
  EXPECT_FALSE(AreOne(graph, "here", "there"));
  EXPECT_FALSE(AreOne(graph, "here", "anywhere"));
}

// O2, case 58: the sets of control inputs must be equal.
TEST(CommonSubexpressions, LookAtControlInputs) {
  TestGraph graph;
  graph.Add("n", "NoOp");
  graph.Float("free", 1);
  graph.Float("bound", 1, {"^n"});
  graph.Float("bound_too", 1, {"^n"});
  EXPECT_FALSE(AreOne(graph, "free", "bound"));
  EXPECT_TRUE(AreOne(graph, "bound", "bound_too"));
}

// O3, case 58.
TEST(CommonSubexpressions, NeverMergeStatefulOps) {
  TestGraph graph;
  graph.Const("shape", MakeVector<int32_t>({2}));
  for (const std::string name : {"a", "b"}) {
    graph.Add(name, "RandomUniform", {"shape"}, {{"T", DType::kInt32}, {"dtype", kFloat}, {"seed", 1}, {"seed2", 2}});
  }
  EXPECT_FALSE(AreOne(graph, "a", "b"));
}

// O12: two reads of one variable may have a write between them; the reference-typed slot keeps them apart.
TEST(CommonSubexpressions, NeverMergeWhatTakesAReference) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}});
  graph.Float("one", 1);
  for (const std::string name : {"a", "b"}) graph.Op(name, "AssignAdd", kFloat, {"v", "one"});
  EXPECT_FALSE(AreOne(graph, "a", "b"));
}

TEST(CommonSubexpressions, KeepTargetsAlive) {
  TestGraph graph;
  graph.Float("one", 1);
  graph.Op("a", "Neg", kFloat, {"one"});
  graph.Op("b", "Neg", kFloat, {"one"});
  StepGraph step = PruneFor(graph, {}, {}, {"b", "a"});
  MergeCommonSubexpressions(step);
  EXPECT_THAT(NamesOf(step), testing::ElementsAre("one", "a"));
}

}  // namespace
}  // namespace plumb::fast
