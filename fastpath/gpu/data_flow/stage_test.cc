// What is staged on a GPU stays in its memory, and is found by steps that take it wherever they run.
#include <gmock/gmock.h>

#include <chrono>
#include <future>
#include <thread>

#include "fastpath/testing/list_graph.h"
#include "spec/session/saved_state.h"

namespace plumb::fast {
namespace {

using testing::Contains;
using testing::IsSupersetOf;

const std::vector<DType> kBoth = {DType::kFloat, DType::kInt64};
const AttrMap kArea = {{"dtypes", kBoth}, {"shared_name", std::string("s")}, {"capacity", int64_t{2}}};
const SessionOptions kHost = {.threads = 2}, kGpu = {.threads = 2, .emulated_gpus = 1, .allow_soft_placement = true};

TestGraph AreaGraph() {
  ListGraph graph;
  graph.Placeholder("x", DType::kFloat);
  graph.Placeholder("at", DType::kInt32);
  graph.Const("n", MakeVector<int64_t>({7, 8, 9}));
  graph.Op("sum", "AddV2", DType::kFloat, {"x", "x"});
  graph.Add("row", "GatherV2", {"sum", "at", "0"},
            {{"Tparams", DType::kFloat}, {"Tindices", DType::kInt32}, {"Taxis", DType::kInt32}});
  graph.Add("put", "Stage", {"sum", "n"}, kArea);
  graph.Add("put_row", "Stage", {"row", "n"}, kArea);
  graph.Add("take", "Unstage", {}, kArea);
  graph.Add("peek", "StagePeek", {"at"}, kArea);
  graph.Add("size", "StageSize", {}, kArea);
  graph.Add("clear", "StageClear", {}, kArea);
  graph.Op("twice", "AddV2", DType::kFloat, {"take", "take"});
  // A frame without a condition stays on the host.
  graph.Enter("in", DType::kInt32, {"at"}, "frame");
  graph.Add("peek_inside", "StagePeek", {"in"}, kArea);
  graph.Op("out", "Exit", DType::kFloat, {"peek_inside"});
  return graph;
}

std::unique_ptr<Session> SessionOn(const SessionOptions& options) {
  auto session = NewFastSession(options);
  EXPECT_EQ(session->Extend(AreaGraph().def()).ToString(), "OK");
  return session;
}

std::vector<Feed> Numbers(float first, int32_t at = 0) {
  return {{"x", MakeVector<float>({first, 2})}, {"at", MakeScalar(at)}};
}
std::string Only(const ListAnswers& answers) {
  return answers.status.ok() ? answers.values.at(0).ToString() : answers.status.ToString();
}

TEST(GpuStage, ElementsStayOnTheDevice) {
  const auto session = SessionOn(kGpu);
  EXPECT_THAT(StepOf(*session, Numbers(1), {}, {"put"}).RanOn("GPU:0"), Contains("put"));
  EXPECT_EQ(StepOf(*session, Numbers(3), {}, {"put"}).status.ToString(), "OK");
  const ListAnswers peeked = StepOf(*session, Numbers(0, 1), {"peek", "peek:1", "size"});
  ASSERT_EQ(peeked.status.ToString(), "OK");
  EXPECT_EQ(peeked.values[0].ToString(), MakeVector<float>({6, 4}).ToString());
  EXPECT_EQ(peeked.values[1].ToString(), MakeVector<int64_t>({7, 8, 9}).ToString());
  EXPECT_EQ(peeked.values[2].scalar<int32_t>(), 2);
  EXPECT_THAT(peeked.RanOn("GPU:0"), IsSupersetOf({"peek", "size"}));
  const ListAnswers taken = StepOf(*session, {}, {"twice"});
  EXPECT_EQ(Only(taken), MakeVector<float>({4, 8}).ToString());
  EXPECT_THAT(taken.RanOn("GPU:0"), IsSupersetOf({"take", "twice"}));
  EXPECT_EQ(StepOf(*session, {}, {}, {"clear"}).status.ToString(), "OK");
  EXPECT_EQ(Only(StepOf(*session, {}, {"size"})), MakeScalar(0).ToString());
}

TEST(GpuStage, WhoWaitsGoesOn) {
  const auto session = SessionOn(kGpu);
  EXPECT_EQ(StepOf(*session, {}, {"take"}, {}, 50).status.code(), Code::kDeadlineExceeded);
  auto taken = std::async(std::launch::async, [&] { return Only(StepOf(*session, {}, {"twice"})); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(StepOf(*session, Numbers(1), {}, {"put"}).status.ToString(), "OK");
  EXPECT_EQ(taken.get(), MakeVector<float>({4, 8}).ToString());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(StepOf(*session, Numbers(1), {}, {"put"}).status.ToString(), "OK");
  EXPECT_EQ(StepOf(*session, Numbers(1), {}, {"put"}, 50).status.code(), Code::kDeadlineExceeded);
  EXPECT_EQ(Only(StepOf(*session, {}, {"size"})), MakeScalar(2).ToString());
}

// The index is refused on the device, after the kernel that stages has begun.
TEST(GpuStage, AStepThatFailsGivesNothing) {
  const auto session = SessionOn(kGpu);
  EXPECT_EQ(StepOf(*session, Numbers(1, 5), {}, {"put_row"}).status.code(), Code::kInvalidArgument);
  EXPECT_EQ(Only(StepOf(*session, {}, {"size"})), MakeScalar(0).ToString());
  EXPECT_EQ(StepOf(*session, Numbers(1, 1), {}, {"put_row"}).status.ToString(), "OK");
  EXPECT_EQ(Only(StepOf(*session, {}, {"take"})), MakeScalar<float>(4).ToString());
}

TEST(GpuStage, TheHostTakesWhatADeviceHasStaged) {
  const auto session = SessionOn(kGpu);
  ASSERT_EQ(StepOf(*session, Numbers(1), {}, {"put"}).status.ToString(), "OK");
  const ListAnswers peeked = StepOf(*session, Numbers(0), {"out"});
  EXPECT_EQ(Only(peeked), MakeVector<float>({2, 4}).ToString());
  EXPECT_THAT(peeked.RanOn("CPU:0"), Contains("peek_inside"));
  EXPECT_EQ(Only(StepOf(*session, {}, {"twice"})), MakeVector<float>({4, 8}).ToString());
}

TEST(GpuStage, IsSavedAndRestoredOnAnyDevice) {
  const auto session = SessionOn(kGpu);
  ASSERT_EQ(StepOf(*session, Numbers(1), {}, {"put"}).status.ToString(), "OK");
  SavedState state;
  ASSERT_EQ(dynamic_cast<SavedSession&>(*session).Save(&state).ToString(), "OK");
  for (const SessionOptions& options : {kHost, kGpu}) {
    const auto other = SessionOn(options);
    ASSERT_EQ(dynamic_cast<SavedSession&>(*other).Restore(state).ToString(), "OK");
    EXPECT_EQ(Only(StepOf(*other, {}, {"twice"})), MakeVector<float>({4, 8}).ToString());
  }
}

}  // namespace
}  // namespace plumb::fast
