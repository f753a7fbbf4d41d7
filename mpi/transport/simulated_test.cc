#include "mpi/transport/simulated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "mpi/session/cluster_testing.h"
#include "mpi/transport/deadline.h"
#include "mpi/transport/testing/on_threads.h"

namespace plumb::dist {
namespace {

class Simulated : public testing::TestWithParam<std::tuple<Check, int, Hands>> {};

TEST(SimulatedRun, RefusesALossOfAllMessages) {
  for (const double loss : {1.0, 1.5, -0.5}) {
    SimulatedOptions options;
    options.links.loss = loss;
    EXPECT_THROW(SimulatedRun(2, options), Error) << loss;
  }
}

TEST_P(Simulated, Keeps) {
  const auto& [check, ranks, hands] = GetParam();
  if (ranks < check.least_ranks) return;
  SimulatedOptions options = Delayed(static_cast<uint64_t>(ranks), hands);
  options.shares_memory = ranks > 2;
  SimulatedRun run(ranks, options);
  const std::vector<std::unique_ptr<Transport>> ends = run.TakeEnds();
  ExpectKept(check, ends, [&](int rank) { run.Crash(rank); });
}

INSTANTIATE_TEST_SUITE_P(All, Simulated,
                         testing::Combine(testing::ValuesIn(TransportChecks()), testing::Values(1, 2, 4),
                                          testing::Values(Hands::kOwn, Hands::kOwnInTime)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "On" + std::to_string(std::get<1>(info.param)) +
                                  (std::get<2>(info.param) == Hands::kOwn ? "" : "InTime");
                         });

// What happened on a rank, in the order in which it did.
struct Log : Receiver {
  void Arrive(int from, std::string_view head, Payload) override { text += Str(from, head, " "); }
  void Lost(int rank, const Status& status) override { lost[rank] = status; }
  std::string text;
  std::map<int, Status> lost;
};

// Ranks that answer each other, all in the hands of those who wait.
struct Talk {
  explicit Talk(const SimulatedOptions& options, int ranks = 3)
      : run(ranks, options), logs(ranks), ends(run.TakeEnds()) {
    for (int rank = 0; rank < ranks; ++rank) ends[rank]->Start(&logs[rank]);
  }
  // Each rank says so many words to all others and waits until it has heard as many of each that is not lost.
  void Speak(int words) {
    std::vector<std::function<void()>> programs;
    const int ranks = static_cast<int>(ends.size());
    for (int rank = 0; rank < ranks; ++rank) {
      programs.emplace_back([this, rank, ranks, words] {
        for (int word = 0; word < words; ++word) {
          for (int to = 0; to < ranks; ++to) ends[rank]->Send(to, Str(static_cast<char>('a' + word)));
        }
        const Log& log = logs[rank];
        ends[rank]->AwaitInOwnTime([&] { return HasHeardAll(log, ranks, words); });
      });
    }
    run.RunTogether(programs);
  }
  static bool HasHeardAll(const Log& log, int ranks, int words) {
    for (int from = 0; from < ranks; ++from) {
      const std::string last = Str(from, static_cast<char>('a' + words - 1));
      if (log.text.find(last) == std::string::npos && !log.lost.contains(from)) return false;
    }
    return true;
  }

  SimulatedRun run;
  std::vector<Log> logs;  // outlive the ends
  std::vector<std::unique_ptr<Transport>> ends;
};

TEST(SimulatedRun, EqualSeedsGiveEqualRuns) {
  std::set<uint64_t> fingerprints;
  std::set<std::string> orders;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    std::vector<std::string> texts;
    std::vector<uint64_t> prints;
    for (int time = 0; time < 2; ++time) {
      Talk talk(Delayed(seed));
      talk.Speak(5);
      texts.push_back(talk.logs[0].text);
      prints.push_back(talk.run.fingerprint());
      EXPECT_GT(talk.run.now(), 20e-6);
    }
    EXPECT_EQ(texts[0], texts[1]) << seed;
    EXPECT_EQ(prints[0], prints[1]) << seed;
    fingerprints.insert(prints[0]);
    orders.insert(texts[0]);
    for (int from = 0; from < 3; ++from) {  // those of one sender stay in order
      std::string said;
      for (size_t at = texts[0].find(Str(from)); at != std::string::npos; at = texts[0].find(Str(from), at + 1)) {
        said += texts[0][at + 1];
      }
      EXPECT_EQ(said, "abcde") << seed;
    }
  }
  EXPECT_GT(fingerprints.size(), 8u);
  EXPECT_GT(orders.size(), 5u) << "delays change no order";
}

TEST(SimulatedRun, WhoIsCutOffLosesAllAndIsLostToAll) {
  Talk talk(Delayed(3));
  talk.run.CutOff(1);
  talk.Speak(2);
  for (const int at : {0, 2}) {
    ASSERT_EQ(talk.logs[at].lost.size(), 1u);
    EXPECT_EQ(talk.logs[at].lost[1].ToString(), "UNAVAILABLE: rank 1 on this process has said nothing for 4 s");
  }
  EXPECT_EQ(talk.logs[1].lost.size(), 2u);
  EXPECT_EQ(talk.logs[1].text, "1a 1b ") << "a rank reaches itself";
  EXPECT_GE(talk.run.now(), 4) << "in virtual time";
}

TEST(SimulatedRun, LossesDelayAndInARowCutOff) {
  SimulatedOptions options = Delayed(1);
  options.links.loss = 0.3;
  options.links.resend = 0.2;
  options.most_losses = 1000;
  Talk late(options);
  late.Speak(20);
  EXPECT_GT(late.run.now(), 0.2);
  for (const Log& log : late.logs) EXPECT_TRUE(log.lost.empty());
  options.links.loss = 0.9;
  options.most_losses = 2;
  Talk broken(options);
  broken.Speak(3);
  for (const Log& log : broken.logs) EXPECT_FALSE(log.lost.empty());
}

TEST(SimulatedRun, WhoCrashesAfterSoManyArrivalsIsNamed) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Talk talk(Delayed(seed));
    bool has_crashed = false;
    talk.run.CrashAfter(static_cast<int64_t>(seed), 2, [&] {
      has_crashed = true;
      for (const int other : {0, 1}) talk.logs[2].Lost(other, OkStatus());  // its own program is to end
      talk.logs[2].Lost(2, OkStatus());
    });
    talk.Speak(4);
    ASSERT_TRUE(has_crashed) << seed;
    talk.ends[0]->AwaitInOwnTime([&] { return talk.logs[0].lost.contains(2) && talk.logs[1].lost.contains(2); });
    EXPECT_EQ(talk.logs[0].lost[2].ToString(), "UNAVAILABLE: rank 2 on this process was killed") << seed;
  }
}

// An hour of which the clock knows nothing: first comes all that there is to do.
TEST(SimulatedRun, ADeadlineIsOverWhenNobodyHasAnythingToDoBeforeIt) {
  constexpr double kHour = 3600;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Talk talk(Delayed(seed), 2);
    int work = 20;
    std::vector<std::string> order;
    talk.ends[1]->Employ([&] { return work > 0 && --work > 0; });
    const auto keep = [&](double seconds, const std::string& name) {
      return KeepDeadline(std::chrono::nanoseconds(static_cast<int64_t>(1e9 * seconds)), [&, seconds, name] {
        EXPECT_EQ(work, 0);
        EXPECT_GE(talk.run.now(), seconds);
        order.push_back(name);
      });
    };
    EXPECT_FALSE(keep(kHour, "outside")) << "this thread lives by the clock";
    talk.run.RunTogether({[&] {
                            EXPECT_TRUE(keep(2 * kHour, "second"));
                            EXPECT_TRUE(keep(kHour, "first"));
                            EXPECT_TRUE(keep(3 * kHour, "nobody waits for this one"));
                            talk.ends[0]->AwaitInOwnTime([&] { return talk.logs[0].text == "1a "; });
                            EXPECT_LT(talk.run.now(), kHour);
                            talk.ends[0]->AwaitInOwnTime([&] { return order.size() == 2; });
                          },
                          [&] { talk.ends[1]->Send(0, "a"); }});
    EXPECT_EQ(order, (std::vector<std::string>{"first", "second"})) << seed;
    talk.ends[1]->Employ(nullptr);
  }
}

// Somebody waits for what nobody sends.
TEST(SimulatedRun, SaysWhenNothingWillHappen) {
  SimulatedOptions options = Delayed(1);
  options.patience = std::chrono::milliseconds(100);
  Talk talk(options, 2);
  talk.ends[0]->AwaitInOwnTime([&] { return talk.logs[0].lost.contains(1); });
  EXPECT_EQ(talk.logs[0].lost[1].code(), Code::kInternal);
}

// Each sends to three others.
TEST(SimulatedRun, HasRoomForAThousandRanks) {
  constexpr int kRanks = 1000;
  Talk talk(Delayed(5), kRanks);
  for (int rank = 0; rank < kRanks; ++rank) {
    for (const int step : {1, 7, 100}) talk.ends[rank]->Send((rank + step) % kRanks, "x");
  }
  talk.ends[0]->AwaitInOwnTime([&] {
    return std::all_of(talk.logs.begin(), talk.logs.end(),
                       [](const Log& log) { return std::count(log.text.begin(), log.text.end(), 'x') == 3; });
  });
  EXPECT_EQ(talk.run.arrivals(), 3 * kRanks);
}

}  // namespace
}  // namespace plumb::dist
