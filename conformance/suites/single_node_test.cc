// The graph around what is tried: who feeds it, what is fetched, and in which order nodes run.
#include "conformance/suites/single_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const NodeDef& NodeOf(const SingleNode& single, const std::string& name) {
  for (const NodeDef& node : single.graph.nodes) {
    if (node.name == name) return node;
  }
  throw Internal("no node '", name, "'");
}
std::vector<std::string> Fed(const StepRequest& step) {
  std::vector<std::string> names;
  for (const Feed& feed : step.feeds) names.push_back(feed.first);
  return names;
}
SampledCase FirstOf(const char* op, const AttrMap& types = {{"T", DType::kFloat}}) {
  return SampleInputs(GetOp(op), types, 1).at(0);
}

TEST(SingleNode, FeedsEachInputAndFetchesEachOutput) {
  SampledCase sampled;
  sampled.attrs = {{"T", DType::kFloat}, {"N", 2}, {"Tidx", DType::kInt32}};
  sampled.inputs = {MakeVector<float>({1}), MakeVector<float>({2}), MakeScalar<int32_t>(0)};
  const SingleNode joined = MakeSingleNode(GetOp("ConcatV2"), sampled);
  EXPECT_THAT(NodeOf(joined, kTried).inputs, ElementsAre("input_0", "input_1", "input_2"));
  EXPECT_THAT(Fed(joined.run), ElementsAre("input_0", "input_1", "input_2"));
  EXPECT_EQ(joined.run.feeds[1].second.data<float>()[0], 2);
  EXPECT_THAT(joined.run.fetches, ElementsAre("node:0"));
  EXPECT_THAT(joined.run.targets, IsEmpty());
  EXPECT_EQ(GetAttr<DType>(NodeOf(joined, "input_2").attrs, "dtype"), DType::kInt32);
  EXPECT_THAT(joined.initialize.targets, IsEmpty());
  EXPECT_THAT(joined.inspect.fetches, IsEmpty());

  sampled.attrs = {{"T", DType::kFloat}, {"num_split", 3}};
  sampled.inputs = {MakeScalar<int32_t>(0), MakeVector<float>({1, 2, 3})};
  EXPECT_THAT(MakeSingleNode(GetOp("Split"), sampled).run.fetches, ElementsAre("node:0", "node:1", "node:2"));
}

// Variables are read afterwards, those behind a handle by a node of their own; an op without outputs is a target.
TEST(SingleNode, LooksAtVariablesWhenItHasRun) {
  SampledCase sampled;
  sampled.attrs = {{"dtype", DType::kFloat}, {"validate_shape", false}};
  sampled.inputs = {MakeVector<float>({1, 2}), MakeVector<float>({3, 4})};
  const SingleNode single = MakeSingleNode(GetOp("AssignVariableOp"), sampled);
  EXPECT_THAT(single.initialize.targets, ElementsAre("assign_variable_0"));
  EXPECT_THAT(Fed(single.initialize), ElementsAre("input_0"));
  EXPECT_THAT(Fed(single.run), ElementsAre("input_1"));
  EXPECT_THAT(single.run.fetches, IsEmpty());
  EXPECT_THAT(single.run.targets, ElementsAre("node"));
  EXPECT_THAT(single.inspect.fetches, ElementsAre("read_variable_0"));
  EXPECT_THAT(NodeOf(single, kTried).inputs, ElementsAre("variable_0", "input_1"));
  EXPECT_EQ(NodeOf(single, "variable_0").op, "VarHandleOp");
  EXPECT_EQ(GetAttr<PartialShape>(NodeOf(single, "variable_0").attrs, "shape"), PartialShape({2}));
  EXPECT_THAT(NodeOf(single, "assign_variable_0").inputs, ElementsAre("variable_0", "input_0"));
  EXPECT_THAT(NodeOf(single, "read_variable_0").inputs, ElementsAre("variable_0"));
}

TEST(SingleNode, VariablesAreApart) {
  SampledCase sampled = FirstOf("ApplyMomentum");
  const SingleNode single = MakeSingleNode(GetOp("ApplyMomentum"), sampled);
  EXPECT_THAT(single.inspect.fetches, ElementsAre("variable_0", "variable_1"));
  EXPECT_NE(GetAttr<std::string>(NodeOf(single, "variable_0").attrs, "shared_name"),
            GetAttr<std::string>(NodeOf(single, "variable_1").attrs, "shared_name"));
}

// A push between the stack and a pop. Handles show nothing, what the nodes behind answer is fetched as well, and each
// node waits for the one before it.
TEST(SingleNode, RunsTheNodesOfAScenarioInTheirOrder) {
  const SingleNode single = MakeSingleNode(GetOp("StackPushV2"), FirstOf("StackPushV2"));
  EXPECT_THAT(NodeOf(single, "s").inputs, ElementsAre("input_s_0"));
  EXPECT_THAT(NodeOf(single, kTried).inputs, ElementsAre("s:0", "input_1", "^s"));
  EXPECT_THAT(NodeOf(single, "p").inputs, ElementsAre("s:0", "^node"));
  EXPECT_THAT(single.run.fetches, ElementsAre("node:0", "p:0"));
  EXPECT_THAT(Fed(single.run), ElementsAre("input_s_0", "input_1"));
  const SingleNode closed = MakeSingleNode(GetOp("StackCloseV2"), FirstOf("StackCloseV2", {}));
  EXPECT_THAT(closed.run.fetches, IsEmpty());
  EXPECT_THAT(closed.run.targets, ElementsAre("node"));
}

// What is behind a reference shows when nodes behind have changed it.
TEST(SingleNode, FetchesNoReferenceBeforeTheNodesBehind) {
  const OpDef& assign = GetOp("Assign");
  SampledCase sampled = FirstOf("Assign");
  EXPECT_THAT(MakeSingleNode(assign, sampled).run.fetches, ElementsAre("node:0"));
  sampled.after = {{"again", &assign, sampled.attrs, {SampledOutput{"this", 0}, sampled.inputs.at(1)}}};
  const SingleNode single = MakeSingleNode(assign, sampled);
  EXPECT_THAT(single.run.fetches, ElementsAre("again:0"));
  EXPECT_THAT(NodeOf(single, "again").inputs, ElementsAre("node:0", "input_again_1", "^node"));
}

// V2: the graph is of a producer that still had the oldest of its ops: TileGrad ended with version 3, MatrixDiag's
// older name with 14.
TEST(SingleNode, IsOfAProducerThatHasAllOfItsOps) {
  const auto producer = [](const char* op, const SampledCase& sampled) {
    return MakeSingleNode(GetOp(op), sampled).graph.versions.producer;
  };
  SampledCase sampled = FirstOf("Neg");
  EXPECT_EQ(producer("Neg", sampled), kGraphVersion);
  EXPECT_EQ(producer("BatchMatrixDiag", FirstOf("BatchMatrixDiag")), 13);
  const OpDef &oldest = GetOp("TileGrad"), &old = GetOp("BatchMatrixDiag"), &current = GetOp("Neg");
  const auto node = [](const char* name, const OpDef& op) {
    const std::vector<SampledInput> inputs(op.inputs.size(), MakeVector<float>({1}));
    return SampledNode{name, &op, {{"T", DType::kFloat}}, inputs};
  };
  sampled.before = {node("a", current), node("b", old)};
  EXPECT_EQ(producer("Neg", sampled), 13);
  sampled.after = {node("c", oldest), node("d", current)};
  EXPECT_EQ(producer("Neg", sampled), 2);
}

}  // namespace
}  // namespace plumb::conformance
