// Training on an emulated GPU that launches steps as one: variables are what kernels leave that are launched one by
// one.
#include <thread>

#include "fastpath/gpu/gpu_section_testing.h"

namespace plumb::fast::section_testing {
namespace {

// A layer that learns: the gradients are written down by hand. `behind_handles`: of what kind its variables are.
GraphDef Layer(bool behind_handles) {
  const AttrMap transposed = {{"T", DType::kFloat}, {"transpose_a", true}};
  const AttrMap of = {{"dtype", DType::kFloat}};
  GraphDef graph;
  graph.nodes = {Fed("x"),
                 Fed("wanted"),
                 Fed("w_first"),
                 Fed("b_first"),
                 MakeConst("rate", MakeScalar(0.125f)),
                 MakeConst("rows", MakeVector<int32_t>({0})),
                 MakeConst("all", MakeVector<int32_t>({0, 1}))};
  for (const auto& [name, shape] : {std::pair("w", PartialShape({3, 2})), std::pair("b", PartialShape({2}))}) {
    const std::string v = name;
    if (behind_handles) {
      graph.nodes.push_back(
          MakeNode(v, "VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", shape}, {"shared_name", v}}));
      graph.nodes.push_back(MakeNode(v + "_now", "ReadVariableOp", {v}, of));
      graph.nodes.push_back(MakeNode(v + "_set", "AssignVariableOp", {v, v + "_first"}, of));
      graph.nodes.push_back(Op("ResourceApplyGradientDescent", v + "_step", {v, "rate", v + "_slope"}));
    } else {
      graph.nodes.push_back(MakeNode(v, "VariableV2", {}, {{"dtype", DType::kFloat}, {"shape", shape}}));
      graph.nodes.push_back(Op("Identity", v + "_now", {v}));
      graph.nodes.push_back(Op("Assign", v + "_set", {v, v + "_first"}));
      graph.nodes.push_back(Op("ApplyGradientDescent", v + "_step", {v, "rate", v + "_slope"}));
    }
  }
  for (NodeDef node :
       {Op("MatMul", "products", {"x", "w_now"}), Op("Add", "sums", {"products", "b_now"}), Op("Tanh", "y", {"sums"}),
        Op("Sub", "error", {"y", "wanted"}), MakeNode("w_slope", "MatMul", {"x", "error"}, transposed),
        Op("Sum", "b_slope", {"error", "rows"}), Op("Square", "squares", {"error"}),
        Op("Mean", "loss", {"squares", "all"}), MakeNode("train", "NoOp", {"^w_step", "^b_step"}),
        MakeNode("w_later", behind_handles ? "ReadVariableOp" : "Identity", {"w", "^train"},
                 behind_handles ? of : FloatType())}) {
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

Request Initial() { return {{{"w_first", Numbers({3, 2}, 1)}, {"b_first", Numbers({2}, 2)}}, {}, {"w_set", "b_set"}}; }
Request Training(uint32_t step, std::vector<std::string> fetches = {}, int64_t batch = 4) {
  return {{{"x", Numbers({batch, 3}, 10 + step)}, {"wanted", Numbers({batch, 2}, 100 + step)}},
          std::move(fetches),
          {"train"}};
}

class Trained : public testing::TestWithParam<bool> {};

TEST_P(Trained, AStaticStepIsOneLaunchAndLeavesTheSameBits) {
  Both both(Layer(GetParam()));
  both.Run(Initial(), "at first");
  for (uint32_t step = 0; step < kSteps; ++step) {
    both.Run(Training(step), "");
    both.Run({{}, {"w_now", "b_now"}, {}}, Str("after step ", step));
  }
  std::vector<Tensor> none;
  const LaunchCounts launches = LaunchesOf(both.with(), Training(kSteps), &none);
  EXPECT_EQ(launches.graphs, 1);
  EXPECT_EQ(launches.kernels, 0);
  EXPECT_EQ(launches.fills, 0);
}

TEST_P(Trained, WhatLeavesIsWhatKernelsGive) {
  Both both(Layer(GetParam()));
  both.Run(Initial(), "at first");
  int64_t graphs = 0;
  for (uint32_t step = 0; step < 2 * kSteps; ++step) {
    graphs += both.Run(Training(step, {"loss", "y"}, 2 + step % 2), Str("step ", step));
  }
  EXPECT_GE(graphs, kSteps);
}

// One that is given the value of a variable, from before its change, holds it.
TEST_P(Trained, ValuesOfVariablesThatLeaveAreThoseOfTheirTime) {
  Both both(Layer(GetParam()));
  both.Run(Initial(), "at first");
  for (uint32_t step = 0; step < 2 * kSteps; ++step) {
    both.Run(
        Training(step, GetParam() ? std::vector<std::string>{"w_now", "w_later"} : std::vector<std::string>{"w_later"}),
        Str("step ", step));
  }
}

TEST_P(Trained, VariablesThatLieElsewhereMakeNewGraphs) {
  Both both(Layer(GetParam()));
  int64_t graphs = 0;
  for (uint32_t round = 0; round < 3; ++round) {
    Request initial = Initial();
    initial.feeds[0].second = Numbers({3, 2}, 7 + round);
    both.Run(initial, "at first");
    for (uint32_t step = 0; step < kSteps; ++step) {
      graphs += both.Run(Training(step, {"loss"}), Str("round ", round, ", step ", step));
    }
  }
  EXPECT_GE(graphs, kSteps);
}

TEST_P(Trained, AStepMayAskForKernelsOneByOne) {
  const auto session = Open(Layer(GetParam()), true);
  std::vector<Tensor> outputs;
  LaunchesOf(*session, Initial(), &outputs);
  for (uint32_t step = 0; step < kSteps; ++step) LaunchesOf(*session, Training(step), &outputs);
  const LaunchCounts plain = LaunchesOf(*session, Training(0), &outputs, {.gpu_graphs = false});
  EXPECT_EQ(plain.graphs, 0);
  EXPECT_GT(plain.kernels, 5);
  EXPECT_EQ(LaunchesOf(*session, Training(0), &outputs).graphs, 1);
}

// Each step adds the same numbers, in whatever order.
TEST_P(Trained, StepsAtTheSameTimeLoseNothing) {
  const AttrMap of = {{"dtype", DType::kFloat}};
  const bool behind_handles = GetParam();
  GraphDef graph;
  graph.nodes = {Fed("x"), Fed("first"), Op("Add", "twice", {"x", "x"}), Op("Neg", "less", {"twice"}),
                 Op("Neg", "more", {"less"})};
  if (behind_handles) {
    graph.nodes.push_back(MakeNode("v", "VarHandleOp", {},
                                   {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}, {"shared_name", "v"}}));
    graph.nodes.push_back(MakeNode("set", "AssignVariableOp", {"v", "first"}, of));
    graph.nodes.push_back(MakeNode("add", "AssignAddVariableOp", {"v", "more"}, of));
    graph.nodes.push_back(MakeNode("now", "ReadVariableOp", {"v"}, of));
  } else {
    graph.nodes.push_back(MakeNode("v", "VariableV2", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}}));
    graph.nodes.push_back(Op("Assign", "set", {"v", "first"}));
    graph.nodes.push_back(Op("AssignAdd", "add", {"v", "more"}));
    graph.nodes.push_back(Op("Identity", "now", {"v"}));
  }
  const auto session = Open(graph, true);
  std::vector<Tensor> outputs;
  LaunchesOf(*session, {{{"first", MakeTensor<float>({2}, {0, 0})}}, {}, {"set"}}, &outputs);
  const LaunchCounts before = EmulatorLaunches();
  constexpr int kThreads = 3, kEach = 40;
  std::vector<std::thread> clients;
  for (int client = 0; client < kThreads; ++client) {
    clients.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        std::vector<Tensor> none;
        const std::vector<Feed> feeds = {{"x", MakeTensor<float>({2}, {0.5f, 1})}};
        const std::vector<std::string> target = {"add"};
        EXPECT_TRUE(session->Run(feeds, {}, target, &none).ok());
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_GT(EmulatorLaunches().graphs, before.graphs);
  LaunchesOf(*session, {{}, {"now"}, {}}, &outputs);
  EXPECT_TRUE(outputs[0].BitwiseEquals(MakeTensor<float>({2}, {kThreads * kEach, 2 * kThreads * kEach})))
      << outputs[0].ToString();
}

INSTANTIATE_TEST_SUITE_P(BothKinds, Trained, testing::Bool(), [](const auto& kind) {
  return kind.param ? std::string("BehindHandles") : std::string("BehindReferences");
});

}  // namespace
}  // namespace plumb::fast::section_testing
