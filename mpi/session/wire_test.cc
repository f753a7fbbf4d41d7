// What travels between tasks as bfloat16, and what as it is.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

using fast::TestGraph;
using fast::Wire;

constexpr char kPs[] = "/job:ps/task:0";
constexpr char kWorker[] = "/job:worker/task:0";

// bfloat16 keeps seven digits behind the point: this lies at three quarters between two of its numbers.
constexpr float kBetween = 1 + 3.0F / 512, kBelow = 1, kNearest = 1 + 1.0F / 128;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

ServerOptions OptionsFor(Wire wire) {
  ServerOptions options{"ps=1,worker=1", 2, 1};
  options.wire = wire;
  return options;
}

// Runs one step of a worker beside a parameter server.
std::vector<Tensor> Answered(Wire wire, const TestGraph& graph, std::vector<Feed> feeds,
                             std::vector<std::string> fetches, const std::vector<std::string>& before = {}) {
  TestCluster cluster(2, OptionsFor(wire));
  const auto session = cluster.Open(1);
  std::vector<Tensor> outputs;
  EXPECT_EQ(session->Extend(graph.def()).ToString(), "OK");
  for (const std::string& target : before) {
    EXPECT_EQ(session->Run({}, {}, std::vector{target}, &outputs).ToString(), "OK");
  }
  EXPECT_EQ(session->Run(feeds, fetches, {}, &outputs).ToString(), "OK");
  return outputs;
}

TestGraph NegatedThere(DType type) {
  TestGraph graph;
  graph.Add("x", "Placeholder", {}, {{"dtype", type}}, kWorker);
  graph.Add("negative", "Neg", {"x"}, {{"T", type}}, kPs);
  return graph;
}

TEST(Wire, CutsRoundsOrKeepsWhatOtherTasksCompute) {
  const std::vector<Feed> feeds = {{"x", MakeVector<float>({kBetween, -kBetween, kInfinity, 0})}};
  const auto negated = [&](Wire wire) {
    return Answered(wire, NegatedThere(DType::kFloat), feeds, {"negative"}).at(0);
  };
  EXPECT_TRUE(negated(Wire::kExact).BitwiseEquals(MakeVector<float>({-kBetween, kBetween, -kInfinity, -0.0F})));
  EXPECT_TRUE(negated(Wire::kTruncated).BitwiseEquals(MakeVector<float>({-kBelow, kBelow, -kInfinity, -0.0F})));
  EXPECT_TRUE(negated(Wire::kRounded).BitwiseEquals(MakeVector<float>({-kNearest, kNearest, -kInfinity, -0.0F})));
}

TEST(Wire, WhatIsFetchedArrivesAsItIs) {
  TestGraph graph = NegatedThere(DType::kFloat);
  graph.Const("half", MakeVector<float>({kBetween - 1}));
  graph.Add("sum", "Sub", {"negative", "half"}, {{"T", DType::kFloat}}, kPs);
  graph.Add("here", "Neg", {"sum"}, {{"T", DType::kFloat}}, kWorker);
  const auto outputs = Answered(Wire::kTruncated, graph, {{"x", MakeVector<float>({1})}}, {"sum", "here"});
  EXPECT_TRUE(outputs.at(0).BitwiseEquals(MakeVector<float>({-kBetween})));
  EXPECT_TRUE(outputs.at(1).BitwiseEquals(MakeVector<float>({kBelow})));
}

TEST(Wire, OtherTypesTravelAsTheyAre) {
  const Tensor doubles = MakeVector<double>({kBetween}), integers = MakeVector<int32_t>({16777217});
  EXPECT_TRUE(Answered(Wire::kTruncated, NegatedThere(DType::kDouble), {{"x", doubles}}, {"negative"})
                  .at(0)
                  .BitwiseEquals(MakeVector<double>({-kBetween})));
  EXPECT_TRUE(Answered(Wire::kTruncated, NegatedThere(DType::kInt32), {{"x", integers}}, {"negative"})
                  .at(0)
                  .BitwiseEquals(MakeVector<int32_t>({-16777217})));
}

// An alias of a variable is read no earlier than its consumer would read it (rule W24).
TEST(Wire, VariablesAreReadWhenTheirReadersWouldReadThem) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape({1})}, {"dtype", DType::kFloat}}, kPs);
  graph.Const("between", MakeVector<float>({kBetween}));
  graph.Const("one", MakeVector<float>({1}));
  graph.Add("set", "Assign", {"v", "between"}, {{"T", DType::kFloat}});
  graph.Add("add", "AssignAdd", {"v", "one"}, {{"T", DType::kFloat}});
  graph.Add("here", "Neg", {"v", "^add"}, {{"T", DType::kFloat}}, kWorker);
  const auto outputs = Answered(Wire::kTruncated, graph, {}, {"here"}, {"set"});
  EXPECT_TRUE(outputs.at(0).BitwiseEquals(MakeVector<float>({-2}))) << "2.00586 is 2 as bfloat16";
}

TEST(Wire, DeadValuesStayDead) {
  TestGraph graph;
  graph.Add("x", "Placeholder", {}, {{"dtype", DType::kFloat}}, kWorker);
  graph.Add("choice", "Placeholder", {}, {{"dtype", DType::kBool}}, kWorker);
  graph.Add("switch", "Switch", {"x", "choice"}, {{"T", DType::kFloat}}, kWorker);
  graph.Add("negative", "Neg", {"switch:0"}, {{"T", DType::kFloat}}, kPs);
  graph.Add("square", "Mul", {"switch:1", "switch:1"}, {{"T", DType::kFloat}}, kPs);
  graph.Add("merge", "Merge", {"negative", "square"}, {{"T", DType::kFloat}, {"N", int64_t{2}}}, kWorker);
  for (const bool choice : {false, true}) {
    const std::vector<Feed> feeds = {{"x", MakeScalar<float>(3)}, {"choice", MakeScalar<bool>(choice)}};
    EXPECT_TRUE(
        Answered(Wire::kRounded, graph, feeds, {"merge"}).at(0).BitwiseEquals(MakeScalar<float>(choice ? 9 : -3)));
  }
}

}  // namespace
}  // namespace plumb::dist
