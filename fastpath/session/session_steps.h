// The steps of a session: run at once (F31), by callables, or in pieces (P1–P5).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fastpath/session/partial_runs.h"
#include "fastpath/session/plan_cache.h"
#include "fastpath/session/session_graph.h"
#include "spec/session/session.h"

namespace plumb::fast {

class SessionSteps {
 public:
  // What runs a request. `meeting`: where a step in pieces meets its client; else null.
  using MakeRunner = std::function<std::shared_ptr<StepRunner>(
      const std::shared_ptr<const Graph>& graph, const Request& request, const std::shared_ptr<Meeting>& meeting)>;

  // Both outlive the steps and their callables.
  SessionSteps(SessionGraph& graph, MakeRunner make_runner) : graph_(graph), make_runner_(std::move(make_runner)) {}

  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata);
  std::unique_ptr<Session::Callable> MakeCallable(std::span<const std::string> feeds,
                                                  std::span<const std::string> fetches,
                                                  std::span<const std::string> targets);
  // The handle of a step in pieces.
  std::string SetUpPartialRun(std::span<const std::string> feeds, std::span<const std::string> fetches,
                              std::span<const std::string> targets);
  Status PartialRun(const std::string& handle, std::span<const Feed> feeds, std::span<const std::string> fetches,
                    std::vector<Tensor>* outputs);

  // Requests are compiled anew: there is another graph.
  void ForgetPlans() { plans_.Clear(); }
  // S10: throws kFailedPrecondition while a step is under way.
  void CheckIdle();
  void CancelAll(const Status& status);

 private:
  class RunnerCallable;

  std::shared_ptr<StepRunner> RunnerOf(std::span<const std::string> feeds, std::span<const std::string> fetches,
                                       std::span<const std::string> targets);

  SessionGraph& graph_;
  const MakeRunner make_runner_;
  PlanCache plans_;
  std::atomic<int64_t> running_ = 0;
  PartialRuns partial_runs_;
};

}  // namespace plumb::fast
