// Members of groups on different ranks that do not come, or do not fit together (rules CO2, CO6, CO7).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "mpi/collective/members_testing.h"

namespace plumb::dist {
namespace {

using ::testing::HasSubstr;

TEST(RanksCollective, MembersThatDoNotAgreeFailTogether) {  // CO2
  TestCluster cluster(2, "");
  OnEachRank(cluster, 2, [&](int rank, Session& session) {
    ASSERT_EQ(session.Extend(Member("CollectiveReduce", Reduce(2))).ToString(), "OK");
    const Status status = Step(session, Random(10'000 + rank, 1)).status;
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    for (const char* said : {"10000", "10001", "task:0", "task:1"}) EXPECT_THAT(status.ToString(), HasSubstr(said));
  });
}

// CO6: whoever waits is told, and whoever comes later to that execution; afterwards members meet as ever.
TEST(RanksCollective, AMemberThatGoesDissolvesTheMeeting) {
  TestCluster cluster(3, "");
  std::atomic<int> over{0};
  OnEachRank(cluster, 3, [&](int rank, Session& session) {
    ASSERT_EQ(session.Extend(Member("CollectiveReduce", Reduce(3))).ToString(), "OK");
    const Tensor x = Random(9000, static_cast<uint32_t>(rank));
    while (rank == 2 && over < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const Status status = Step(session, x, rank == 0 ? 50 : 30'000).status;
    if (rank == 0) {
      EXPECT_EQ(status.code(), Code::kDeadlineExceeded) << status.ToString();
    } else {
      EXPECT_EQ(status.code(), Code::kCancelled) << status.ToString();
      EXPECT_THAT(status.ToString(), HasSubstr("(rank 0) failed while that waited: DEADLINE_EXCEEDED"));
    }
    ++over;
    while (over < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(Step(session, x).status.ToString(), "OK");
  });
}

// CO6: those who wait, and those who come later, are told at once, and why; afterwards members meet as ever.
TEST(RanksCollective, AStepThatFailsBeforeItsMemberComesTellsTheOthers) {
  for (const auto& [elements, shares_memory] : std::vector<std::pair<int64_t, bool>>{{10, false}, {100'000, true}}) {
    TestCluster cluster(3, {}, shares_memory);
    OnEachRank(cluster, 3, [&, elements = elements](int rank, Session& session) {
      fast::TestGraph graph;
      graph.Placeholder("x", DType::kFloat);
      graph.Add("checked", "CheckNumerics", {"x"}, {{"T", DType::kFloat}, {"message", std::string("a bad batch")}});
      graph.Add("m", "CollectiveReduce", {"checked"}, Reduce(3));
      ASSERT_EQ(session.Extend(graph.def()).ToString(), "OK");
      const Tensor good = Random(elements, 1);
      for (int step = 0; step < 6; ++step) {
        const int bad_rank = step % 2 == 0 ? -1 : step / 2;
        Tensor x = good;
        if (rank == bad_rank) {
          x = MakeVector<float>({NAN});
        } else if (rank == (bad_rank + 1) % 3) {
          std::this_thread::sleep_for(std::chrono::milliseconds(30));
        }
        const auto start = std::chrono::steady_clock::now();
        const Status status = Step(session, x).status;
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
        if (bad_rank < 0) {
          EXPECT_EQ(status.ToString(), "OK");
        } else if (rank == bad_rank) {
          EXPECT_EQ(status.code(), Code::kInvalidArgument);
        } else {
          EXPECT_EQ(status.code(), Code::kCancelled);
          EXPECT_THAT(status.ToString(), HasSubstr(Str("task:", bad_rank)));
          EXPECT_THAT(status.ToString(), HasSubstr("a bad batch"));
        }
      }
    });
  }
}

// One client, whose step has a member on each of two ranks, meets a client on the third one.
TEST(RanksCollective, APartOfAStepThatFailsTellsTheOthers) {
  TestCluster cluster(3, "");
  OnEachRank(cluster, 3, [&](int rank, Session& session) {
    if (rank == 1) return;
    fast::TestGraph graph;
    graph.Placeholder("x", DType::kFloat);
    graph.Add("checked", "CheckNumerics", {"x"}, {{"T", DType::kFloat}, {"message", std::string("a bad batch")}});
    graph.Add("m", "CollectiveReduce", {"checked"}, Reduce(3));
    graph.Add("m1", "CollectiveReduce", {"checked"}, Reduce(3), "/job:worker/task:1");
    ASSERT_EQ(session.Extend(graph.def()).ToString(), "OK");
    std::vector<std::string> fetches = {"m"};
    if (rank == 0) fetches.push_back("m1");
    for (const bool is_bad : {true, false}) {
      const Tensor x = is_bad && rank == 0 ? MakeVector<float>({NAN}) : MakeVector<float>({1});
      std::vector<Tensor> outputs;
      const Status status =
          session.Run({.timeout_ms = 30'000}, std::vector<Feed>{{"x", x}}, fetches, {}, &outputs, nullptr);
      const Code expected = !is_bad ? Code::kOk : rank == 0 ? Code::kInvalidArgument : Code::kCancelled;
      EXPECT_EQ(status.code(), expected) << status.ToString();
      EXPECT_EQ(status.ToString().find("a bad batch") != std::string::npos, is_bad) << status.ToString();
    }
  });
}

// CO6: a step that is refused for its feeds counts for all of its members, wherever they are.
TEST(RanksCollective, AStepThatIsFedWronglyCountsEverywhere) {
  TestCluster cluster(2, "");
  const auto session = cluster.Open(0);
  fast::TestGraph graph;
  graph.Placeholder("x", DType::kFloat);
  graph.Add("m", "CollectiveReduce", {"x"}, Reduce(2));
  graph.Add("m1", "CollectiveReduce", {"x"}, Reduce(2), "/job:worker/task:1");
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  const std::vector<std::string> fetches = {"m", "m1"};
  for (const bool is_wrong : {false, true, false, true, true, false, false}) {
    const Tensor x = is_wrong ? MakeVector<double>({1}) : MakeVector<float>({1});
    std::vector<Tensor> outputs;
    const Status status =
        session->Run({.timeout_ms = 30'000}, std::vector<Feed>{{"x", x}}, fetches, {}, &outputs, nullptr);
    EXPECT_EQ(status.code(), is_wrong ? Code::kInvalidArgument : Code::kOk) << status.ToString();
  }
}

// CO7: a member that has waited so long ends the meeting for all, also for those who come later to this execution, and
// says who is missing.
TEST(RanksCollective, TimeoutSecondsIsHowLongAMemberWaits) {
  TestCluster cluster(3, "");
  std::atomic<int> over{0};
  OnEachRank(cluster, 3, [&](int rank, Session& session) {
    AttrMap attrs = Reduce(3);
    attrs["timeout_seconds"] = rank == 0 ? 0.05F : 0.0F;
    ASSERT_EQ(session.Extend(Member("CollectiveReduce", attrs)).ToString(), "OK");
    const Tensor x = Random(5, 1);
    while (rank == 2 && over < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const Status late = Step(session, x).status;
    EXPECT_EQ(late.code(), Code::kDeadlineExceeded) << late.ToString();
    for (const char* said : {"2 of 3 members", "timeout_seconds", "nobody has come from rank 2"}) {
      EXPECT_THAT(late.ToString(), HasSubstr(said));
    }
    ++over;
    while (over < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    // Whoever has less than that time tries again.
    Status status;
    do status = Step(session, x).status;
    while (status.code() == Code::kDeadlineExceeded);
    EXPECT_EQ(status.ToString(), "OK");
  });
}

// CO7: of members that run together in a simulated run, by its time.
TEST(RanksCollective, TimeoutSecondsAreThoseOfTheRun) {
  const auto run = std::make_shared<SimulatedRun>(3, Delayed(1));
  TestCluster cluster(3, ServerOptions{}, run);
  std::vector<std::function<void()>> clients;
  for (int rank = 0; rank < 2; ++rank) {
    clients.emplace_back([&cluster, rank] {
      const auto session = cluster.Open(rank);
      AttrMap attrs = Reduce(3);
      attrs["timeout_seconds"] = rank == 0 ? 200.0F : 0.0F;
      ASSERT_EQ(session->Extend(Member("CollectiveReduce", attrs)).ToString(), "OK");
      const Status status = Step(*session, Random(5, 1), /*timeout_ms=*/300'000).status;
      EXPECT_EQ(status.code(), Code::kDeadlineExceeded) << status.ToString();
      for (const char* said : {"after 200 s", "2 of 3 members", "nobody has come from rank 2"}) {
        EXPECT_THAT(status.ToString(), HasSubstr(said));
      }
    });
  }
  cluster.RunTogether(clients);
  EXPECT_GE(run->now(), 200);
  EXPECT_LT(run->now(), 201);
}

TEST(RanksCollective, ALostRankIsNamed) {  // CO6
  struct Try {
    int64_t elements;
    bool shares_memory;
    const char* way = "auto";
  };
  for (const auto& [elements, shares_memory, way] : {Try{10, false}, Try{20'000, false}, Try{200'000, true},
                                                     Try{200'000, false, "ring"}, Try{200'000, true, "tree"}}) {
    TestCluster cluster(3, {}, shares_memory);
    OnEachRank(cluster, 3, [&, elements = elements, way = way](int rank, Session& session) {
      AttrMap attrs = Reduce(3);
      attrs["communication_hint"] = std::string(way);
      ASSERT_EQ(session.Extend(Member("CollectiveReduce", attrs)).ToString(), "OK");
      const Tensor x = Random(elements, 1);
      ASSERT_EQ(Step(session, x).status.ToString(), "OK");
      if (rank == 2) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return cluster.Crash(2);
      }
      for (int again = 0; again < 2; ++again) {
        const Status status = Step(session, x).status;
        EXPECT_EQ(status.code(), Code::kUnavailable);
        EXPECT_THAT(status.ToString(), HasSubstr("rank 2"));
      }
    });
  }
}

}  // namespace
}  // namespace plumb::dist
