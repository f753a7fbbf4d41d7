// The step that a placement is expected to take, by hand: all numbers are sums of powers of two.
#include "client/placement/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "client/scope.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

// Two devices, of which the second is twice as quick. A value of 4 bytes travels for a second.
class Schedules : public testing::Test {
 protected:
  // A node that takes so many seconds on the first device.
  Output Add(double seconds, const std::vector<Output>& inputs = {}) {
    costs_.seconds.push_back(seconds);
    costs_.bytes.push_back({4});
    if (inputs.empty()) return scope_.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({1})}});
    return inputs.size() == 1 ? scope_.Call("Neg", inputs) : scope_.Call("Add", inputs);
  }
  // Each node is a group of its own, in the order of their making.
  double SecondsOf(const std::vector<int>& offers) { return Made().SecondsOf(offers); }
  std::vector<int> Greedily(std::vector<int> asked) {
    Made().PlaceGreedily(asked);
    return asked;
  }
  Schedule Made() {
    const Graph& graph = scope_.builder().graph();
    EXPECT_EQ(costs_.seconds.size(), graph.nodes().size());
    groups_.emplace(graph);
    costs_.held.assign(graph.nodes().size(), 4);
    return Schedule(graph, *groups_, costs_, offers_, {.latency = 0.5, .bytes_per_second = 8});
  }

  Scope scope_;
  GraphCosts costs_;
  std::optional<PlacedGroups> groups_;
  std::vector<DeviceOffer> offers_ = {{.device = "/device:CPU:0"}, {.device = "/device:CPU:1", .speed = 2}};
};

TEST_F(Schedules, NodesOfAChainFollowEachOther) {
  Add(2, {Add(1)});
  EXPECT_EQ(SecondsOf({0, 0}), 3);
  EXPECT_EQ(SecondsOf({1, 1}), 1.5);
  EXPECT_EQ(SecondsOf({0, 1}), 1 + 1 + 1);
  EXPECT_EQ(SecondsOf({1, 0}), 0.5 + 1 + 2);
}

TEST_F(Schedules, ADeviceDoesOneThingAtATime) {
  Add(1);
  Add(2);
  EXPECT_EQ(SecondsOf({0, 0}), 3);
  EXPECT_EQ(SecondsOf({0, 1}), 1);
  EXPECT_EQ(SecondsOf({1, 0}), 2);
}

// The sum is done when its device is free, though its inputs have been there for long.
TEST_F(Schedules, ANodeWaitsForItsDeviceAndForEachOfItsInputs) {
  const Output x = Add(1), y = Add(8);
  Add(4);
  Add(1, {x, x});
  Add(1, {y, x});
  EXPECT_EQ(SecondsOf({0, 1, 0, 0, 0}), 4 + 1 + 1 + 1);
  EXPECT_EQ(SecondsOf({0, 1, 0, 1, 1}), 4 + 0.5 + 0.5);
  EXPECT_EQ(SecondsOf({1, 0, 1, 1, 1}), 8 + 1 + 0.5);
}

// What costs nothing, such as a constant, is there at once and keeps nobody waiting.
TEST_F(Schedules, WhatCostsNothingKeepsNoDeviceWaiting) {
  const Output x = Add(4);
  Add(0, {x});
  Add(1);
  EXPECT_EQ(SecondsOf({1, 0, 0}), 3);
  EXPECT_EQ(SecondsOf({0, 0, 0}), 5);
}

TEST_F(Schedules, EachGroupGoesWhereItsFirstNodeEndsFirst) {
  const Output x = Add(2);
  Add(1, {x});
  Add(16);
  EXPECT_THAT(Greedily({-1, -1, -1}), ElementsAre(1, 1, 1));
  EXPECT_THAT(Greedily({0, -1, -1}), ElementsAre(0, 0, 1));
}

TEST_F(Schedules, WhereThereIsNoRoomNothingGoes) {
  Add(2);
  Add(2);
  Add(2);
  offers_[0].memory = 7;
  offers_[1].memory = 4;
  EXPECT_THAT(Greedily({-1, -1, -1}), ElementsAre(1, 0, -1));
  EXPECT_THAT(Made().HeldBytes({1, 0, -1}), ElementsAre(4, 4));
  EXPECT_TRUE(Made().HasRoom({1, 0, -1}));
  EXPECT_FALSE(Made().HasRoom({0, 0, -1}));
}

}  // namespace
}  // namespace plumb
