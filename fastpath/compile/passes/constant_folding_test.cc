#include "fastpath/compile/passes/constant_folding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <utility>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

// Adds scalars; negates anything else it is given.
std::vector<Tensor> Compute(const StepNode& node, std::span<const Tensor> inputs) {
  if (node.op->IsOp("Div")) throw InvalidArgument("division is refused here");
  if (node.op->IsOp("Mul")) throw std::bad_alloc();
  if (inputs.size() == 2) return {MakeScalar(inputs[0].scalar<float>() + inputs[1].scalar<float>())};
  return {MakeScalar(-inputs[0].scalar<float>())};
}

StepGraph Folded(const TestGraph& graph, std::vector<std::string> fetches) {
  StepGraph step = PruneFor(graph, {}, std::move(fetches));
  FoldConstants(step, Compute);
  return step;
}

const StepNode& FetchedIn(const StepGraph& graph, const std::string& fetch) {
  for (const StepNode& node : graph.nodes) {
    if (node.kind == NodeKind::kFetch && node.name == fetch) return graph[node.inputs[0].node];
  }
  throw NotFound(fetch);
}

// O4.
TEST(ConstantFolding, ReplacesATreeByItsValue) {
  TestGraph graph;
  graph.Float("one", 1);
  graph.Op("neg", "Neg", kFloat, {"one"});
  graph.Op("sum", "Add", kFloat, {"neg", "neg"});
  const StepGraph step = Folded(graph, {"sum"});
  EXPECT_EQ(step.size(), 2);
  EXPECT_EQ(FetchedIn(step, "sum").kind, NodeKind::kConstant);
  EXPECT_EQ(FetchedIn(step, "sum").value.scalar<float>(), -2);
}

TEST(ConstantFolding, StopsAtWhatIsNotKnown) {
  TestGraph graph;
  graph.Float("one", 1);
  graph.Placeholder("p", kFloat);
  graph.Op("neg", "Neg", kFloat, {"one"});
  graph.Op("sum", "Add", kFloat, {"neg", "p"});
  const StepGraph step = Folded(graph, {"sum"});
  const StepNode& sum = NodeOf(step, "sum");
  EXPECT_EQ(FetchedIn(step, "sum").name, "sum");
  EXPECT_EQ(step[sum.inputs[0].node].kind, NodeKind::kConstant);
  EXPECT_EQ(step[sum.inputs[0].node].value.scalar<float>(), -1);
}

// O5: the constant waits for what its folded ancestors waited for, so it stays in its branch and after its writes.
TEST(ConstantFolding, KeepsControlInputs) {
  TestGraph graph;
  graph.Bool("pred", true);
  graph.Op("switch", "Switch", DType::kBool, {"pred", "pred"});
  graph.Op("on", "Identity", DType::kBool, {"switch:1"});
  graph.Float("anchored", 1, {"^on"});
  graph.Float("after_anchored", 2, {"^anchored"});
  graph.Op("sum", "Add", kFloat, {"anchored", "after_anchored"});
  const StepGraph step = Folded(graph, {"sum"});
  const StepNode& constant = FetchedIn(step, "sum");
  EXPECT_EQ(constant.value.scalar<float>(), 3);
  ASSERT_EQ(constant.controls.size(), 1u);
  EXPECT_EQ(step[constant.controls[0]].name, "on");
}

// O6, case 59.
TEST(ConstantFolding, LeavesAloneWhatFails) {
  for (const char* const fails : {"Div", "Mul"}) {
    TestGraph graph;
    graph.Float("one", 1);
    graph.Op("bad", fails, kFloat, {"one", "one"});
    graph.Op("neg", "Neg", kFloat, {"bad"});
    const StepGraph step = Folded(graph, {"neg"});
    EXPECT_EQ(FetchedIn(step, "neg").name, "neg") << fails;
  }
}

// O4: the limit holds before anything is computed.
TEST(ConstantFolding, ComputesNothingBig) {
  constexpr auto kMost = static_cast<int32_t>(kMaxFoldedBytes / sizeof(float));
  for (const auto& [rows, columns] : {std::pair(1, kMost), {1, kMost + 1}, {1 << 15, 1 << 15}}) {
    TestGraph graph;
    graph.Const("dims", MakeVector<int32_t>({rows, columns}));
    graph.Float("value", 0);
    graph.Add("fill", "Fill", {"dims", "value"}, {{"T", kFloat}, {"index_type", DType::kInt32}});
    StepGraph step = PruneFor(graph, {}, {"fill"});
    bool was_computed = false;
    FoldConstants(step, [&](const StepNode&, std::span<const Tensor>) -> std::vector<Tensor> {
      was_computed = true;
      return {Zeros(kFloat, {1, kMost})};
    });
    EXPECT_EQ(was_computed, columns == kMost);
    if (!was_computed) {
      EXPECT_EQ(FetchedIn(step, "fill").name, "fill");
    }
  }
}

// O8: a folded node that a control edge needs still runs.
TEST(ConstantFolding, KeepsNodesThatOrderOthers) {
  TestGraph graph;
  graph.Float("one", 1);
  graph.Op("neg", "Neg", kFloat, {"one"});
  graph.Placeholder("p", kFloat);
  graph.Op("after", "Identity", kFloat, {"p", "^neg"});
  EXPECT_THAT(NamesOf(Folded(graph, {"after"})), testing::Contains("neg"));
}

}  // namespace
}  // namespace plumb::fast
