#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "fastpath/testing/test_graph.h"

namespace plumb::fast::cpu {
namespace {

Entry Keys(std::initializer_list<std::string> keys) { return In(MakeVector<std::string>(keys)); }
Entry Floats(std::initializer_list<float> values) { return In(MakeVector<float>(values)); }
AttrMap Component(int64_t index) { return {{"component_index", index}}; }
AttrMap Pairs() {
  const std::vector<PartialShape> scalars(2, PartialShape(Shape()));
  return {{"component_types", std::vector<DType>(2, DType::kFloat)}, {"shapes", scalars}, {"capacity", int64_t{-1}}};
}

TEST(Barrier, PutsTuplesTogether) {  // B1–B3
  KernelHarness harness;
  const Entry barrier = harness.Run("Barrier", {}, Pairs())[0];
  harness.Run("BarrierInsertMany", {barrier, Keys({"a", "b"}), Floats({1, 2})}, Component(0));
  EXPECT_EQ(harness.Value("BarrierIncompleteSize", {barrier}).scalar<int32_t>(), 2);
  harness.Run("BarrierInsertMany", {barrier, Keys({"b"}), Floats({20})}, Component(1));
  EXPECT_EQ(harness.Value("BarrierReadySize", {barrier}).scalar<int32_t>(), 1);
  EXPECT_EQ(harness.CodeOf("BarrierInsertMany", {barrier, Keys({"a"}), Floats({3})}, Component(0)),
            Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("BarrierInsertMany", {barrier, Keys({"a"}), Floats({3})}, Component(2)),
            Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("BarrierInsertMany", {barrier, Keys({"c", "d"}), Floats({3})}, Component(0)),
            Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("BarrierInsertMany", {barrier, Keys({"c"}), Floats({3, 4})}, Component(0)), Code::kOk);
}

// B2: an insertion counts where it begins a key, however many components come in between.
TEST(Barrier, CountsTheInsertionsThatBeganAKey) {
  TestGraph graph;
  graph.Add("b", "Barrier", {}, Pairs());
  graph.Const("two", MakeScalar<int32_t>(2));
  graph.Const("value", MakeVector<float>({1}));
  for (const char* key : {"first", "second"}) {
    graph.Const(key, MakeVector<std::string>({key}));
    for (const int64_t component : {0, 1}) {
      AttrMap attrs = Component(component);
      attrs["T"] = DType::kFloat;
      graph.Add(Str(key, "_", component), "BarrierInsertMany", {"b", key, "value"}, attrs);
    }
  }
  graph.Add("take", "BarrierTakeMany", {"b", "two"},
            {{"component_types", std::vector<DType>(2, DType::kFloat)}, {"wait_for_incomplete", false}});
  TestSession session(graph);
  for (const char* put : {"first_0", "first_1", "second_1", "second_0"}) {
    ASSERT_EQ(session.Try({}, {}, {put}), Code::kOk) << session.status().ToString();
  }
  const auto taken = session.Run({}, {"take:0", "take:1"});
  ASSERT_EQ(session.status().ToString(), "OK");
  EXPECT_EQ(taken[1].data<std::string>()[0], "first");
  EXPECT_EQ(taken[0].data<int64_t>()[1] - taken[0].data<int64_t>()[0], 1);
}

// What an InsertMany had completed when it failed is gone; what it had begun stays.
TEST(Barrier, LosesWhatAFailedInsertHasCompleted) {  // B2
  KernelHarness harness;
  const Entry barrier = harness.Run("Barrier", {}, Pairs())[0];
  harness.Run("BarrierInsertMany", {barrier, Keys({"a"}), Floats({1})}, Component(0));
  harness.Run("BarrierInsertMany", {barrier, Keys({"x"}), Floats({2})}, Component(1));
  EXPECT_EQ(harness.CodeOf("BarrierInsertMany", {barrier, Keys({"a", "y", "x"}), Floats({1, 2, 3})}, Component(1)),
            Code::kInvalidArgument);
  EXPECT_EQ(harness.Value("BarrierReadySize", {barrier}).scalar<int32_t>(), 0);
  EXPECT_EQ(harness.Value("BarrierIncompleteSize", {barrier}).scalar<int32_t>(), 2) << "x and y";
}

TEST(Barrier, LetsNoKeyBeginOnceItIsClosed) {  // B5
  KernelHarness harness;
  const Entry barrier = harness.Run("Barrier", {}, Pairs())[0];
  harness.Run("BarrierInsertMany", {barrier, Keys({"a"}), Floats({1})}, Component(0));
  harness.Run("BarrierClose", {barrier}, {{"cancel_pending_enqueues", false}});
  EXPECT_EQ(harness.CodeOf("BarrierInsertMany", {barrier, Keys({"b"}), Floats({1})}, Component(0)), Code::kCancelled);
  harness.Run("BarrierInsertMany", {barrier, Keys({"a"}), Floats({10})}, Component(1));
  EXPECT_EQ(harness.CodeOf("BarrierClose", {barrier}, {{"cancel_pending_enqueues", false}}), Code::kCancelled);
  EXPECT_EQ(harness.CodeOf("BarrierClose", {barrier}, {{"cancel_pending_enqueues", true}}), Code::kOk);
}

}  // namespace
}  // namespace plumb::fast::cpu
