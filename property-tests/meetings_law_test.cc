// Laws of meetings over ranks (CO1–CO7), on links whose delays and losses are drawn: members have the bits of their
// order, whatever happens on the way; where a rank is lost, gives up, leaves or stays away, the others are told which
// one it was, and nobody waits for ever; a step that fails before its member comes fails that execution alone.
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <vector>

#include "mpi/session/cluster_testing.h"
#include "mpi/transport/deadline.h"
#include "property-tests/law.h"
#include "property-tests/meetings_testing.h"
#include "property-tests/threads.h"

namespace plumb::property {
namespace {

constexpr int kSteps = 3;
constexpr int64_t kForEver = 600'000;  // milliseconds of the run's time
constexpr float kPatience = 10;        // seconds that members wait for one that stays away (CO7)
constexpr auto kAway = std::chrono::seconds(30);

dist::SimulatedOptions AnyLinks(Tape& tape) {
  dist::SimulatedOptions links = dist::Delayed(tape.Next());
  if (tape.Chance(30)) links.links.loss = 0.2;
  links.most_losses = 100;
  links.ranks_of_host = tape.Below(3);
  links.shares_memory = tape.Chance(50);
  return links;
}

using Meetings = std::vector<RandomMeeting>;

struct Answer {
  Status status;
  std::vector<Tensor> values;  // of the members
};

Answer TakeStep(Session& session, const Meetings& meetings, int rank, int step, bool is_bad = false) {
  std::vector<Feed> feeds = {{"x", MakeScalar(is_bad ? std::numeric_limits<float>::quiet_NaN() : 1)}};
  std::vector<std::string> members;
  for (const RandomMeeting& meeting : meetings) {
    feeds.push_back({Str("b", members.size()), BroughtBy(meeting, rank, step)});
    members.push_back(Str("m", members.size()));
  }
  Answer answer;
  answer.status = session.Run({.timeout_ms = kForEver}, feeds, members, {}, &answer.values, nullptr);
  return answer;
}

// What a rank saw of a run.
struct Life {
  std::vector<Answer> answers;  // of its steps
  Status run;

  int64_t taken() const {
    return std::count_if(answers.begin(), answers.end(), [](const Answer& each) { return each.status.ok(); });
  }
};

std::string Describe(const std::vector<Life>& lives) {
  std::string text;
  for (size_t rank = 0; rank < lives.size(); ++rank) {
    text += Str("rank ", rank, ": its run ", lives[rank].run.ToString(), "\n");
    for (const Answer& answer : lives[rank].answers) text += Str("  ", answer.status.ToString(), "\n");
  }
  return text;
}

void CheckBits(const Meetings& meetings, const std::vector<Life>& lives) {
  for (size_t i = 0; i < meetings.size(); ++i) {
    for (size_t step = 0; step < kSteps; ++step) {
      const Tensor expected = ResultOf(meetings[i], static_cast<int>(step));
      for (const Life& life : lives) {
        if (life.answers.size() <= step || !life.answers[step].status.ok()) continue;
        RC_ASSERT(life.answers[step].values[i].BitwiseEquals(expected));
      }
    }
  }
}

// What becomes of one rank of a run, its victim.
enum class Fate { kLives, kDies, kIsCutOff, kGivesUp, kLeaves, kStaysAway };

struct Plan {
  Meetings meetings;
  Fate fate = Fate::kLives;
  int victim = 0;
  int steps = 0;     // that the victim takes where it goes by itself
  int arrivals = 0;  // after which it is lost, where it does not
  int forced_sharing = 100;

  const std::vector<int>& members() const { return meetings[0].members; }  // of all of them
  bool HasMember(int rank) const { return meetings[0].Has(rank); }
  bool IsVictim(int rank) const { return rank == victim && fate != Fate::kLives; }
  bool GoesBefore(int step, int rank) const { return IsVictim(rank) && fate >= Fate::kGivesUp && step >= steps; }
};

Plan AnyPlan(Tape& tape, int ranks) {
  Plan plan;
  plan.meetings = AnyMeetings(tape, ranks);
  plan.fate = static_cast<Fate>(tape.Below(6));
  plan.victim = tape.Below(ranks);
  plan.steps = 1 + tape.Below(kSteps - 1);  // who has never come may be missed by nobody
  plan.arrivals = 1 + tape.Below(25 * ranks);
  plan.forced_sharing = AnyPercent(tape);
  if (plan.fate >= Fate::kLeaves && !plan.HasMember(plan.victim)) plan.victim = plan.members()[0];
  if (plan.fate == Fate::kStaysAway) {
    for (RandomMeeting& meeting : plan.meetings) meeting.attrs["timeout_seconds"] = kPatience;
  }
  return plan;
}

void StayAway(dist::Server& server) {
  const auto is_over = std::make_shared<std::atomic<bool>>(false);
  dist::KeepDeadline(kAway, [is_over] { *is_over = true; });
  server.attendant().ServeUntil([is_over] { return is_over->load(); });
}

// Whoever fails gives up, as a process does that ends with another exit code than 0.
void Live(dist::TestCluster& cluster, const Plan& plan, int rank, Life& life) {
  dist::Server& server = cluster.server(rank);
  if (plan.HasMember(rank)) {
    const auto session = cluster.Open(rank, {.forced_sharing = plan.forced_sharing});
    Status status = session->Extend(GraphOf(plan.meetings, rank));
    for (int step = 0; status.ok() && step < kSteps && !plan.GoesBefore(step, rank); ++step) {
      life.answers.push_back(TakeStep(*session, plan.meetings, rank, step));
      status = life.answers.back().status;
    }
    if (!status.ok()) server.GiveUp(status);
  }
  if (plan.IsVictim(rank) && plan.fate == Fate::kGivesUp) server.GiveUp(Status(Code::kDataLoss, "no more"));
  if (plan.IsVictim(rank) && plan.fate == Fate::kStaysAway) StayAway(server);
  life.run = server.Leave();
}

std::vector<Life> LivesOf(const Plan& plan, int ranks, const dist::SimulatedOptions& links) {
  std::vector<Life> lives(static_cast<size_t>(ranks));
  const auto run = std::make_shared<dist::SimulatedRun>(ranks, links);
  dist::TestCluster cluster(ranks, dist::ServerOptions{}, run);
  if (plan.fate == Fate::kDies) cluster.CrashAfter(plan.arrivals, plan.victim);
  if (plan.fate == Fate::kIsCutOff) run->CutOffAfter(plan.arrivals, plan.victim);
  std::vector<std::function<void()>> programs;
  for (int rank = 0; rank < ranks; ++rank) {
    programs.emplace_back([&, rank] { Live(cluster, plan, rank, lives[rank]); });
  }
  cluster.RunTogether(programs);
  return lives;
}

// What others say of the victim, whether they found out themselves or were told by one who did.
std::string WhatIsSaid(const Plan& plan) {
  switch (plan.fate) {
    case Fate::kLives:
      break;
    case Fate::kDies:
      return Str("rank ", plan.victim, " on this process was killed");
    case Fate::kIsCutOff:
      return Str("rank ", plan.victim, " on this process has said nothing for 4 s");
    case Fate::kGivesUp:
      return "gave up: DATA_LOSS: no more";
    case Fate::kLeaves:
      return Str("rank ", plan.victim, " has left: its program has ended");
    case Fate::kStaysAway:
      return Str("; nobody has come from rank ", plan.victim);
  }
  return "nothing happens to anybody";
}

// Which members fail is up to the moment: one that has all it came for needs the others no more.
PLUMB_SLOW_LAW(Meetings, GiveAllTheSameBitsOrSayWhichRankIsMissing) {
  const int ranks = 2 + tape.Below(4);
  const Plan plan = AnyPlan(tape, ranks);
  const std::vector<Life> lives = LivesOf(plan, ranks, AnyLinks(tape));
  const std::string said = WhatIsSaid(plan);
  const ToldIfBroken told([&] { return Str(Describe(plan.meetings), Describe(lives), "to be said: ", said); });
  CheckBits(plan.meetings, lives);
  int64_t fewest = kSteps, most = 0;
  bool any_failed = false;
  for (const int rank : plan.members()) {
    if (plan.IsVictim(rank)) continue;
    fewest = std::min(fewest, lives[rank].taken());
    most = std::max(most, lives[rank].taken());
    for (const Answer& answer : lives[rank].answers) {
      if (answer.status.ok()) continue;
      any_failed = true;
      RC_ASSERT(answer.status.message().find(said) != std::string::npos);
    }
  }
  RC_ASSERT(most - fewest <= 1);
  RC_ASSERT(plan.fate != Fate::kLives || fewest == kSteps);
  RC_ASSERT(plan.fate < Fate::kGivesUp || !plan.HasMember(plan.victim) || any_failed);
  for (int rank = 0; rank < ranks; ++rank) {
    if (plan.IsVictim(rank)) continue;
    const Status& end = lives[rank].run;
    RC_ASSERT(!any_failed || !end.ok());
    RC_ASSERT(end.ok() || end.message().find(said) != std::string::npos);
  }
  constexpr const char* kFates[] = {"lives", "dies", "is cut off", "gives up", "leaves", "stays away"};
  RC_TAG(Str("a rank ", kFates[static_cast<int>(plan.fate)], any_failed ? " and steps fail" : ""));
}

// CO6: all others of the execution that a bad batch is of are told, and meet at the next one.
PLUMB_SLOW_LAW(Meetings, FailOnlyWithAStepThatFailsBeforeItsMemberComes) {
  const int ranks = 2 + tape.Below(4);
  const Meetings meetings = AnyMeetings(tape, ranks);
  const std::vector<int>& members = meetings[0].members;
  const int forced_sharing = AnyPercent(tape);
  std::vector<std::vector<bool>> is_bad(static_cast<size_t>(ranks), std::vector<bool>(kSteps));
  for (const int rank : members) {
    for (int step = 0; step < kSteps; ++step) is_bad[rank][step] = tape.Chance(25);
  }
  std::vector<Life> lives(static_cast<size_t>(ranks));
  {
    dist::TestCluster cluster(ranks, dist::ServerOptions{},
                              std::make_shared<dist::SimulatedRun>(ranks, AnyLinks(tape)));
    std::vector<std::function<void()>> programs;
    for (const int rank : members) {
      programs.emplace_back([&, rank] {
        const auto session = cluster.Open(rank, {.forced_sharing = forced_sharing});
        lives[rank].run = session->Extend(GraphOf(meetings, rank));
        for (int step = 0; step < kSteps; ++step) {
          lives[rank].answers.push_back(TakeStep(*session, meetings, rank, step, is_bad[rank][step]));
        }
      });
    }
    cluster.RunTogether(programs);
  }
  const ToldIfBroken told([&] { return Str(Describe(meetings), Describe(lives)); });
  CheckBits(meetings, lives);
  int failed = 0;
  for (int step = 0; step < kSteps; ++step) {
    const auto fails = [&](int rank) -> bool { return is_bad[rank][step]; };
    const bool any = std::any_of(members.begin(), members.end(), fails);
    failed += any ? 1 : 0;
    for (const int rank : members) {
      const Status& status = lives[rank].answers[step].status;
      RC_LOG() << "step " << step << " of rank " << rank << (fails(rank) ? ", whose batch is bad\n" : "\n");
      RC_ASSERT(status.code() == (fails(rank) ? Code::kInvalidArgument : any ? Code::kCancelled : Code::kOk));
      if (!any) continue;
      RC_ASSERT(status.message().find(kBadBatch) != std::string::npos);
      const auto is_named = [&](int other) {
        return fails(other) && status.message().find(Str("(rank ", other, ")")) != std::string::npos;
      };
      RC_ASSERT(fails(rank) || std::any_of(members.begin(), members.end(), is_named));
    }
  }
  RC_TAG(Str(failed, " of ", kSteps, " steps fail"));
}

}  // namespace
}  // namespace plumb::property
