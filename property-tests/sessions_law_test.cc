// Laws of sessions with several steps: variables, feeds and fetches anywhere, targets alone, on two devices of the host
// and on accelerators.
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "backends/backends.h"
#include "property-tests/allowed_answers.h"
#include "property-tests/generators/placement.h"
#include "property-tests/generators/random_session.h"
#include "property-tests/law.h"
#include "property-tests/threads.h"

namespace plumb::property {
namespace {

SessionOptions OnTwoDevices(int threads, int forced_sharing) {
  return {.threads = threads, .cpu_devices = 2, .allow_soft_placement = true, .forced_sharing = forced_sharing};
}

// What the steps gave. A failed step is the last: what it changed before it failed is not specified.
struct Answers {
  Status loaded;
  std::vector<Status> statuses;
  std::vector<std::vector<Tensor>> values;
};

Answers RunOn(const std::string& backend, const RandomSession& session, const SessionOptions& options) {
  const std::unique_ptr<Session> opened = OpenSession(backend, options);
  Answers answers;
  answers.loaded = opened->Extend(session.graph);
  for (const conformance::StepRequest& step : session.steps) {
    if (!answers.loaded.ok() || (!answers.statuses.empty() && !answers.statuses.back().ok())) break;
    std::vector<Tensor>& values = answers.values.emplace_back();
    answers.statuses.push_back(opened->Run(kWithLimit, step.feeds, step.fetches, step.targets, &values, nullptr));
  }
  return answers;
}

// The reference is told which devices there are, because a reference is read where it is sent (rule R36).
void CheckEveryStep(const std::string& backend, const RandomSession& session, const SessionOptions& options) {
  const ToldIfBroken told([&] { return Describe(session); });
  const Answers tried = RunOn(backend, session, options);
  conformance::Oracle oracle(session.graph, conformance::Limits::kSound, options);
  RC_LOG() << "reference: " << oracle.loaded().ToString() << "\n" << backend << ": " << tried.loaded.ToString() << "\n";
  RC_ASSERT(oracle.loaded().code() == tried.loaded.code());
  for (size_t step = 0; step < tried.statuses.size(); ++step) {
    std::vector<reference::Value> allowed;
    const Status status = oracle.Run(session.steps[step], &allowed);
    RC_LOG() << "step " << step + 1 << ": reference: " << status.ToString() << "\n"
             << backend << ": " << tried.statuses[step].ToString() << "\n";
    RC_ASSERT(status.code() == tried.statuses[step].code());
    if (!status.ok()) return RC_TAG(std::string("a step fails"));
    CheckAllowed(tried.values[step], allowed, session.steps[step].fetches, oracle, backend);
  }
  RC_TAG(std::string("all steps succeed"));
}

PLUMB_LAW(Sessions, EveryStepGivesWhatTheReferenceAllows) {
  const RandomSession session = RandomSteps(tape, Smoothness::kBends, DeclaredByTried());
  CheckEveryStep(TriedBackend(), session, OnTwoDevices(AnyThreadCount(tape), AnyPercent(tape)));
}

// The variables are the host's; what is computed from them, and what waits for them, is anywhere.
RandomSession SpreadSteps(Tape& tape, Smoothness functions = Smoothness::kBends) {
  RandomSession session = RandomSteps(tape, functions);
  session.graph = SpreadOverDevices(std::move(session.graph), tape);
  return session;
}

SessionOptions OnHostsAndAccelerators(Tape& tape) {
  return OnAllDevices(AnyThreadCount(tape), AnyPercent(tape), static_cast<uint64_t>(tape.Below(100)), 2);
}

PLUMB_LAW(Sessions, EveryStepGivesWhatTheReferenceAllowsOnAccelerators) {
  const RandomSession session = SpreadSteps(tape);
  CheckEveryStep("cpu", session, OnHostsAndAccelerators(tape));
}

// One thread that shares nothing, against all numbers of threads: wherever nodes lie, they change no bit.
PLUMB_SLOW_LAW(Sessions, AreTheSameOnAccelerators) {
  const RandomSession session = SpreadSteps(tape, Smoothness::kJumps);
  const ToldIfBroken told([&] { return Describe(session); });
  SessionOptions options = OnHostsAndAccelerators(tape);
  const Answers host = RunOn("cpu", session, OnTwoDevices(/*threads=*/1, /*forced_sharing=*/0));
  for (const int threads : kThreadCounts) {
    options.threads = threads;
    const Answers spread = RunOn("cpu", session, options);
    RC_LOG() << threads << " threads\n";
    RC_ASSERT(host.loaded.code() == spread.loaded.code());
    RC_ASSERT(host.statuses.size() == spread.statuses.size());
    for (size_t step = 0; step < host.statuses.size(); ++step) {
      RC_LOG() << "step " << step + 1 << ": " << host.statuses[step].ToString() << ", "
               << spread.statuses[step].ToString() << "\n";
      RC_ASSERT(host.statuses[step].ok() == spread.statuses[step].ok());  // several nodes may fail, in any order
      RC_ASSERT(spread.statuses[step].code() != Code::kInternal);
      RC_ASSERT(spread.statuses[step].code() != Code::kDeadlineExceeded);
      for (size_t i = 0; i < host.values[step].size(); ++i) {
        RC_ASSERT(host.values[step][i].BitwiseEquals(spread.values[step][i]));
      }
    }
  }
}

// The graph without the nodes that no step needs, and without control edges from them: none can be left behind.
RandomSession WithoutTheUnneeded(const RandomSession& session) {
  std::vector<bool> needed(session.graph.nodes.size());
  for (const conformance::StepRequest& step : session.steps) {
    const std::vector<bool> by_step = NeededBy(session.graph, step);
    for (size_t i = 0; i < needed.size(); ++i) needed[i] = needed[i] || by_step[i];
    // What is fed is named, and must be there; its own inputs need not be.
    for (const Feed& feed : step.feeds) {
      for (size_t i = 0; i < needed.size(); ++i) {
        if (session.graph.nodes[i].name == ParseTensorName(feed.first).node) needed[i] = true;
      }
    }
  }
  RandomSession rest = session;
  rest.graph.nodes.clear();
  std::set<std::string> kept;
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) kept.insert(session.graph.nodes[i].name);
  }
  for (size_t i = 0; i < needed.size(); ++i) {
    NodeDef node = session.graph.nodes[i];
    if (!needed[i]) continue;
    const bool whole = std::all_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& input) {
      return kept.contains(ParseTensorName(input).node);
    });
    if (!whole) {  // fed in every step that looks at it
      node.op = "Placeholder";
      node.inputs.clear();
      node.attrs = {{"dtype", DType::kFloat}};
    }
    rest.graph.nodes.push_back(std::move(node));
  }
  return rest;
}

// Rule F23, the other way round: a node that no step needs may fail, assign or wait for a feed: nobody can tell.
PLUMB_LAW(Sessions, WhatNoStepNeedsMayAsWellBeMissing) {
  const RandomSession session = RandomSteps(tape, Smoothness::kJumps), rest = WithoutTheUnneeded(session);
  const ToldIfBroken told([&] { return Str(Describe(session), "# without what is not needed:\n", Describe(rest)); });
  RC_CLASSIFY(rest.graph.nodes.size() < session.graph.nodes.size(), "something is not needed");
  const SessionOptions options = OnTwoDevices(/*threads=*/2, /*forced_sharing=*/0);
  for (const char* backend : {"reference", "cpu"}) {
    const Answers whole = RunOn(backend, session, options), less = RunOn(backend, rest, options);
    RC_LOG() << backend << ": " << whole.loaded.ToString() << ", " << less.loaded.ToString() << "\n";
    RC_ASSERT(whole.loaded.code() == less.loaded.code());
    RC_ASSERT(whole.statuses.size() == less.statuses.size());
    for (size_t step = 0; step < whole.statuses.size(); ++step) {
      RC_LOG() << "step " << step + 1 << ": " << whole.statuses[step].ToString() << ", "
               << less.statuses[step].ToString() << "\n";
      RC_ASSERT(whole.statuses[step].code() == less.statuses[step].code());
      for (size_t i = 0; i < whole.values[step].size(); ++i) {
        RC_ASSERT(whole.values[step][i].BitwiseEquals(less.values[step][i]));
      }
    }
  }
}

}  // namespace
}  // namespace plumb::property
