#include "client/placement/place_by_cost.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "client/control_flow/while_loop.h"
#include "client/scope.h"
#include "client/testing.h"
#include "client/variable.h"
#include "spec/core/device_name.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

const std::vector<DeviceOffer> kTwo = {{"/job:worker/task:0"}, {"/job:worker/task:1"}};

// Two rows of nodes of equal length that meet in the end: "left0" … and "right0" …
void TwoRows(Scope& scope, int length) {
  std::vector<Output> ends;
  for (const std::string row : {"left", "right"}) {
    Output at = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({100})}}, row);
    for (int i = 0; i < length; ++i) at = scope.Call("Neg", {at}, {}, Str(row, i));
    ends.push_back(at);
  }
  scope.Call("Add", ends, {}, "end");
}

// A traced step in which each node whose name begins with `name` took so many seconds.
RunMetadata Took(Scope& scope, const std::string& name, double seconds) {
  RunMetadata metadata;
  metadata.step_stats.push_back({"/job:localhost/replica:0/task:0/device:CPU:0", {}});
  for (const Node& node : scope.builder().graph().nodes()) {
    if (!node.name.starts_with(name)) continue;
    metadata.step_stats[0].nodes.push_back({node.name, node.op->name, 0, 0, static_cast<int64_t>(seconds * 1e9)});
  }
  return metadata;
}

std::set<std::string> DevicesOf(const CostPlacement& placement, const std::string& name) {
  std::set<std::string> devices;
  for (const auto& [node, device] : placement.devices) {
    if (node.starts_with(name)) devices.insert(device);
  }
  return devices;
}

TEST(PlaceByCost, RowsThatAreWorthItRunBesideEachOther) {
  Scope scope;
  TwoRows(scope, 5);
  MeasuredCosts costs;
  costs.Learn(Took(scope, "left", 0.01));
  costs.Learn(Took(scope, "right", 0.01));
  const CostPlacement placement = PlaceByCost(scope.builder(), costs, kTwo);
  EXPECT_EQ(DevicesOf(placement, "left").size(), 1u);
  EXPECT_EQ(DevicesOf(placement, "right").size(), 1u);
  EXPECT_NE(DevicesOf(placement, "left"), DevicesOf(placement, "right"));
  EXPECT_LT(placement.seconds, 0.075) << "one device takes 0.12 s";
  EXPECT_EQ(placement.measured, 12);
}

TEST(PlaceByCost, WhatIsCheapStaysTogether) {
  Scope scope;
  TwoRows(scope, 5);
  const CostPlacement estimated = PlaceByCost(scope.builder(), MeasuredCosts(), kTwo);
  EXPECT_EQ(DevicesOf(estimated, "").size(), 1u) << "a link takes longer than all of it";
  MeasuredCosts costs;
  costs.Learn(Took(scope, "left", 0.01));
  costs.Learn(Took(scope, "right", 0.01));
  const CostPlacement slow = PlaceByCost(scope.builder(), costs, kTwo, {.link = {.latency = 10}});
  EXPECT_EQ(DevicesOf(slow, "").size(), 1u) << "so does a slow link";
}

TEST(PlaceByCost, WhatWasMeasuredCountsAndNotWhatLooksAlike) {
  Scope scope;
  TwoRows(scope, 4);
  MeasuredCosts costs;
  costs.Learn(Took(scope, "left", 3));  // the first step, which sets things up
  for (int step = 0; step < 3; ++step) costs.Learn(Took(scope, "left", 0.5));
  EXPECT_DOUBLE_EQ(*costs.SecondsOf("left2"), 0.5);
  EXPECT_FALSE(costs.SecondsOf("right2"));
  const std::vector<DeviceOffer> offers = {{"/job:worker/task:0", INT64_MAX, 1}, {"/job:worker/task:1", INT64_MAX, 4}};
  const CostPlacement placement = PlaceByCost(scope.builder(), costs, offers);
  EXPECT_EQ(DevicesOf(placement, "left"), std::set<std::string>{"/job:worker/task:1"}) << "where it is quicker";
}

TEST(PlaceByCost, MemoryIsALimit) {
  Scope scope;
  std::vector<Variable> variables;
  for (int i = 0; i < 4; ++i) {
    variables.push_back(
        MakeVariable(scope, Constant(scope, Zeros(DType::kFloat, Shape({1000}))), {.name = Str("v", i)}));
    scope.Call("Neg", {variables.back().value()}, {}, Str("user", i));
  }
  std::vector<DeviceOffer> offers = kTwo;
  const CostPlacement free = PlaceByCost(scope.builder(), MeasuredCosts(), offers);
  EXPECT_EQ(DevicesOf(free, "").size(), 1u);
  const int64_t all = free.held[0] + free.held[1];
  EXPECT_GE(all, 4 * 1000 * 4);
  for (DeviceOffer& offer : offers) offer.memory = all * 6 / 10;
  const CostPlacement tight = PlaceByCost(scope.builder(), MeasuredCosts(), offers);
  for (size_t i = 0; i < offers.size(); ++i) EXPECT_LE(tight.held[i], offers[i].memory);
  EXPECT_EQ(DevicesOf(tight, "").size(), 2u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(DevicesOf(tight, Str("v", i)), DevicesOf(tight, Str("user", i))) << "users of a variable stay with it";
  }
  for (DeviceOffer& offer : offers) offer.memory = all / 10;
  EXPECT_TRUE(Refuses([&] { PlaceByCost(scope.builder(), MeasuredCosts(), offers); }, Code::kResourceExhausted,
                      "/job:worker/task:1"));
}

TEST(PlaceByCost, RequestsAreKeptAndHaveToBeMet) {
  Scope scope;
  {
    const auto on = scope.On("/job:worker/task:1");
    scope.Call("Const", {}, {{"value", MakeScalar(1.0F)}, {"dtype", DType::kFloat}}, "asks");
  }
  const Output free = scope.Call("Const", {}, {{"value", MakeScalar(1.0F)}, {"dtype", DType::kFloat}}, "free");
  scope.builder().SetAttr(free.node(), "_class", std::vector<std::string>{"loc:@asks"});
  const CostPlacement placement = PlaceByCost(scope.builder(), MeasuredCosts(), kTwo);
  EXPECT_FALSE(placement.devices.contains("asks"));
  EXPECT_EQ(placement.devices.at("free"), "/job:worker/task:1");
  GraphDef graph = scope.ToGraphDef();
  AskForDevices(graph, placement);
  for (const NodeDef& node : graph.nodes) EXPECT_EQ(DeviceName::Parse(node.device).task, 1) << node.name;
  EXPECT_TRUE(Refuses([&] { PlaceByCost(scope.builder(), MeasuredCosts(), {{"/job:worker/task:0"}}); },
                      Code::kInvalidArgument, "'asks'"));
  EXPECT_TRUE(
      Refuses([&] { PlaceByCost(scope.builder(), MeasuredCosts(), {}); }, Code::kInvalidArgument, "one device"));
}

// Whatever the costs: room is kept, and no single device would be quicker.
TEST(PlaceByCost, IsNeverSlowerThanOneDevice) {
  std::mt19937 random(7);
  for (int graph = 0; graph < 40; ++graph) {
    Scope scope;
    std::vector<Output> nodes = {
        Constant(scope, Zeros(DType::kFloat, Shape({1 + static_cast<int64_t>(random() % 1000)})))};
    RunMetadata metadata;
    metadata.step_stats.emplace_back();
    for (int i = 0; i < 30; ++i) {
      nodes.push_back(scope.Call("Neg", {nodes[random() % nodes.size()]}, {}, Str("n", i)));
      metadata.step_stats[0].nodes.push_back({Str("n", i), "Neg", 0, 0, static_cast<int64_t>(random() % 1'000'000)});
    }
    MeasuredCosts costs;
    costs.Learn(metadata);
    std::vector<DeviceOffer> offers;
    for (int i = 0; i < 3; ++i) offers.push_back({Str("/job:worker/task:", i), INT64_MAX, 1.0 + i});
    const CostPlacement placement = PlaceByCost(scope.builder(), costs, offers);
    for (const DeviceOffer& offer : offers) {
      EXPECT_LE(placement.seconds, PlaceByCost(scope.builder(), costs, {offer}).seconds) << graph;
    }
    const int64_t all = placement.held[0] + placement.held[1] + placement.held[2];
    for (DeviceOffer& offer : offers) offer.memory = all / 2;
    const CostPlacement tight = PlaceByCost(scope.builder(), costs, offers);
    for (size_t i = 0; i < offers.size(); ++i) EXPECT_LE(tight.held[i], offers[i].memory) << graph;
  }
}

TEST(PlaceByCost, LoopsAreNotTornApart) {
  Scope scope;
  const LoopVars results = WhileLoop(
      scope, {Constant(scope, 0.0F)}, [](const LoopVars& at) { return at[0] < 10; },
      [](const LoopVars& at) { return LoopVars{at[0] + 1}; });
  const Output outside = scope.Call("Neg", {results[0]}, {}, "outside");
  MeasuredCosts costs;
  costs.Learn(Took(scope, "", 0.01));
  const CostPlacement placement = PlaceByCost(scope.builder(), costs, kTwo);
  EXPECT_EQ(DevicesOf(placement, "while").size(), 1u);
  EXPECT_TRUE(placement.devices.contains(outside.builder->graph().node(outside.node()).name));
}

}  // namespace
}  // namespace plumb
