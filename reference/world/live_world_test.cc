#include "reference/world/live_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/kernel/channel_testing.h"
#include "reference/world/drivers/seeded.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const AttrMap kFloat = {{"T", DType::kFloat}};

// A session whose graph has a channel.
class ChannelSession {
 public:
  explicit ChannelSession(const TestGraph& graph) { EXPECT_TRUE(session.Extend(graph.def).ok()); }

  RunResult Run(std::vector<std::string> fetches, std::vector<std::string> targets = {}, std::vector<Feed> feeds = {},
                int64_t timeout_ms = 0) {
    RunResult result;
    const RunOptions options{.timeout_ms = timeout_ms, .trace = false};
    result.status = session.Run(options, feeds, fetches, targets, &result.outputs, nullptr);
    return result;
  }
  // Waits until some step waits.
  void UntilParked(const std::string& node) {
    for (bool parked = false; !parked;) {
      parked = Run({}, {"never"}, {}, 1).status.message().find("'" + node + "'") != std::string::npos;
    }
  }

  ReferenceSession session{KernelWithChannels};
};

// A channel to put fed values into, another one that nobody ever puts anything into, and a flag to wait for.
ChannelGraph Channels() {
  ChannelGraph graph;
  graph.Add("x", "Placeholder", {}, {{"dtype", DType::kFloat}});
  graph.PutValue("put", "x").Take("take").TakeMany("take2", 2);
  graph.Add("empty", "VarHandleOp", {},
            {{"dtype", DType::kFloat}, {"shape", PartialShape()}, {"shared_name", "empty"}});
  graph.Take("never", "empty");
  graph.Const("yes", true).Const("no", false);
  graph.Add("go_on", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kBool}});
  graph.Add("start", "Assign", {"go_on", "yes"}, {{"T", DType::kBool}});
  graph.Add("stop", "Assign", {"go_on", "no"}, {{"T", DType::kBool}});
  graph.Add("flag", "RefEnter", {"go_on"}, {{"T", DType::kBool}, {"frame_name", "loop"}, {"is_constant", true}});
  graph.Add("enter", "Enter", {"yes"}, {{"T", DType::kBool}, {"frame_name", "loop"}});
  graph.Add("again", "Merge", {"enter", "next"}, {{"T", DType::kBool}});
  graph.Add("flag_now", "LogicalAnd", {"flag", "again"}).Add("cond", "LoopCond", {"flag_now"});
  graph.Add("switch", "Switch", {"again", "cond"}, {{"T", DType::kBool}});
  graph.Add("next", "NextIteration", {"switch:1"}, {{"T", DType::kBool}});
  graph.Add("spin", "Exit", {"switch"}, {{"T", DType::kBool}});
  return graph;
}
std::vector<Feed> X(float x) { return {{"x", MakeScalar<float>(x)}}; }

TEST(LiveWorld, AStepThatWaitsIsServedByAnotherThreadsRun) {
  ChannelSession session(Channels());
  RunResult taken;
  std::thread consumer([&] { taken = session.Run({"take"}); });
  session.UntilParked("take");
  EXPECT_EQ(session.Run({}, {"put"}, X(5)).code(), Code::kOk);
  consumer.join();
  EXPECT_EQ(taken.scalar<float>(), 5);
}

TEST(LiveWorld, AProducerAndAConsumerEnd) {
  constexpr int kValues = 300;
  ChannelSession session(Channels());
  std::thread producer([&] {
    for (int i = 0; i < kValues; ++i) EXPECT_EQ(session.Run({}, {"put"}, X(static_cast<float>(i))).code(), Code::kOk);
  });
  for (int i = 0; i < kValues; ++i) EXPECT_EQ(session.Run({"take"}).scalar<float>(), static_cast<float>(i));
  producer.join();
}

TEST(LiveWorld, ManyThreadsTakeEachValueOnce) {
  constexpr int kThreads = 6, kValues = 50;
  ChannelSession session(Channels());
  std::vector<std::thread> threads;
  std::vector<float> sums(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&session, &sum = sums[thread]] {
      for (int i = 0; i < kValues; ++i) sum += session.Run({"take"}).scalar<float>();
    });
    threads.emplace_back([&session] {
      for (int i = 0; i < kValues; ++i) EXPECT_EQ(session.Run({}, {"put"}, X(1)).code(), Code::kOk);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sums, ::testing::Each(kValues));
  EXPECT_EQ(session.Run({"size"}).outputs.at(0).data<int32_t>()[0], 0);
}

TEST(LiveWorld, ADeadlineTellsWhoWaitsForWhat) {  // S4
  ChannelSession session(Channels());
  const RunResult late = session.Run({"take"}, {}, {}, 20);
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  EXPECT_THAT(late.status.message(), HasSubstr("node 'take' (ReadVariableOp) waits for the channel: 1 wanted, 0 held"));
  EXPECT_EQ(session.Run({}, {"put"}, X(3)).code(), Code::kOk);
  EXPECT_EQ(session.Run({"take"}).scalar<float>(), 3);  // the late one takes nothing any more
}

TEST(LiveWorld, ClosingEndsWhoWaits) {  // S2
  ChannelSession session(Channels());
  RunResult taken;
  std::thread consumer([&] { taken = session.Run({"take"}); });
  session.UntilParked("take");
  EXPECT_TRUE(session.session.Close().ok());
  consumer.join();
  EXPECT_EQ(taken.code(), Code::kCancelled);
  EXPECT_THAT(taken.status.message(), HasSubstr("Run call was cancelled"));
}

TEST(LiveWorld, ClosingEndsAStepThatRuns) {
  ChannelSession session(Channels());
  EXPECT_EQ(session.Run({}, {"start"}).code(), Code::kOk);
  RunResult spun;
  std::thread spinner([&] { spun = session.Run({"spin"}); });
  EXPECT_EQ(session.Run({}, {"put"}, X(1)).code(), Code::kOk);  // others come in between
  EXPECT_TRUE(session.session.Close().ok());
  spinner.join();
  EXPECT_EQ(spun.code(), Code::kCancelled);
}

TEST(LiveWorld, AStepSeesWhatAnotherDoesMeanwhile) {  // S3, E7
  ChannelSession session(Channels());
  EXPECT_EQ(session.Run({}, {"start"}).code(), Code::kOk);
  RunResult spun;
  std::thread spinner([&] { spun = session.Run({"spin"}); });
  EXPECT_EQ(session.Run({}, {"stop"}).code(), Code::kOk);
  spinner.join();
  EXPECT_EQ(spun.code(), Code::kOk);
}

TEST(LiveWorld, AGraphMayGrowWhileAStepWaits) {
  ChannelSession session(Channels());
  RunResult taken;
  std::thread consumer([&] { taken = session.Run({"take"}); });
  session.UntilParked("take");
  TestGraph more;
  more.Add("more", "Identity", {"take"}, kFloat);
  EXPECT_TRUE(session.session.Extend(more.def).ok());
  EXPECT_EQ(session.Run({}, {"put"}, X(8)).code(), Code::kOk);
  consumer.join();
  EXPECT_EQ(taken.scalar<float>(), 8);
}

TEST(LiveWorld, WhoKnowsAllStepsHearsAtOnceThatTheyAreStuck) {  // S9
  ChannelSession session(Channels());
  FirstDriver driver;
  const std::vector<StepRequest> requests = {
      {{}, {"take2"}, {}}, {{{"x", Value(MakeScalar<float>(1))}}, {}, {"put"}}, {{}, {"nothing"}, {}}};
  const Together together = session.session.RunTogether(requests, driver);
  ASSERT_EQ(together.outcomes.size(), 3u);
  EXPECT_EQ(together.outcomes[0].status.code(), Code::kDeadlineExceeded);
  EXPECT_THAT(together.outcomes[0].status.message(), HasSubstr("node 'take2'"));
  EXPECT_EQ(together.outcomes[1].status.code(), Code::kOk);
  EXPECT_EQ(together.outcomes[2].status.code(), Code::kInvalidArgument);
  ASSERT_EQ(together.stuck.size(), 1u);
  EXPECT_EQ(together.stuck[0].node, "take2");
  const std::vector<std::string> fetches = {"take"};
  EXPECT_EQ(session.session.RunValues({}, fetches, {}, nullptr, {}).code(), Code::kDeadlineExceeded);
}

TEST(LiveWorld, StepsThatRunTogetherServeEachOther) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    ChannelSession session(Channels());
    SeededDriver driver(seed);
    const StepRequest put{{{"x", Value(MakeScalar<float>(2))}}, {}, {"put"}};
    const StepRequest take{{}, {"take"}, {}};
    const std::vector<StepRequest> requests = {take, put, take, put, put, take};
    const Together together = session.session.RunTogether(requests, driver);
    EXPECT_TRUE(together.stuck.empty());
    for (const StepOutcome& outcome : together.outcomes) EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
    EXPECT_EQ(together.outcomes[5].values.at(0).tensor.scalar<float>(), 2);
  }
}

TEST(LiveWorld, AFairMutexLetsThreadsInAsTheyCome) {
  FairMutex mutex;
  std::vector<int> order;
  std::vector<std::thread> threads;
  mutex.lock();
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::lock_guard lock(mutex);
      order.push_back(i);
    });
    while (mutex.waiters() != static_cast<uint64_t>(i) + 1) std::this_thread::yield();
  }
  mutex.unlock();
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace plumb::reference
