#include "property-tests/over_ranks.h"

#include <rapidcheck.h>

#include <numeric>

#include "client/import.h"
#include "client/placement/place_by_cost.h"
#include "conformance/compare/oracle.h"
#include "property-tests/allowed_answers.h"
#include "property-tests/law.h"
#include "property-tests/placed_steps.h"
#include "property-tests/threads.h"

namespace plumb::property {

using dist::Hands;

GraphDef SpreadOverTasks(GraphDef graph, Tape& tape, int ranks) {
  for (NodeDef& node : graph.nodes) {
    const int task = tape.Below(ranks + 1);
    if (task == ranks) continue;
    node.device = Str("/job:worker/task:", task, tape.Chance(30) ? "/device:CPU:1" : "");
  }
  return graph;
}

std::unique_ptr<dist::TestCluster> AnyCluster(Tape& tape, int ranks, int threads, int cpus) {
  const dist::ServerOptions options = {.cluster = "", .threads = threads, .cpus = cpus};
  const int over = tape.Below(4);
  if (over == 0) return std::make_unique<dist::TestCluster>(ranks, options);
  const dist::SimulatedOptions links =
      dist::Delayed(tape.Next(), over == 3 ? Hands::kOwnInTime : Hands::kOfThoseWhoWait);
  return std::make_unique<dist::TestCluster>(ranks, options, std::make_shared<dist::SimulatedRun>(ranks, links));
}

// Steps of the case on its graph with devices asked for.
static void CheckPlaced(Session& session, const GraphDef& placed, const RandomCase& random_case) {
  const Status loaded = session.Extend(placed);
  const ToldIfBroken told([&] { return Describe({placed, random_case.feeds, random_case.fetches, {}}); });
  const auto run = [&](std::vector<Tensor>* values) {
    if (!loaded.ok()) return loaded;
    return session.Run(kWithLimit, random_case.feeds, random_case.fetches, random_case.targets, values, nullptr);
  };
  CheckSteps(random_case, run, DeviceFailures::kNone);
}

void CheckSpread(Tape& tape, const RandomCase& random_case) {
  const int ranks = 1 + tape.Below(4), client = tape.Below(ranks);
  const auto cluster = AnyCluster(tape, ranks, AnyThreadCount(tape), /*cpus=*/2);
  CheckSpreadOver(ranks, tape, random_case,
                  [&](const SessionOptions& options) { return cluster->Open(client, options); });
}

void CheckSpreadOver(int ranks, Tape& tape, const RandomCase& random_case, const Opened& open) {
  const GraphDef placed = SpreadOverTasks(random_case.graph, tape, ranks);
  const auto session = open({.allow_soft_placement = true, .forced_sharing = AnyPercent(tape)});
  CheckPlaced(*session, placed, random_case);
}

void CheckPlacedByCost(Tape& tape, const RandomCase& random_case) {
  const int ranks = 2 + tape.Below(2), client = tape.Below(ranks);
  const auto cluster = AnyCluster(tape, ranks, 2, /*cpus=*/1);
  MeasuredCosts costs;
  {
    const auto session = cluster->Open(client, {.allow_soft_placement = true});
    if (!session->Extend(random_case.graph).ok()) return;
    RunOptions traced = kWithLimit;
    traced.trace = true;
    RunMetadata metadata;
    std::vector<Tensor> values;
    static_cast<void>(
        session->Run(traced, random_case.feeds, random_case.fetches, random_case.targets, &values, &metadata));
    costs.Learn(metadata);
  }
  Scope scope;
  ImportGraph(scope, random_case.graph);
  std::vector<DeviceOffer> offers;
  for (int rank = 0; rank < ranks; ++rank) offers.push_back({Str("/job:worker/task:", rank), INT64_MAX, 1.0 + rank});
  const CostOptions options = {.link = {.latency = 1e-9 * tape.Below(3000)}};
  const CostPlacement free = PlaceByCost(scope.builder(), costs, offers, options);
  const int64_t all = std::accumulate(free.held.begin(), free.held.end(), int64_t{0});
  for (DeviceOffer& offer : offers) offer.memory = all * 3 / 4;
  GraphDef placed = random_case.graph;
  try {
    const CostPlacement tight = PlaceByCost(scope.builder(), costs, offers, options);
    for (size_t i = 0; i < offers.size(); ++i) RC_ASSERT(tight.held[i] <= offers[i].memory);
    AskForDevices(placed, tight);
    RC_TAG(std::string("under a limit"));
  } catch (const Error&) {  // most of it lies in one place
    AskForDevices(placed, free);
  }
  const auto session = cluster->Open(client, {.allow_soft_placement = true});
  CheckPlaced(*session, placed, random_case);
}

void CheckLosses(Tape& tape, const RandomCase& random_case) {
  const int ranks = 2 + tape.Below(3), client = tape.Below(ranks), victim = tape.Below(ranks);
  const GraphDef placed = SpreadOverTasks(random_case.graph, tape, ranks);
  dist::SimulatedOptions links = dist::Delayed(tape.Next());
  if (tape.Chance(30)) links.links.loss = 0.2;
  links.most_losses = 100;
  const auto run = std::make_shared<dist::SimulatedRun>(ranks, links);
  dist::TestCluster cluster(ranks, dist::ServerOptions{.cluster = "", .cpus = 2}, run);
  const auto session = cluster.Open(client, {.allow_soft_placement = true, .forced_sharing = AnyPercent(tape)});
  const Status loaded = session->Extend(placed);
  const int arrivals = 1 + tape.Below(12);
  if (tape.Chance(30)) {
    run->CutOffAfter(arrivals, victim);
  } else {
    cluster.CrashAfter(arrivals, victim);
  }
  const ToldIfBroken told([&] { return Describe({placed, random_case.feeds, random_case.fetches, {}}); });
  conformance::Oracle oracle(random_case.graph);
  std::vector<reference::Value> expected;
  const Status status = oracle.Run({random_case.feeds, random_case.fetches, random_case.targets}, &expected);
  for (int step = 0; step < 3; ++step) {
    std::vector<Tensor> values;
    Status ranked = loaded;
    if (loaded.ok()) {
      ranked = session->Run(kWithLimit, random_case.feeds, random_case.fetches, random_case.targets, &values, nullptr);
    }
    RC_LOG() << "step " << step << ": reference: " << status.ToString() << "\nover ranks: " << ranked.ToString()
             << "\n";
    if (ranked.code() == Code::kUnavailable) {
      const bool names_it = ranked.message().find("rank ") != std::string::npos ||
                            ranked.message().find("this rank has crashed") != std::string::npos;
      RC_ASSERT(names_it);
      return RC_TAG(std::string("a rank is lost"));
    }
    RC_ASSERT(status.code() == ranked.code());
    if (!status.ok()) return RC_TAG(std::string("fails"));
    CheckAllowed(values, expected, random_case.fetches, oracle);
  }
  RC_TAG(std::string("succeeds"));
}

}  // namespace plumb::property
