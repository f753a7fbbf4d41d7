// S11 on GPUs: what a session keeps stays in the memory of the device.
#include <gmock/gmock.h>

#include "fastpath/testing/list_graph.h"
#include "spec/session/saved_state.h"

namespace plumb::fast {
namespace {

using testing::Contains;
using testing::IsSupersetOf;

constexpr DType kFloat = DType::kFloat;
const SessionOptions kHost = {.threads = 2, .allow_soft_placement = true},
                     kGpu = {.threads = 2, .emulated_gpus = 1, .allow_soft_placement = true};

std::unique_ptr<Session> SessionOn(const SessionOptions& options) {
  ListGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Placeholder("at", DType::kInt32);
  graph.Placeholder("handle", DType::kString);
  graph.Op("sum", "AddV2", kFloat, {"x", "x"});
  graph.Add("row", "GatherV2", {"sum", "at", "0"},
            {{"Tparams", kFloat}, {"Tindices", DType::kInt32}, {"Taxis", DType::kInt32}});
  graph.Op("keep", "GetSessionHandle", kFloat, {"sum"});
  graph.Op("keep_row", "GetSessionHandle", kFloat, {"row"});
  graph.Add("kept", "GetSessionTensor", {"handle"}, {{"dtype", kFloat}});
  graph.Add("on_host", "GetSessionTensor", {"handle"}, {{"dtype", kFloat}}, "/cpu:0");
  graph.Op("twice", "AddV2", kFloat, {"kept", "kept"});
  graph.Add("delete", "DeleteSessionTensor", {"handle"});
  auto session = NewFastSession(options);
  EXPECT_EQ(session->Extend(graph.def()).ToString(), "OK");
  return session;
}

std::vector<Feed> Numbers(float first, int32_t at = 0) {
  return {{"x", MakeVector<float>({first, 2})}, {"at", MakeScalar(at)}};
}
std::string Kept(Session& session, const std::string& node, const std::vector<Feed>& feeds) {
  const ListAnswers answers = StepOf(session, feeds, {node});
  return answers.status.ok() ? answers.values[0].scalar<std::string>() : answers.status.ToString();
}
const std::string kTwice = MakeVector<float>({4, 8}).ToString();

TEST(GpuSessionTensor, IsKeptOnTheDeviceUntilItIsDeleted) {
  const auto session = SessionOn(kGpu), host = SessionOn(kHost);
  const ListAnswers keeping = StepOf(*session, Numbers(1), {"keep"});
  ASSERT_EQ(keeping.status.ToString(), "OK");
  EXPECT_THAT(keeping.RanOn("GPU:0"), Contains("keep"));
  const std::string name = keeping.values[0].scalar<std::string>();
  EXPECT_EQ(name, Kept(*host, "keep", Numbers(1)));
  const std::vector<Feed> handle = {{"handle", MakeScalar(name)}};
  const ListAnswers there = StepOf(*session, handle, {"twice"}), here = StepOf(*session, handle, {"on_host"});
  ASSERT_EQ(there.status.ToString(), "OK");
  EXPECT_EQ(there.values[0].ToString(), kTwice);
  EXPECT_THAT(there.RanOn("GPU:0"), IsSupersetOf({"kept", "twice"}));
  ASSERT_EQ(here.status.ToString(), "OK");
  EXPECT_EQ(here.values[0].ToString(), MakeVector<float>({2, 4}).ToString());
  EXPECT_EQ(StepOf(*session, handle, {}, {"delete"}).status.ToString(), "OK");
  EXPECT_EQ(StepOf(*session, handle, {"twice"}).status.code(), Code::kInvalidArgument);
}

// A value that was refused on the device is not kept, and takes no number.
TEST(GpuSessionTensor, IsNotKeptByAStepThatFails) {
  for (const SessionOptions& options : {kHost, kGpu}) {
    const auto session = SessionOn(options);
    EXPECT_EQ(StepOf(*session, Numbers(1, 9), {"keep_row"}).status.code(), Code::kInvalidArgument);
    EXPECT_TRUE(Kept(*session, "keep_row", Numbers(1, 1)).starts_with("keep_row;0;"));
  }
}

TEST(GpuSessionTensor, IsSavedAndRestoredOnAnyDevice) {
  const auto session = SessionOn(kGpu);
  const std::vector<Feed> handle = {{"handle", MakeScalar(Kept(*session, "keep", Numbers(1)))}};
  SavedState state;
  ASSERT_EQ(dynamic_cast<SavedSession&>(*session).Save(&state).ToString(), "OK");
  for (const SessionOptions& options : {kHost, kGpu}) {
    const auto other = SessionOn(options);
    ASSERT_EQ(dynamic_cast<SavedSession&>(*other).Restore(state).ToString(), "OK");
    const ListAnswers answers = StepOf(*other, handle, {"twice"});
    ASSERT_EQ(answers.status.ToString(), "OK");
    EXPECT_EQ(answers.values[0].ToString(), kTwice);
  }
}

}  // namespace
}  // namespace plumb::fast
