// What is staged between steps of one session (rules Q71–Q75).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "fastpath/testing/test_graph.h"
#include "spec/session/hand_over.h"

namespace plumb::fast {
namespace {

using ::testing::ElementsAre;

const std::vector<DType> kInts = {DType::kInt64}, kPair = {DType::kInt64, DType::kInt64};

AttrMap Named(const std::vector<DType>& types, int64_t capacity = 0, int64_t memory_limit = 0) {
  return {{"dtypes", types}, {"shared_name", std::string("s")}, {"capacity", capacity}, {"memory_limit", memory_limit}};
}
AttrMap Puts(const std::vector<DType>& values) {
  AttrMap attrs = Named(kPair, 1);
  attrs["fake_dtypes"] = values;
  return attrs;
}

class Steps {
 public:
  explicit Steps(const TestGraph& graph) : session_(NewFastSession({.threads = 2})) {
    EXPECT_TRUE(session_->Extend(graph.def()).ok());
  }
  // What the outputs hold; the code alone, negated, if the step fails.
  std::vector<int64_t> Get(const std::vector<std::string>& fetches, int64_t timeout_ms = 60'000) {
    const std::vector<std::string> none;
    std::vector<Tensor> outputs;
    const Status status = session_->Run({.timeout_ms = timeout_ms}, {}, fetches, none, &outputs, nullptr);
    if (!status.ok()) return {-static_cast<int64_t>(status.code())};
    std::vector<int64_t> numbers;
    for (const Tensor& output : outputs) {
      for (const int64_t number : ToInt64s(output)) numbers.push_back(number);
    }
    return numbers;
  }
  Code Do(const std::string& op, int64_t timeout_ms = 60'000) {
    const std::vector<std::string> none, targets = {op};
    std::vector<Tensor> outputs;
    return session_->Run({.timeout_ms = timeout_ms}, {}, none, targets, &outputs, nullptr).code();
  }
  Session& session() { return *session_; }

 private:
  std::unique_ptr<Session> session_;
};

TestGraph AreaGraph(int64_t memory_limit) {
  TestGraph graph;
  graph.Const("one", MakeScalar<int64_t>(1));
  graph.Const("two", MakeScalar<int64_t>(2));
  graph.Const("five", MakeVector<int64_t>({1, 2, 3, 4, 5}));
  graph.Const("at", MakeScalar<int32_t>(1));
  const AttrMap attrs = Named(kInts, 2, memory_limit);
  graph.Add("put_1", "Stage", {"one"}, attrs);
  graph.Add("put_2", "Stage", {"two"}, attrs);
  graph.Add("put_5", "Stage", {"five"}, attrs);
  graph.Add("take", "Unstage", {}, attrs);
  graph.Add("take_pair", "Unstage", {}, Named(kPair));
  graph.Add("peek", "StagePeek", {"at"}, attrs);
  graph.Add("size", "StageSize", {}, attrs);
  graph.Add("clear", "StageClear", {}, attrs);
  return graph;
}

TEST(Staging, AnAreaIsARowWithLimits) {  // Q71
  Steps steps(AreaGraph(39));
  EXPECT_EQ(steps.Do("put_5"), Code::kResourceExhausted);
  EXPECT_EQ(steps.Do("put_1"), Code::kOk);
  EXPECT_EQ(steps.Do("put_2"), Code::kOk);
  EXPECT_EQ(steps.Do("put_1", 50), Code::kDeadlineExceeded);
  EXPECT_THAT(steps.Get({"peek:0"}), ElementsAre(2));
  EXPECT_THAT(steps.Get({"take:0"}), ElementsAre(1));
  EXPECT_THAT(steps.Get({"peek:0"}, 50), ElementsAre(-4));
  EXPECT_THAT(steps.Get({"take_pair:0"}), ElementsAre(-3));
  EXPECT_THAT(steps.Get({"size:0"}), ElementsAre(0));
}

TEST(Staging, WhoCanGoOnDoes) {  // Q71
  Steps steps(AreaGraph(0));
  auto peeks = std::async(std::launch::async, [&] { return steps.Get({"peek:0"}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(steps.Do("put_1"), Code::kOk);
  EXPECT_EQ(steps.Do("put_5"), Code::kOk);
  EXPECT_THAT(peeks.get(), ElementsAre(1, 2, 3, 4, 5));
  auto puts = std::async(std::launch::async, [&] { return steps.Do("put_2"); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(steps.Do("clear"), Code::kOk);
  EXPECT_EQ(puts.get(), Code::kOk);
  Steps others(AreaGraph(0));
  ASSERT_EQ(HandOver(steps.session(), others.session()).ToString(), "OK");
  EXPECT_THAT(others.Get({"take:0"}), ElementsAre(2));
}

TEST(Staging, WhatIsTakenUpTakesItsRoom) {  // Q71, S10
  Steps steps(AreaGraph(15));               // one number
  EXPECT_EQ(steps.Do("put_1"), Code::kOk);
  Steps others(AreaGraph(15));
  ASSERT_EQ(HandOver(steps.session(), others.session()).ToString(), "OK");
  EXPECT_EQ(others.Do("put_2", 50), Code::kDeadlineExceeded);
  EXPECT_THAT(others.Get({"take:0"}), ElementsAre(1));
  EXPECT_EQ(others.Do("put_2"), Code::kOk);
}

TEST(Staging, AMapPutsElementsTogether) {  // Q72–Q75
  TestGraph graph;
  graph.Const("key", MakeScalar<int64_t>(7));
  graph.Const("value", MakeScalar<int64_t>(5));
  graph.Const("first", MakeVector<int32_t>({0}));
  graph.Const("last", MakeVector<int32_t>({1}));
  graph.Const("both", MakeVector<int32_t>({0, 1}));
  graph.Const("none", MakeVector<int32_t>({}));
  graph.Add("put_first", "MapStage", {"key", "first", "value"}, Puts(kInts));
  graph.Add("put_last", "MapStage", {"key", "last", "value"}, Puts(kInts));
  graph.Add("put_none", "MapStage", {"key", "none", "value"}, Puts(kInts));
  graph.Add("peek", "MapPeek", {"key", "both"}, Named(kPair));
  graph.Add("take_last", "MapUnstage", {"key", "last"}, Named(kInts));
  graph.Add("take_any", "MapUnstageNoKey", {"first"}, Named(kInts));
  graph.Add("size", "MapSize", {}, Named(kPair));
  graph.Add("incomplete", "MapIncompleteSize", {}, Named(kPair));
  graph.Add("clear", "MapClear", {}, Named(kPair));
  Steps steps(graph);
  EXPECT_EQ(steps.Do("put_none"), Code::kInvalidArgument);
  EXPECT_EQ(steps.Do("put_last"), Code::kOk);
  EXPECT_EQ(steps.Do("put_last"), Code::kInvalidArgument);
  EXPECT_THAT(steps.Get({"size:0", "incomplete:0"}), ElementsAre(0, 1));
  EXPECT_EQ(steps.Do("put_first"), Code::kOk);
  EXPECT_THAT(steps.Get({"peek:0", "peek:1"}), ElementsAre(5, 5));
  EXPECT_THAT(steps.Get({"take_last:0"}), ElementsAre(5));
  EXPECT_THAT(steps.Get({"take_last:0"}), ElementsAre(-3));
  EXPECT_THAT(steps.Get({"take_any:0", "take_any:1"}), ElementsAre(7, 5));
  EXPECT_EQ(steps.Do("put_last"), Code::kOk);
  EXPECT_EQ(steps.Do("clear"), Code::kOk);
  EXPECT_THAT(steps.Get({"incomplete:0", "size:0"}), ElementsAre(0, 0));
}

TEST(Staging, AnOrderedMapGivesTheSmallestKey) {  // Q73, Q74
  TestGraph graph;
  graph.Const("seven", MakeScalar<int64_t>(7));
  graph.Const("three", MakeScalar<int64_t>(3));
  graph.Const("value", MakeScalar<int64_t>(5));
  graph.Const("first", MakeVector<int32_t>({0}));
  graph.Const("both", MakeVector<int32_t>({0, 1}));
  AttrMap attrs = Puts(kPair);
  attrs["capacity"] = int64_t{2};
  graph.Add("put_7", "OrderedMapStage", {"seven", "both", "value", "value"}, attrs);
  graph.Add("put_3", "OrderedMapStage", {"three", "both", "value", "value"}, attrs);
  graph.Add("begin_3", "OrderedMapStage", {"three", "first", "value"}, Puts(kInts));
  graph.Add("take", "OrderedMapUnstageNoKey", {"both"}, Named(kPair));
  graph.Add("take_7", "OrderedMapUnstage", {"seven", "both"}, Named(kPair));
  graph.Add("peek", "OrderedMapPeek", {"seven", "first"}, Named(kInts));
  graph.Add("size", "OrderedMapSize", {}, Named(kPair));
  graph.Add("incomplete", "OrderedMapIncompleteSize", {}, Named(kPair));
  graph.Add("clear", "OrderedMapClear", {}, Named(kPair));
  Steps steps(graph);
  EXPECT_EQ(steps.Do("put_7"), Code::kOk);
  EXPECT_EQ(steps.Do("put_3"), Code::kOk);
  EXPECT_EQ(steps.Do("put_3", 50), Code::kDeadlineExceeded);
  EXPECT_EQ(steps.Do("begin_3"), Code::kOk);
  EXPECT_THAT(steps.Get({"size:0", "incomplete:0"}), ElementsAre(2, 1));
  EXPECT_THAT(steps.Get({"take:0"}), ElementsAre(3));
  EXPECT_THAT(steps.Get({"peek:0"}), ElementsAre(5));
  EXPECT_THAT(steps.Get({"take_7:0", "take_7:1"}), ElementsAre(5, 5));
  EXPECT_EQ(steps.Do("put_7"), Code::kOk);
  Steps others(graph);
  ASSERT_EQ(HandOver(steps.session(), others.session()).ToString(), "OK");
  EXPECT_THAT(others.Get({"size:0", "incomplete:0"}), ElementsAre(1, 1));
  EXPECT_EQ(others.Do("clear"), Code::kOk);
  EXPECT_THAT(others.Get({"size:0", "incomplete:0"}), ElementsAre(0, 0));
}

}  // namespace
}  // namespace plumb::fast
