// What maps and areas hold between steps (rules Q71 to Q73), on both sides, as TensorFlow answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"
#include "spec/session/hand_over.h"

namespace plumb::conformance {
namespace {

const std::vector<DType> kNumber = {DType::kInt64}, kNumbers = {DType::kInt64, DType::kInt64},
                         kMixed = {DType::kInt64, DType::kInt32}, kFalling = {DType::kInt32, DType::kInt64};

// A step that could end would have, on most machines; on others less is tried.
constexpr std::chrono::milliseconds kLongEnoughToWait{50};

class Staging : public ::testing::TestWithParam<std::string_view> {
 protected:
  void Constant(const std::string& name, Tensor value) {
    const DType dtype = value.dtype();
    Add(name, "Const", {}, {{"value", std::move(value)}, {"dtype", dtype}});
  }
  void AddClear(const std::string& name) { Add(name, "MapClear", {}, OfMap(kNumbers)); }
  // Nodes of one map of two numbers, one element at most.
  void AddPut(const std::string& name, std::vector<std::string> inputs, const std::vector<DType>& values) {
    AttrMap attrs = OfMap(kNumbers);
    attrs["fake_dtypes"] = values;
    Add(name, "MapStage", std::move(inputs), std::move(attrs));
  }
  // A node of one area of numbers; "Stage" of what `inputs` name.
  void AddOfArea(const std::string& name, const std::string& op, std::vector<std::string> inputs) {
    AttrMap attrs = OfMap(kNumber);
    attrs["shared_name"] = std::string("area");
    Add(name, op, std::move(inputs), std::move(attrs));
  }
  void AddPeek(const std::string& name, std::vector<std::string> inputs, const std::vector<DType>& values) {
    Add(name, "MapPeek", std::move(inputs), OfMap(values));
  }
  void AddTake(const std::string& name, std::vector<std::string> inputs, const std::vector<DType>& values) {
    Add(name, "MapUnstage", std::move(inputs), OfMap(values));
  }
  Code Do(const std::string& op) {
    const std::vector<std::string> targets = {op};
    std::vector<Tensor> none;
    return session_->Run({.timeout_ms = 60'000}, {}, {}, targets, &none, nullptr).code();
  }

  std::unique_ptr<Session> session_ = OpenSession(GetParam());
  int64_t capacity_ = 1, memory_limit_ = 0;

 private:
  AttrMap OfMap(const std::vector<DType>& types) const {
    return {{"dtypes", types},
            {"shared_name", std::string("map")},
            {"capacity", capacity_},
            {"memory_limit", memory_limit_}};
  }
  void Add(const std::string& name, const std::string& op, std::vector<std::string> inputs, AttrMap attrs) {
    GraphDef graph;
    graph.nodes.push_back(MakeNode(name, op, std::move(inputs), std::move(attrs)));
    EXPECT_EQ(session_->Extend(graph).ToString(), "OK") << name;
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, Staging, ::testing::Values("reference", "cpu"));

// A whole element is put as it is, whatever its indices and types are, an element in part is not.
TEST_P(Staging, AWholeElementIsPutAsItIs) {  // Q72
  Constant("key", MakeScalar<int64_t>(7));
  Constant("value", MakeScalar<int64_t>(5));
  Constant("other", MakeScalar<int32_t>(6));
  Constant("both", MakeVector<int32_t>({0, 1}));
  Constant("beyond", MakeVector<int32_t>({-1, 9}));
  Constant("falling", MakeVector<int32_t>({1, 0}));
  Constant("ninth", MakeVector<int32_t>({9}));
  AddPut("put", {"key", "beyond", "value", "other"}, kMixed);
  AddPut("put_falling", {"key", "falling", "value", "other"}, kMixed);
  AddPut("put_ninth", {"key", "ninth", "value"}, kNumber);
  AddPeek("peek", {"key", "both"}, kMixed);
  AddPeek("peek_numbers", {"key", "both"}, kNumbers);
  AddPeek("peek_falling", {"key", "falling"}, kFalling);
  AddPeek("peek_ninth", {"key", "ninth"}, kNumber);
  EXPECT_EQ(Do("put_falling"), Code::kInvalidArgument);
  EXPECT_EQ(Do("put_ninth"), Code::kInvalidArgument) << "an element in part";
  EXPECT_EQ(Do("peek_falling"), Code::kInvalidArgument) << "at once, though there is nothing";
  EXPECT_EQ(Do("put"), Code::kOk);
  const std::vector<std::string> fetches = {"peek:0", "peek:1"};
  std::vector<Tensor> element;
  ASSERT_EQ(session_->Run({}, fetches, {}, &element).ToString(), "OK");
  EXPECT_EQ(element[0].scalar<int64_t>(), 5);
  EXPECT_EQ(element[1].scalar<int32_t>(), 6);
  EXPECT_EQ(Do("peek_numbers"), Code::kInternal);
  EXPECT_EQ(Do("peek_ninth"), Code::kInvalidArgument);
}

// What is put under a key that has an element is dropped, and so is the room that it took.
TEST_P(Staging, AnElementUnderAKeyThatIsThereTakesNoRoom) {  // Q73
  capacity_ = 0;
  memory_limit_ = 32;  // two elements
  Constant("both", MakeVector<int32_t>({0, 1}));
  Constant("first", MakeVector<int32_t>({0}));
  Constant("last", MakeVector<int32_t>({1}));
  for (const int64_t key : {1, 2}) {
    const std::string name = Str("key_", key);
    Constant(name, MakeScalar(key));
    AddPut(Str("put_", key), {name, "both", name, name}, kNumbers);
    AddPut(Str("begin_", key), {name, "first", name}, kNumber);
    AddPut(Str("end_", key), {name, "last", name}, kNumber);
  }
  for (int time = 0; time < 4; ++time) {
    ASSERT_EQ(Do("put_1"), Code::kOk) << time;
    ASSERT_EQ(Do("begin_1"), Code::kOk) << time;
    ASSERT_EQ(Do("end_1"), Code::kOk) << time;
  }
  EXPECT_EQ(Do("put_2"), Code::kOk);
}

// What is cleared away leaves its room to others.
TEST_P(Staging, AMapThatIsClearedHasAllItsRoom) {
  capacity_ = 0;
  memory_limit_ = 32;  // two elements
  Constant("both", MakeVector<int32_t>({0, 1}));
  AddClear("clear");
  for (const int64_t key : {1, 2, 3, 4}) {
    Constant(Str("key_", key), MakeScalar(key));
    AddPut(Str("put_", key), {Str("key_", key), "both", Str("key_", key), Str("key_", key)}, kNumbers);
    ASSERT_EQ(Do(Str("put_", key)), Code::kOk) << key;
    if (key == 2) {
      ASSERT_EQ(Do("clear"), Code::kOk);
    }
  }
}

// Who waits for room is served by what makes some, and by nothing else.
TEST_P(Staging, WhoWaitsForRoomIsServedByWhatMakesIt) {
  Constant("key", MakeScalar<int64_t>(7));
  Constant("value", MakeScalar<int64_t>(5));
  Constant("both", MakeVector<int32_t>({0, 1}));
  AddPut("put_in_map", {"key", "both", "value", "value"}, kNumbers);
  Constant("other_key", MakeScalar<int64_t>(8));
  AddPut("wait_for_map", {"other_key", "both", "value", "value"}, kNumbers);
  AddTake("take_from_map", {"key", "both"}, kNumbers);
  AddClear("clear_map");
  AddOfArea("put_in_area", "Stage", {"value"});
  AddOfArea("wait_for_area", "Stage", {"value"});
  AddOfArea("take_from_area", "Unstage", {});
  AddOfArea("clear_area", "StageClear", {});
  for (const std::string what : {"map", "area"}) {
    for (const std::string act : {"take_from_", "clear_"}) {
      ASSERT_EQ(Do("clear_" + what), Code::kOk);
      ASSERT_EQ(Do("put_in_" + what), Code::kOk);
      auto waiting = std::async(std::launch::async, [&] { return Do("wait_for_" + what); });
      ASSERT_EQ(waiting.wait_for(kLongEnoughToWait), std::future_status::timeout) << "there is no room in the " << what;
      ASSERT_EQ(Do(act + what), Code::kOk);
      EXPECT_EQ(waiting.get(), Code::kOk) << act << what;
    }
  }
}

TEST_P(Staging, AnAreaThatIsClearedOrEmptiedHasAllItsRoom) {  // Q71
  capacity_ = 0;
  memory_limit_ = 16;  // two elements
  Constant("value", MakeScalar<int64_t>(5));
  AddOfArea("put", "Stage", {"value"});
  AddOfArea("take", "Unstage", {});
  AddOfArea("clear", "StageClear", {});
  for (const char* const emptied : {"clear", "take", "clear"}) {
    ASSERT_EQ(Do("put"), Code::kOk) << "before " << emptied;
    ASSERT_EQ(Do("put"), Code::kOk) << "before " << emptied;
    ASSERT_EQ(Do(emptied), Code::kOk);
    if (emptied == std::string("take")) {
      ASSERT_EQ(Do("take"), Code::kOk);
    }
  }
}

// S10: an element of which a value was taken, and one that was put as it is with another type, are taken up as they
// are.
TEST_P(Staging, ElementsAreTakenUpAsTheyAre) {  // Q72, Q74
  for (const bool is_mixed : {false, true}) {
    const auto open = [&] {
      session_ = OpenSession(GetParam());
      Constant("key", MakeScalar<int64_t>(7));
      Constant("value", MakeScalar<int64_t>(5));
      Constant("other", MakeScalar<int32_t>(6));
      Constant("both", MakeVector<int32_t>({0, 1}));
      Constant("first", MakeVector<int32_t>({0}));
      Constant("last", MakeVector<int32_t>({1}));
      AddPut("put", {"key", "both", "value", is_mixed ? "other" : "value"}, is_mixed ? kMixed : kNumbers);
      AddTake("take_first", {"key", "first"}, kNumber);
      AddTake("take_last", {"key", "last"}, is_mixed ? std::vector<DType>{DType::kInt32} : kNumber);
    };
    open();
    ASSERT_EQ(Do("put"), Code::kOk);
    if (!is_mixed) {
      ASSERT_EQ(Do("take_first"), Code::kOk);
    }
    const auto left = std::move(session_);
    open();
    EXPECT_EQ(HandOver(*left, *session_).ToString(), "OK") << is_mixed;
    EXPECT_EQ(Do("take_last"), Code::kOk) << is_mixed;
  }
}

}  // namespace
}  // namespace plumb::conformance
