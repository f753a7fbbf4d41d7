// Laws of steps that run at the same time on the same variables (rules S3, R32, R42).
#include <rapidcheck.h>

#include <barrier>
#include <thread>

#include "backends/backends.h"
#include "property-tests/generators/placement.h"
#include "property-tests/law.h"
#include "property-tests/racing_steps.h"
#include "property-tests/threads.h"

namespace plumb::property {
namespace {

// Runs body(0), …, body(n − 1) on threads that start together.
template <class Body>
void AtOnce(size_t n, const Body& body) {
  std::barrier start(static_cast<std::ptrdiff_t>(n));
  std::vector<std::thread> clients;
  for (size_t i = 0; i < n; ++i) {
    clients.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
  }
  for (std::thread& client : clients) client.join();
}

// The host alone, or a host and accelerators over which the graph is spread.
SessionOptions AnyDevices(Tape& tape, GraphDef& graph, int threads) {
  const int forced_sharing = AnyPercent(tape);
  if (tape.Chance(50)) return {.threads = threads, .forced_sharing = forced_sharing};
  graph = SpreadOverDevices(std::move(graph), tape);
  return OnAllDevices(threads, forced_sharing, static_cast<uint64_t>(tape.Below(100)));
}

PLUMB_SLOW_LAW(Concurrency, StepsLeaveWhatSomeOrderOfTheirEffectsLeaves) {
  ConcurrentCase concurrent = RandomConcurrentSteps(tape);
  const int threads = AnyThreadCount(tape);
  const SessionOptions options = AnyDevices(tape, concurrent.graph, threads);
  const ToldIfBroken told([&] { return Str(Describe(concurrent), threads, " threads"); });
  const auto session = OpenSession("cpu", options);
  RC_ASSERT(session->Extend(concurrent.graph).ok());
  RC_ASSERT(RunStep(*session, {}, concurrent.initializers).status.ok());
  std::vector<StepAnswer> answers(concurrent.steps.size());
  AtOnce(answers.size(),
         [&](size_t i) { answers[i] = RunStep(*session, concurrent.steps[i].fetches, {concurrent.steps[i].target}); });
  answers.push_back(RunStep(*session, concurrent.variables, {}));
  CheckOutcome(concurrent, answers);
}

PLUMB_LAW(Concurrency, CommutingUpdatesAddUp) {
  RandomUpdates updates = RandomCommutingUpdates(tape);
  const int threads = AnyThreadCount(tape);
  const SessionOptions options = AnyDevices(tape, updates.graph, threads);
  const ToldIfBroken told([&] { return Str(Describe(updates), threads, " threads"); });
  const auto session = OpenSession("cpu", options);
  RC_ASSERT(session->Extend(updates.graph).ok());
  RC_ASSERT(RunStep(*session, {}, updates.initializers).status.ok());
  std::vector<Status> statuses(updates.clients.size());
  AtOnce(statuses.size(), [&](size_t i) {
    for (const std::string& target : updates.clients[i]) {
      const Status status = RunStep(*session, {}, {target}).status;
      if (!status.ok()) statuses[i] = status;
    }
  });
  for (const Status& status : statuses) RC_ASSERT(status.ok());
  CheckSums(updates, RunStep(*session, updates.variables, {}));
}

}  // namespace
}  // namespace plumb::property
