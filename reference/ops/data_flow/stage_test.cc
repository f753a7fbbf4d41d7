// What is staged between steps (rules Q71–Q75).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/step/program.h"
#include "reference/test_graph.h"
#include "reference/world/drivers/first.h"
#include "reference/world/world.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

const std::vector<DType> kInts = {DType::kInt64}, kPair = {DType::kInt64, DType::kInt64};

AttrMap Named(const std::vector<DType>& types, int64_t capacity = 0) {
  return {{"dtypes", types}, {"shared_name", std::string("s")}, {"capacity", capacity}, {"memory_limit", int64_t{39}}};
}
AttrMap Puts(const std::vector<DType>& values) {
  AttrMap attrs = Named(kPair, 1);
  attrs["fake_dtypes"] = values;
  return attrs;
}

class Steps {
 public:
  explicit Steps(const TestGraph& graph) : graph_(std::make_shared<const Graph>(Graph::Load(graph.def))) {}

  // Starts a step, and runs the world as far as it goes.
  StepId Start(std::vector<std::string> fetches, std::vector<std::string> targets = {}) {
    const StepRequest request{{}, std::move(fetches), std::move(targets)};
    const StepId step = world.Start(MakeProgram(graph_, request, {}));
    world.RunAll(first_);
    return step;
  }
  bool Waits(StepId step) const { return !world.IsOver(step); }
  // What the step fetched; its code alone, negated, if it failed.
  std::vector<int64_t> Take(StepId step) {
    const StepOutcome outcome = world.Take(step);
    if (!outcome.status.ok()) return {-static_cast<int64_t>(outcome.status.code())};
    std::vector<int64_t> numbers;
    for (const reference::Value& value : outcome.values) {
      for (const int64_t number : ToInt64s(value.tensor)) numbers.push_back(number);
    }
    return numbers;
  }
  std::vector<int64_t> Get(std::vector<std::string> fetches) { return Take(Start(std::move(fetches))); }
  Code Do(const std::string& op) { return world.Take(Start({}, {op})).status.code(); }

  World world;

 private:
  FirstDriver first_;
  std::shared_ptr<const Graph> graph_;
};

TEST(Staging, AnAreaIsARowWithLimits) {  // Q71
  TestGraph graph;
  graph.Const<int64_t>("one", 1).Const<int64_t>("two", 2).Const<int32_t>("at", 1);
  graph.Value("five", MakeVector<int64_t>({1, 2, 3, 4, 5}));
  for (const char* value : {"one", "two", "five"}) graph.Add(Str("put_", value), "Stage", {value}, Named(kInts, 2));
  graph.Add("take", "Unstage", {}, Named(kInts)).Add("take_pair", "Unstage", {}, Named(kPair));
  graph.Add("peek", "StagePeek", {"at"}, Named(kInts)).Add("size", "StageSize", {}, Named(kInts));
  graph.Add("clear", "StageClear", {}, Named(kInts));
  Steps steps(graph);
  EXPECT_EQ(steps.Do("put_five"), Code::kResourceExhausted);
  const StepId peek = steps.Start({"peek:0"});
  EXPECT_TRUE(steps.Waits(peek));
  EXPECT_EQ(steps.Do("put_one"), Code::kOk);
  EXPECT_EQ(steps.Do("put_two"), Code::kOk);
  EXPECT_THAT(steps.Take(peek), ElementsAre(2));
  const StepId put = steps.Start({}, {"put_one"});
  EXPECT_TRUE(steps.Waits(put));
  EXPECT_THAT(steps.Get({"take:0"}), ElementsAre(1));
  EXPECT_EQ(steps.world.Take(put).status.code(), Code::kOk);
  SavedState state;
  steps.world.Save(state);
  Steps others(graph);
  others.world.Restore(state);
  EXPECT_THAT(others.Get({"take:0"}), ElementsAre(2));
  EXPECT_THAT(steps.Get({"take_pair:0"}), ElementsAre(-3));
  EXPECT_EQ(steps.Do("clear"), Code::kOk);
  EXPECT_THAT(steps.Get({"size:0"}), ElementsAre(0));
}

TEST(Staging, AMapPutsElementsTogether) {  // Q72–Q75
  TestGraph graph;
  graph.Const<int64_t>("key", 7).Const<int64_t>("small", 3).Const<int64_t>("value", 5);
  graph.Value("first", MakeVector<int32_t>({0})).Value("last", MakeVector<int32_t>({1}));
  graph.Value("both", MakeVector<int32_t>({0, 1}));
  for (const std::string map : {"Map", "OrderedMap"}) {
    AttrMap room = Puts(kPair);
    room["capacity"] = int64_t{2};
    const auto named = [&](AttrMap attrs) {
      attrs["shared_name"] = map;
      return attrs;
    };
    graph.Add(map + "put_first", map + "Stage", {"key", "first", "value"}, named(Puts(kInts)));
    graph.Add(map + "put_last", map + "Stage", {"key", "last", "value"}, named(Puts(kInts)));
    graph.Add(map + "put_small", map + "Stage", {"small", "both", "value", "value"}, named(room));
    graph.Add(map + "peek", map + "Peek", {"key", "both"}, named(Named(kPair)));
    graph.Add(map + "take", map + "Unstage", {"key", "last"}, named(Named(kInts)));
    graph.Add(map + "any", map + "UnstageNoKey", {"first"}, named(Named(kInts)));
    graph.Add(map + "size", map + "Size", {}, named(Named(kPair)));
    graph.Add(map + "incomplete", map + "IncompleteSize", {}, named(Named(kPair)));
    graph.Add(map + "clear", map + "Clear", {}, named(Named(kPair)));
  }
  Steps steps(graph);
  for (const std::string map : {"Map", "OrderedMap"}) {
    EXPECT_EQ(steps.Do(map + "put_last"), Code::kOk);
    EXPECT_EQ(steps.Do(map + "put_last"), Code::kInvalidArgument);
    EXPECT_THAT(steps.Get({map + "size:0", map + "incomplete:0"}), ElementsAre(0, 1));
    EXPECT_EQ(steps.Do(map + "put_first"), Code::kOk);
    EXPECT_THAT(steps.Get({map + "peek:0", map + "peek:1"}), ElementsAre(5, 5));
    EXPECT_THAT(steps.Get({map + "take:0"}), ElementsAre(5));
    EXPECT_THAT(steps.Get({map + "take:0"}), ElementsAre(-3));
    const StepId put = steps.Start({}, {map + "put_small"});
    EXPECT_TRUE(steps.Waits(put));  // the first node said a capacity of 1
    EXPECT_THAT(steps.Get({map + "any:0", map + "any:1"}), ElementsAre(7, 5));
    EXPECT_EQ(steps.world.Take(put).status.code(), Code::kOk);
    EXPECT_EQ(steps.Do(map + "clear"), Code::kOk);
    EXPECT_THAT(steps.Get({map + "size:0", map + "incomplete:0"}), ElementsAre(0, 0));
  }
}

}  // namespace
}  // namespace plumb::reference
