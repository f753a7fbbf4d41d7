// Variables of a session with an accelerator: they are held and updated there, and answer as they would on the host.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "fastpath/testing/test_graph.h"
#include "spec/graph/function_testing.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

// The names of what ran on the device.
std::set<std::string> RanOn(const std::string& device, const RunMetadata& metadata) {
  std::set<std::string> names;
  for (const DeviceStats& each : metadata.step_stats) {
    for (const NodeStats& node : each.nodes) {
      if (each.device.ends_with(device)) names.insert(node.node);
    }
  }
  return names;
}

class AcceleratedVariables : public testing::Test {
 protected:
  AcceleratedVariables() {
    graph_.Add("v", "VariableV2", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}});
    graph_.Float("one", 1);
    graph_.Op("set", "Assign", kFloat, {"v", "one"});
    graph_.Op("add", "AssignAdd", kFloat, {"v", "one"});
    graph_.Op("read", "Identity", kFloat, {"v"});
  }
  static Status Run(Session& session, const std::vector<std::string>& fetches, const std::vector<std::string>& targets,
                    std::vector<Tensor>* outputs) {
    return session.Run(std::vector<Feed>(), fetches, targets, outputs);
  }

  TestGraph graph_;
};

TEST_F(AcceleratedVariables, AreUpdatedWhereTheyAreHeld) {
  TestSession session(graph_, {.sim_devices = 1});
  ASSERT_TRUE(session.status().ok()) << session.status().ToString();
  session.Run({}, {}, {"set"});
  std::vector<Tensor> outputs;
  RunMetadata metadata;
  RunOptions options;
  options.trace = true;
  ASSERT_EQ(session->Run(options, {}, std::vector<std::string>{"add"}, {}, &outputs, &metadata).ToString(), "OK");
  EXPECT_EQ(outputs.at(0).scalar<float>(), 2);
  const auto on_sim = RanOn("SIM:0", metadata);
  EXPECT_TRUE(on_sim.contains("v") && on_sim.contains("add"));
  EXPECT_EQ(session.Scalar<float>({}, "read"), 2);
}

// F28, F29: a fetched alias shows what the variable holds when the step is over.
TEST_F(AcceleratedVariables, AreReadByFetchesWhenTheStepIsOver) {
  graph_.Add("late", "AssignAdd", {"v", "one", "^read"}, {{"T", kFloat}});
  TestSession session(graph_, {.sim_devices = 1});
  session.Run({}, {}, {"set"});
  EXPECT_EQ(session.Scalar<float>({}, "read", {"late"}), 2);
  EXPECT_EQ(session.Scalar<float>({}, "v", {"late"}), 3);
}

// W16: aliases show what a variable holds, though a body that makes the same variable runs on the host (R3, R31).
TEST_F(AcceleratedVariables, AreThoseThatBodiesName) {
  const AttrMap variable = {{"dtype", kFloat}, {"shape", PartialShape(Shape())}, {"shared_name", std::string("v")}};
  const FunctionDef add =
      MakeFunction("Grow() -> ()", "",
                   {MakeNode("own", "VariableV2", {}, variable), MakeConst("two", MakeScalar<float>(2)),
                    MakeNode("add", "AssignAdd", {"own:ref:0", "two:output:0"}, {{"T", kFloat}})},
                   {}, {{"add", "add"}});
  graph_.Add("call", "StatefulPartitionedCall", {"^read"},
             {{"Tin", std::vector<DType>()}, {"Tout", std::vector<DType>()}, {"f", Ref("Grow")}});
  graph_.Op("late", "Identity", kFloat, {"read", "^call"});
  graph_.Op("negative", "Neg", kFloat, {"late"});
  GraphDef def = graph_.def();
  def.library = MakeGraph({}, {add}).library;
  const auto session = NewFastSession({.sim_devices = 1});
  ASSERT_EQ(session->Extend(def).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(Run(*session, {}, {"set"}, nullptr).ToString(), "OK");
  ASSERT_EQ(Run(*session, {"negative:0"}, {}, &outputs).ToString(), "OK");
  EXPECT_EQ(outputs.at(0).scalar<float>(), -3);
}

// R31: what a call hands on is the buffer still, though the consumers of its results stand before them, and a node of
// the body asks for the host.
TEST_F(AcceleratedVariables, ShowThroughCalls) {
  NodeDef here = MakeNode("i", "Identity", {"a"}, {{"T", kFloat}});
  here.device = "/cpu:0";
  const FunctionDef same =
      MakeFunction("Same(a: float32, other: float32) -> (b: float32)", "", {here}, {{"b", "i:output:0"}});
  graph_.Add("call", "PartitionedCall", {"read", "one"},
             {{"Tin", std::vector<DType>{kFloat, kFloat}}, {"Tout", std::vector<DType>{kFloat}}, {"f", Ref("Same")}});
  graph_.Op("more", "AssignAdd", kFloat, {"v", "one", "^call"});
  graph_.Op("negative", "Neg", kFloat, {"call", "^more"});
  GraphDef def = graph_.def();
  def.library = MakeGraph({}, {same}).library;
  const auto session = NewFastSession({.sim_devices = 1});
  ASSERT_EQ(session->Extend(def).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(Run(*session, {}, {"set"}, nullptr).ToString(), "OK");
  ASSERT_EQ(Run(*session, {"negative:0"}, {}, &outputs).ToString(), "OK");
  EXPECT_EQ(outputs.at(0).scalar<float>(), -2);
}

// W10: the same with a graph that comes later.
TEST_F(AcceleratedVariables, AreThoseOfTheirNameOnTheHost) {
  TestSession session(graph_, {.sim_devices = 1});
  session.Run({}, {}, {"set"});
  EXPECT_EQ(session.Scalar<float>({}, "add"), 2);
  TestGraph later;
  later.Add("w", "VariableV2", {},
            {{"dtype", kFloat}, {"shape", PartialShape(Shape())}, {"shared_name", std::string("v")}}, "/device:CPU:0");
  later.Float("two", 2);
  later.Add("more", "AssignAdd", {"w", "two", "^read"}, {{"T", kFloat}});
  later.Op("late", "Identity", kFloat, {"read", "^more"});
  later.Op("negative", "Neg", kFloat, {"late"});
  ASSERT_EQ(session->Extend(later.def()).ToString(), "OK");
  EXPECT_EQ(session.Scalar<float>({}, "negative"), -4);
}

}  // namespace
}  // namespace plumb::fast
