#include "fastpath/session/session_steps.h"

#include <utility>

#include "fastpath/session/counted.h"
#include "fastpath/session/guard.h"

namespace plumb::fast {

class SessionSteps::RunnerCallable : public Session::Callable {
 public:
  RunnerCallable(std::shared_ptr<StepRunner> runner, std::atomic<int64_t>& running)
      : runner_(std::move(runner)), running_(running) {}
  Status Run(std::span<const Tensor> feeds, std::vector<Tensor>* outputs) override {
    const Counted counted(running_);
    return Guard([&] { return runner_->Run(RunOptions(), feeds, outputs, nullptr); });
  }

 private:
  const std::shared_ptr<StepRunner> runner_;
  std::atomic<int64_t>& running_;  // of the session
};

Status SessionSteps::Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
                         std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) {
  const auto runner = plans_.Get(feeds, fetches, targets, [&] {
    std::vector<std::string> names;
    for (const Feed& feed : feeds) names.push_back(feed.first);
    return RunnerOf(names, fetches, targets);
  });
  std::vector<Tensor> values;
  values.reserve(feeds.size());
  for (const Feed& feed : feeds) values.push_back(feed.second);
  const Counted counted(running_);
  return runner->Run(options, values, outputs, metadata);
}

std::unique_ptr<Session::Callable> SessionSteps::MakeCallable(std::span<const std::string> feeds,
                                                              std::span<const std::string> fetches,
                                                              std::span<const std::string> targets) {
  auto runner = RunnerOf(feeds, fetches, targets);
  plans_.Track(runner);
  return std::make_unique<RunnerCallable>(std::move(runner), running_);
}

std::string SessionSteps::SetUpPartialRun(std::span<const std::string> feeds, std::span<const std::string> fetches,
                                          std::span<const std::string> targets) {
  const std::shared_ptr<const Graph> graph = graph_.Current();
  Request request = ResolveRequest(*graph, feeds, fetches, targets);
  for (const Endpoint& feed : request.feeds) {
    Require(Base(graph->TypeOf(feed)) != DType::kResource, "feed '", graph->NameOf(feed),
            "': a resource cannot be fed");  // F12
  }
  auto meeting = std::make_shared<Meeting>(request.feeds.size(), request.fetches.size());
  auto runner = make_runner_(graph, request, meeting);
  plans_.Track(runner);
  return partial_runs_.Add(
      std::make_shared<StepInPieces>(graph, std::move(request), std::move(meeting), std::move(runner)));
}

Status SessionSteps::PartialRun(const std::string& handle, std::span<const Feed> feeds,
                                std::span<const std::string> fetches, std::vector<Tensor>* outputs) {
  return partial_runs_.Run(handle, feeds, fetches, outputs);
}

void SessionSteps::CheckIdle() {
  const int64_t steps = running_.load(std::memory_order_relaxed) + partial_runs_.size();
  if (steps > 0) throw FailedPrecondition("a session is saved while no step runs; ", steps, " do");
}

void SessionSteps::CancelAll(const Status& status) {
  for (const auto& runner : plans_.Alive()) runner->CancelAll(status);
}

std::shared_ptr<StepRunner> SessionSteps::RunnerOf(std::span<const std::string> feeds,
                                                   std::span<const std::string> fetches,
                                                   std::span<const std::string> targets) {
  const std::shared_ptr<const Graph> graph = graph_.Current();
  return make_runner_(graph, ResolveRequest(*graph, feeds, fetches, targets), nullptr);
}

}  // namespace plumb::fast
