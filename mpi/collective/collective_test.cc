// Members of groups on different ranks (rules CO1–CO6).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

using ::testing::HasSubstr;

AttrMap Group(int64_t size, DType type = DType::kFloat) {
  return {{"T", type}, {"group_size", size}, {"group_key", int64_t{1}}, {"instance_key", int64_t{7}}};
}
AttrMap Reduce(int64_t size, DType type = DType::kFloat, const std::string& final_op = "Id") {
  AttrMap attrs = Group(size, type);
  attrs["merge_op"] = std::string("Add");
  attrs["final_op"] = final_op;
  attrs["subdiv_offsets"] = std::vector<int64_t>{};
  return attrs;
}
AttrMap OfShape(AttrMap attrs, const PartialShape& shape) {
  attrs["shape"] = shape;
  return attrs;
}

// "x" is fed, "m" is the member, on the rank's own device or the one asked for.
GraphDef Member(const std::string& op, const AttrMap& attrs, const std::string& device = "") {
  fast::TestGraph graph;
  const DType type = GetAttr<DType>(attrs, "T");
  graph.Placeholder("x", type);
  const bool receives = op == "CollectiveBcastRecv";
  graph.Add("m", op, receives ? std::vector<std::string>{} : std::vector<std::string>{"x"}, attrs, device);
  return graph.def();
}

Tensor Random(int64_t elements, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<float> values(static_cast<size_t>(elements));
  for (float& value : values) value = any(random);
  return MakeTensor<float>({elements}, std::span<const float>(values));
}

struct Outcome {
  Status status;
  Tensor value;
};
Outcome Step(Session& session, const Tensor& x, int64_t timeout_ms = 30'000, const std::string& fetch = "m") {
  std::vector<Tensor> outputs;
  const Status status = session.Run({.timeout_ms = timeout_ms}, std::vector<Feed>{{"x", x}},
                                    std::vector<std::string>{fetch}, {}, &outputs, nullptr);
  return {status, status.ok() ? outputs[0] : Tensor()};
}

// Each rank is a client of its own, with a graph of its own: runs `body(rank, session)` on each at once.
template <class Body>
void OnEachRank(TestCluster& cluster, int ranks, const Body& body) {
  std::vector<std::thread> clients;
  for (int rank = 0; rank < ranks; ++rank) {
    clients.emplace_back([&, rank] {
      const auto session = cluster.Open(rank);
      body(rank, *session);
    });
  }
  for (std::thread& client : clients) client.join();
}

// CO3: below and above the size that goes to the keeper, and where members get unequal chunks.
TEST(RanksCollective, SumsHaveTheBitsOfTheMembersOrder) {
  for (const auto& [ranks, shares_memory] : std::vector<std::pair<int, bool>>{
           {1, false}, {2, false}, {3, false}, {4, false}, {2, true}, {3, true}, {4, true}}) {
    TestCluster cluster(ranks, {}, shares_memory);
    for (const int64_t elements : {0, 1, 1000, 8192, 8193, 100'003}) {
      std::vector<Tensor> inputs;
      for (int rank = 0; rank < ranks; ++rank) inputs.push_back(Random(elements, static_cast<uint32_t>(rank)));
      std::vector<Tensor> outputs(static_cast<size_t>(ranks));
      OnEachRank(cluster, ranks, [&, ranks = ranks](int rank, Session& session) {
        ASSERT_EQ(session.Extend(Member("CollectiveReduce", Reduce(ranks, DType::kFloat, "Div"))).ToString(), "OK");
        for (int step = 0; step < 3; ++step) {
          const Outcome outcome = Step(session, inputs[rank]);
          ASSERT_EQ(outcome.status.ToString(), "OK") << ranks << " ranks, " << elements;
          outputs[rank] = outcome.value;
        }
      });
      for (const Tensor& output : outputs) ASSERT_TRUE(output.BitwiseEquals(outputs[0])) << ranks << " " << elements;
      for (int64_t i = 0; i < elements; ++i) {
        float sum = inputs[0].data<float>()[i];
        for (int rank = 1; rank < ranks; ++rank) sum += inputs[rank].data<float>()[i];
        ASSERT_EQ(outputs[0].data<float>()[i], sum / static_cast<float>(ranks)) << ranks << " ranks, at " << i;
      }
    }
  }
}

TEST(RanksCollective, GatherAndBroadcastReachAll) {  // CO4, CO5
  constexpr int kRanks = 3;
  TestCluster cluster(kRanks, "");
  for (const int64_t elements : {5, 20'000}) {
    OnEachRank(cluster, kRanks, [&](int rank, Session& session) {
      ASSERT_EQ(session.Extend(Member("CollectiveGather", OfShape(Group(kRanks), {}))).ToString(), "OK");
      const Outcome all = Step(session, Random(elements, static_cast<uint32_t>(rank)));
      ASSERT_EQ(all.status.ToString(), "OK");
      ASSERT_EQ(all.value.elements(), elements * kRanks);
      for (int other = 0; other < kRanks; ++other) {
        const Tensor rows = Random(elements, static_cast<uint32_t>(other));
        for (int64_t i = 0; i < elements; ++i) {
          ASSERT_EQ(all.value.data<float>()[other * elements + i], rows.data<float>()[i]);
        }
      }
    });
    OnEachRank(cluster, kRanks, [&](int rank, Session& session) {
      const std::string op = rank == 1 ? "CollectiveBcastSend" : "CollectiveBcastRecv";
      ASSERT_EQ(session.Extend(Member(op, OfShape(Group(kRanks), {elements}))).ToString(), "OK");
      const Outcome outcome = Step(session, Random(elements, static_cast<uint32_t>(rank)));
      ASSERT_EQ(outcome.status.ToString(), "OK");
      EXPECT_TRUE(outcome.value.BitwiseEquals(Random(elements, 1)));
    });
  }
}

// One client, whose step has a member on each rank.
TEST(RanksCollective, MembersMayBeOfOneStep) {
  constexpr int kRanks = 3;
  for (const auto& [elements, shares_memory] :
       std::vector<std::pair<int64_t, bool>>{{4, false}, {50'000, false}, {200'000, true}}) {
    TestCluster cluster(kRanks, {}, shares_memory);
    const auto session = cluster.Open(0);
    fast::TestGraph graph;
    graph.Placeholder("x", DType::kFloat);
    std::vector<std::string> members;
    for (int rank = 0; rank < kRanks; ++rank) {
      members.push_back(
          graph.Add(Str("m", rank), "CollectiveReduce", {"x"}, Reduce(kRanks), Str("/job:worker/task:", rank)));
    }
    ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
    std::vector<Tensor> outputs;
    const Tensor x = Random(elements, 3);
    ASSERT_EQ(
        session->Run({.timeout_ms = 30'000}, std::vector<Feed>{{"x", x}}, members, {}, &outputs, nullptr).ToString(),
        "OK");
    for (const Tensor& output : outputs) {
      EXPECT_TRUE(output.BitwiseEquals(outputs[0]));
      const float first = x.data<float>()[0];
      EXPECT_EQ(output.data<float>()[0], first + first + first);
    }
  }
}

TEST(RanksCollective, ManyStepsMeetInTheirOrder) {  // CO1
  constexpr int kRanks = 4;
  TestCluster cluster(kRanks, "");
  OnEachRank(cluster, kRanks, [&](int rank, Session& session) {
    ASSERT_EQ(session.Extend(Member("CollectiveReduce", Reduce(kRanks, DType::kInt32))).ToString(), "OK");
    for (int step = 0; step < 200; ++step) {
      const Outcome outcome = Step(session, MakeVector<int32_t>({step * rank, 1}));
      ASSERT_EQ(outcome.status.ToString(), "OK");
      ASSERT_EQ(outcome.value.data<int32_t>()[0], step * (0 + 1 + 2 + 3));
    }
  });
}

// Groups whose members begin in other orders on each rank, more of them than a rank has rooms.
TEST(RanksCollective, GroupsThatShareMemoryDoNotWaitForEachOther) {
  constexpr int kRanks = 3, kGroups = 7;
  TestCluster cluster(kRanks, {}, true);
  OnEachRank(cluster, kRanks, [&](int rank, Session& session) {
    fast::TestGraph graph;
    graph.Placeholder("x", DType::kFloat);
    std::vector<std::string> members;
    for (int i = 0; i < kGroups; ++i) {
      AttrMap attrs = Reduce(kRanks);
      attrs["group_key"] = int64_t{(i * (rank + 1)) % kGroups};
      members.push_back(graph.Add(Str("m", i), "CollectiveReduce", {"x"}, attrs));
    }
    ASSERT_EQ(session.Extend(graph.def()).ToString(), "OK");
    for (int step = 0; step < 5; ++step) {
      std::vector<Tensor> outputs;
      const Tensor x = Random(100'000 + step, 5);
      ASSERT_EQ(
          session.Run({.timeout_ms = 30'000}, std::vector<Feed>{{"x", x}}, members, {}, &outputs, nullptr).ToString(),
          "OK");
      const float first = x.data<float>()[99'999];
      for (const Tensor& output : outputs) EXPECT_EQ(output.data<float>()[99'999], first + first + first);
    }
  });
}

TEST(RanksCollective, MembersThatDoNotAgreeFailTogether) {  // CO2
  TestCluster cluster(2, "");
  OnEachRank(cluster, 2, [&](int rank, Session& session) {
    ASSERT_EQ(session.Extend(Member("CollectiveReduce", Reduce(2))).ToString(), "OK");
    const Status status = Step(session, Random(10'000 + rank, 1)).status;
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    for (const char* said : {"10000", "10001", "task:0", "task:1"}) EXPECT_THAT(status.ToString(), HasSubstr(said));
  });
}

// CO6: whoever waits is told; afterwards members meet as ever.
TEST(RanksCollective, AMemberThatGoesDissolvesTheMeeting) {
  TestCluster cluster(3, "");
  OnEachRank(cluster, 3, [&](int rank, Session& session) {
    ASSERT_EQ(session.Extend(Member("CollectiveReduce", Reduce(3))).ToString(), "OK");
    const Tensor x = Random(9000, static_cast<uint32_t>(rank));
    if (rank == 0) {
      EXPECT_EQ(Step(session, x, 50).status.code(), Code::kDeadlineExceeded);
    } else if (rank == 1) {
      EXPECT_EQ(Step(session, x).status.code(), Code::kCancelled);
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
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
    }
  });
}

// CO7: a member that has waited so long ends the meeting for all, and says who is missing.
TEST(RanksCollective, TimeoutSecondsIsHowLongAMemberWaits) {
  TestCluster cluster(3, "");
  std::atomic<int> over{0};
  OnEachRank(cluster, 3, [&](int rank, Session& session) {
    AttrMap attrs = Reduce(3);
    attrs["timeout_seconds"] = rank == 0 ? 0.05F : 0.0F;
    ASSERT_EQ(session.Extend(Member("CollectiveReduce", attrs)).ToString(), "OK");
    const Tensor x = Random(5, 1);
    if (rank == 2) {
      while (over < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else {
      if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
      const Status status = Step(session, x).status;
      EXPECT_EQ(status.code(), Code::kDeadlineExceeded) << status.ToString();
      for (const char* said : {"2 of 3 members", "timeout_seconds", "nobody has come from rank 2"}) {
        EXPECT_THAT(status.ToString(), HasSubstr(said));
      }
      ++over;
      while (over < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    // Whoever has less than that time tries again.
    Status status;
    do status = Step(session, x).status;
    while (status.code() == Code::kDeadlineExceeded);
    EXPECT_EQ(status.ToString(), "OK");
  });
}

TEST(RanksCollective, ALostRankIsNamed) {  // CO6
  for (const auto& [elements, shares_memory] :
       std::vector<std::pair<int64_t, bool>>{{10, false}, {20'000, false}, {200'000, true}}) {
    TestCluster cluster(3, {}, shares_memory);
    OnEachRank(cluster, 3, [&, elements = elements](int rank, Session& session) {
      ASSERT_EQ(session.Extend(Member("CollectiveReduce", Reduce(3))).ToString(), "OK");
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
