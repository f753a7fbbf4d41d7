// Laws of clients on several ranks that update the variables of others at the same time, as asynchronous workers do
// those of their servers (rules R1, S3, R32, R42).
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "property-tests/law.h"
#include "property-tests/over_ranks.h"
#include "property-tests/racing_steps.h"
#include "property-tests/threads.h"

namespace plumb::property {
namespace {

// Every client means the same variable, so each lies on a task that the graph names; what goes with it follows, and
// what is made of numbers alone lies anywhere, or where the client is.
GraphDef WithVariablesOnTasks(GraphDef graph, Tape& tape, int ranks) {
  const Graph loaded = Graph::Load(graph);
  const auto is_number = [](DType type) { return !IsRef(type) && type != DType::kResource; };
  for (NodeDef& def : graph.nodes) {
    const Node& node = loaded.node(*loaded.Find(def.name));
    const bool is_made_of_numbers = std::all_of(node.input_types.begin(), node.input_types.end(), is_number);
    const bool gives_numbers = std::all_of(node.output_types.begin(), node.output_types.end(), is_number);
    if (!is_made_of_numbers || (gives_numbers && tape.Chance(50))) continue;
    def.device = Str("/job:worker/task:", tape.Below(ranks));
  }
  return graph;
}

// Clients with a session each, on any ranks.
struct Clients {
  std::unique_ptr<dist::TestCluster> cluster;
  std::vector<std::unique_ptr<Session>> sessions;  // end first

  Clients(Tape& tape, int ranks, size_t count) : cluster(AnyCluster(tape, ranks, AnyThreadCount(tape), /*cpus=*/1)) {
    for (size_t i = 0; i < count; ++i) {
      sessions.push_back(cluster->Open(tape.Below(ranks), {.forced_sharing = AnyPercent(tape)}));
    }
  }
  void Load(const GraphDef& graph, const std::vector<std::string>& initializers) {
    for (const auto& session : sessions) RC_ASSERT(session->Extend(graph).ToString() == "OK");
    RC_ASSERT(RunStep(*sessions[0], {}, initializers).status.ToString() == "OK");
  }
  // body(i, session) of all at once.
  void AtOnce(const std::function<void(size_t, Session&)>& body) {
    std::vector<std::function<void()>> programs;
    for (size_t i = 0; i < sessions.size(); ++i) programs.emplace_back([&, i] { body(i, *sessions[i]); });
    cluster->RunTogether(programs);
  }
};

PLUMB_SLOW_LAW(RacingRanks, StepsLeaveWhatSomeOrderOfTheirEffectsLeaves) {
  ConcurrentCase concurrent = RandomConcurrentSteps(tape);
  const int ranks = 1 + tape.Below(4);
  concurrent.graph = WithVariablesOnTasks(std::move(concurrent.graph), tape, ranks);
  const ToldIfBroken told([&] { return Str(Describe(concurrent), ranks, " ranks"); });
  Clients clients(tape, ranks, concurrent.steps.size());
  clients.Load(concurrent.graph, concurrent.initializers);
  std::vector<StepAnswer> answers(concurrent.steps.size());
  clients.AtOnce([&](size_t i, Session& session) {
    answers[i] = RunStep(session, concurrent.steps[i].fetches, {concurrent.steps[i].target});
  });
  answers.push_back(RunStep(*clients.sessions[0], concurrent.variables, {}));
  CheckOutcome(concurrent, answers);
}

PLUMB_LAW(RacingRanks, CommutingUpdatesAddUp) {
  RandomUpdates updates = RandomCommutingUpdates(tape);
  const int ranks = 1 + tape.Below(4);
  updates.graph = WithVariablesOnTasks(std::move(updates.graph), tape, ranks);
  const ToldIfBroken told([&] { return Str(Describe(updates), ranks, " ranks"); });
  Clients clients(tape, ranks, updates.clients.size());
  clients.Load(updates.graph, updates.initializers);
  std::vector<Status> statuses(updates.clients.size());
  clients.AtOnce([&](size_t i, Session& session) {
    for (const std::string& target : updates.clients[i]) {
      const Status status = RunStep(session, {}, {target}).status;
      if (!status.ok()) statuses[i] = status;
    }
  });
  for (const Status& status : statuses) RC_ASSERT(status.ToString() == "OK");
  CheckSums(updates, RunStep(*clients.sessions[0], updates.variables, {}));
}

}  // namespace
}  // namespace plumb::property
