// How much of its time a rank waits, by traces that are written by hand.
#include "tools/train/train_pace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status.h"

namespace plumb::tools {
namespace {

using ::testing::HasSubstr;

constexpr char kTask[] = "/job:worker/replica:0/task:1";
constexpr int64_t kMs = 1'000'000;

NodeStats Computes(int64_t begin, int64_t end) { return {"c", "MatMul", begin * kMs, begin * kMs, end * kMs, 0}; }
NodeStats Waits(const char* op, int64_t begin, int64_t end) { return {"w", op, begin * kMs, end * kMs, end * kMs, 0}; }

RunMetadata Traced(const std::vector<NodeStats>& nodes, const std::vector<NodeStats>& elsewhere) {
  RunMetadata metadata;
  metadata.step_stats.resize(2);
  metadata.step_stats[0] = {Str(kTask, "/device:CPU:0"), nodes};
  metadata.step_stats[1] = {Str(kTask, "1/device:CPU:0"), elsewhere};
  return metadata;
}

Pace Of(const std::vector<NodeStats>& nodes, bool is_client = true) {
  return PaceOf(Traced(nodes, {Computes(0, 100)}), kTask, is_client, 0, 100 * kMs);
}

TEST(Paces, CountWaitingWhereNothingComputes) {
  EXPECT_DOUBLE_EQ(Of({Computes(0, 60)}).share(), 0) << "what is around the step is the rank's own work";
  EXPECT_DOUBLE_EQ(Of({Waits("_Recv", 0, 60)}).share(), 0.6);
  EXPECT_DOUBLE_EQ(Of({Waits("_Recv", 0, 60), Computes(20, 40)}).share(), 0.4);
  EXPECT_DOUBLE_EQ(Of({Waits("_Recv", 0, 60), Waits("_Recv", 30, 70), Computes(50, 55), Computes(52, 80)}).share(),
                   0.5);
  EXPECT_DOUBLE_EQ(Of({Waits("_Recv", 90, 200)}).share(), 0.1) << "of the time that is asked about";
}

TEST(Paces, OfRanksThatServeCountAllThatIsNoWork) {
  EXPECT_DOUBLE_EQ(Of({Computes(0, 30), Computes(20, 40)}, false).share(), 0.6);
  EXPECT_DOUBLE_EQ(Of({}, false).share(), 1);
}

TEST(Paces, SayWhatEndedTheWait) {
  const Pace pace =
      Of({Waits("_Recv", 0, 60), Waits("QueueDequeueV2", 0, 20), Computes(20, 25), Waits("CollectiveReduce", 70, 80)});
  EXPECT_DOUBLE_EQ(pace.waited.at("QueueDequeueV2"), 0.02);
  EXPECT_DOUBLE_EQ(pace.waited.at("_Recv"), 0.035);
  EXPECT_DOUBLE_EQ(pace.waited.at("CollectiveReduce"), 0.01);
  EXPECT_EQ(pace.waited_for(), "_Recv");
}

// A value comes late because somebody else waits for something.
TEST(Paces, SayWhatWasWaitedForElsewhere) {
  const auto for_what = [](const NodeStats& elsewhere) {
    return PaceOf(Traced({Waits("_Recv", 0, 60)}, {elsewhere}), kTask, true, 0, 100 * kMs).waited_for();
  };
  EXPECT_EQ(for_what(Waits("QueueDequeueV2", 5, 55)), "QueueDequeueV2");
  EXPECT_EQ(for_what(Waits("QueueDequeueV2", 5, 25)), "_Recv");
  EXPECT_EQ(for_what(Waits("_Recv", 0, 59)), "_Recv");
  EXPECT_EQ(for_what(Computes(0, 59)), "_Recv");
}

TEST(Paces, TravelAsText) {
  const Pace pace = Of({Waits("_Recv", 0, 60), Waits("QueueDequeueV2", 0, 20), Computes(20, 25)});
  const Pace arrived = Pace::FromText(pace.ToText());
  EXPECT_DOUBLE_EQ(arrived.share(), pace.share());
  EXPECT_EQ(arrived.waited_for(), "_Recv");
  for (const char* text : {"", "1", "1 2", "-1 2 3", "a b c"}) EXPECT_THROW(Pace::FromText(text), Error) << text;
}

TEST(Paces, NameTheSlowestRank) {
  std::map<int, Pace> paces = {{1, {10, 1, 0.62}}, {2, {10, 1, 0.7}}, {3, {10, 1, 0.04, {{"_Recv", 0.04}}}}};
  EXPECT_EQ(SlowestOf(paces), 3);
  EXPECT_EQ(PaceLine(paces), "waiting: rank 1 62 %, rank 2 70 %, rank 3 4 % (slowest)");
  EXPECT_THAT(PaceSummary(paces), HasSubstr("Rank 1 waited 62 % of its time\n"));
  EXPECT_THAT(PaceSummary(paces), HasSubstr("Rank 3 waited 4 % of its time, most of it for _Recv; it is the slowest"));
  // One that waits less because it takes more steps is not slow.
  EXPECT_EQ(SlowestOf({{0, {100, 1, 0}}, {1, {10, 1, 0.5}}}), 1);
  for (int rank = 4; rank < 12; ++rank) paces[rank] = {10, 1, 0.5};
  EXPECT_EQ(PaceLine(paces), "waiting: rank 3 4 % (slowest), others 50 % to 70 %");
  EXPECT_EQ(PaceLine({{0, {10, 1, 0.5}}}), "") << "one rank is neither slow nor fast";
}

TEST(Paces, ForgetWhatIsLongAgo) {
  Pace pace;
  for (int second = 0; second < 100; ++second) pace.Add({1, 1, 1});
  for (int second = 0; second < 100; ++second) pace.Add({1, 1, 0});
  EXPECT_LT(pace.share(), 1.0 / 100);
}

}  // namespace
}  // namespace plumb::tools
