// Members of groups on different ranks (rules CO1, CO3–CO5).
#include <gtest/gtest.h>

#include "mpi/collective/members_testing.h"

namespace plumb::dist {
namespace {

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

// CO7: whichever way the first member asks for, over threads and over hosts with delays. Sizes around those that go to
// the keeper, and around chunks and rooms.
TEST(RanksCollective, EveryWayHasTheBitsOfTheMembersOrder) {
  for (int ranks = 1; ranks <= 5; ++ranks) {
    for (const uint64_t seed : {0, 1, 2}) {
      SimulatedOptions options = Delayed(seed);
      options.ranks_of_host = 2;
      options.shares_memory = true;
      const auto run = seed == 0 ? nullptr : std::make_shared<SimulatedRun>(ranks, options);
      TestCluster cluster(ranks, ServerOptions{}, run, /*shares_memory=*/seed == 0);
      for (const int64_t elements : {0, 8192, 8193, 65'536, 65'537, 300'000}) {
        std::vector<Tensor> inputs;
        for (int rank = 0; rank < ranks; ++rank) inputs.push_back(Random(elements, static_cast<uint32_t>(rank)));
        Tensor expected(DType::kFloat, Shape{elements});
        for (int64_t i = 0; i < elements; ++i) {
          float sum = inputs[0].data<float>()[i];
          for (int rank = 1; rank < ranks; ++rank) sum += inputs[rank].data<float>()[i];
          expected.mutable_data<float>()[i] = sum;
        }
        std::vector<std::function<void()>> clients;
        for (int rank = 0; rank < ranks; ++rank) {
          clients.emplace_back([&, rank] {
            const auto session = cluster.Open(rank);
            fast::TestGraph graph;
            graph.Placeholder("x", DType::kFloat);
            std::vector<std::string> members;
            for (const char* hint : {"auto", "ring", "tree", "shared", "nccl"}) {
              AttrMap attrs = Reduce(ranks);
              attrs["group_key"] = int64_t{std::ssize(members)};
              attrs["communication_hint"] = std::string(rank == 0 ? hint : "tree");
              members.push_back(graph.Add(hint, "CollectiveReduce", {"x"}, attrs));
            }
            ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
            std::vector<Tensor> outputs;
            const std::vector<Feed> feeds = {{"x", inputs[rank]}};
            ASSERT_EQ(session->Run({.timeout_ms = 60'000}, feeds, members, {}, &outputs, nullptr).ToString(), "OK");
            for (size_t i = 0; i < members.size(); ++i) {
              EXPECT_TRUE(outputs[i].BitwiseEquals(expected))
                  << members[i] << " of " << elements << ", rank " << rank << " of " << ranks << ", seed " << seed;
            }
          });
        }
        cluster.RunTogether(clients);
      }
    }
  }
}

// Members that share memory take their turns with all others, so that a seed repeats the run, and no time passes while
// one of them computes.
TEST(RanksCollective, RoomsAreInTheTimeOfTheRun) {
  constexpr int kRanks = 3;
  const auto run_of = [&](uint64_t seed) {
    SimulatedOptions options = Delayed(seed);
    options.shares_memory = true;
    const auto run = std::make_shared<SimulatedRun>(kRanks, options);
    TestCluster cluster(kRanks, ServerOptions{}, run);
    std::vector<std::function<void()>> clients;
    for (int rank = 0; rank < kRanks; ++rank) {
      clients.emplace_back([&, rank] {
        const auto session = cluster.Open(rank, {.forced_sharing = 100});
        ASSERT_EQ(session->Extend(Member("CollectiveReduce", Reduce(kRanks))).ToString(), "OK");
        for (int step = 0; step < 3; ++step) {
          EXPECT_EQ(Step(*session, Random(1'000'000, static_cast<uint32_t>(rank))).status.ToString(), "OK");
        }
      });
    }
    cluster.RunTogether(clients);
    return std::pair(run->now(), run->fingerprint());
  };
  for (const uint64_t seed : {1, 2, 3}) EXPECT_EQ(run_of(seed), run_of(seed)) << seed;
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

}  // namespace
}  // namespace plumb::dist
