#include "fastpath/session/fast_session.h"

#include <algorithm>
#include <atomic>

#include "fastpath/compile/compile.h"
#include "fastpath/compile/graph/serialize.h"
#include "fastpath/execute/partitioned_executor.h"
#include "fastpath/session/call_kernel.h"
#include "fastpath/session/counted.h"
#include "fastpath/session/devices.h"
#include "fastpath/session/guard.h"
#include "fastpath/session/kernel_cache.h"
#include "fastpath/session/partial_runs.h"
#include "fastpath/session/plan_cache.h"
#include "fastpath/session/saved_kinds.h"
#include "fastpath/session/session_graph.h"
#include "spec/core/thread_annotations.h"
#include "spec/session/saved_state.h"

namespace plumb::fast {
namespace {

class FastSession : public Session, public SavedSession {
 public:
  FastSession(const SessionOptions& options, const FastOptions& more)
      : options_(OptionsOf(options, more)),
        devices_(MakeDevices(options, more)),
        pool_(std::max(0, options.threads)),
        environment_{pool_, resources_, watchdog_, options.forced_sharing} {}

  Status Extend(const GraphDef& graph) override {
    return Guard([&] {
      CheckOpen();
      if (graph_.Extend(graph, devices_, options_.allow_soft_placement)) plans_.Clear();
      return OkStatus();
    });
  }

  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    return Guard([&] {
      CheckOpen();
      const auto executor = plans_.Get(feeds, fetches, targets, [&] {
        std::vector<std::string> names;
        for (const Feed& feed : feeds) names.push_back(feed.first);
        return MakeExecutor(names, fetches, targets);
      });
      std::vector<Tensor> values;
      values.reserve(feeds.size());
      for (const Feed& feed : feeds) values.push_back(feed.second);
      const Counted counted(running_);
      return executor->Run(options, values, outputs, metadata);
    });
  }
  using Session::Run;

  Status MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) override {
    return Guard([&] {
      CheckOpen();
      auto executor = MakeExecutor(feed_names, fetches, targets);
      plans_.Track(executor);
      *callable = std::make_unique<FastCallable>(std::move(executor), running_);
      return OkStatus();
    });
  }

  Status PartialRunSetup(std::span<const std::string> feeds, std::span<const std::string> fetches,
                         std::span<const std::string> targets, std::string* handle) override {
    return Guard([&] {
      CheckOpen();
      const std::shared_ptr<const Graph> graph = graph_.Current();
      Request request = ResolveRequest(*graph, feeds, fetches, targets);
      auto meeting = std::make_shared<Meeting>(request.feeds.size(), request.fetches.size());
      CompileOptions options = OptionsFor(graph);
      options.replace_ends = [&](StepGraph& step) { ReplaceEnds(step, meeting); };
      auto executor =
          NewRunner(Compile(graph, request, options, devices_, kernels_source_, pool_), devices_, environment_);
      plans_.Track(executor);
      *handle = partial_runs_.Add(
          std::make_shared<StepInPieces>(graph, std::move(request), std::move(meeting), std::move(executor)));
      return OkStatus();
    });
  }

  Status PartialRun(const std::string& handle, std::span<const Feed> feeds, std::span<const std::string> fetches,
                    std::vector<Tensor>* outputs) override {
    return Guard([&] {
      CheckOpen();
      return partial_runs_.Run(handle, feeds, fetches, outputs);
    });
  }

  Status Reset(std::span<const std::string> containers) override {
    return Guard([&] {
      CheckOpen();
      if (containers.empty()) resources_.Clear("localhost");
      for (const std::string& container : containers) resources_.Clear(container);
      return OkStatus();  // kernels stay, with their streams (S6), and notice what was dropped
    });
  }

  Status Save(SavedState* state) override {
    return Guard([&] {
      CheckOpen();
      CheckIdle();
      state->clear();
      resources_.Save(StateWriter(*state, std::string(kResourcesPath)), SavedKinds());
      kernels_.Save(StateWriter(*state, std::string(kKernelsPath)));
      return OkStatus();
    });
  }

  Status Restore(const SavedState& state) override {
    return Guard([&] {
      CheckOpen();
      resources_.Restore(state, kResourcesPath, SavedKinds());
      kernels_.Restore(StateBelow(state, kKernelsPath));
      return OkStatus();
    });
  }

  Status Close() override {
    environment_.closed.store(true, std::memory_order_seq_cst);
    for (const auto& executor : plans_.Alive()) executor->CancelAll(Status(Code::kCancelled, "Run call was cancelled"));
    return OkStatus();
  }

 private:
  class FastCallable : public Callable {
   public:
    FastCallable(std::shared_ptr<StepRunner> executor, std::atomic<int64_t>& running)
        : executor_(std::move(executor)), running_(running) {}
    Status Run(std::span<const Tensor> feeds, std::vector<Tensor>* outputs) override {
      const Counted counted(running_);
      return Guard([&] { return executor_->Run(RunOptions(), feeds, outputs, nullptr); });
    }

   private:
    const std::shared_ptr<StepRunner> executor_;
    std::atomic<int64_t>& running_;  // of the session
  };

  // S10.
  void CheckIdle() {
    const int64_t steps = running_.load(std::memory_order_relaxed) + partial_runs_.size();
    if (steps > 0) throw FailedPrecondition("a session is saved while no step runs; ", steps, " do");
  }

  void CheckOpen() const {
    if (environment_.closed.load(std::memory_order_seq_cst)) throw Cancelled("Session has been closed.");
  }

  std::shared_ptr<StepRunner> MakeExecutor(std::span<const std::string> feeds, std::span<const std::string> fetches,
                                           std::span<const std::string> targets) {
    const std::shared_ptr<const Graph> graph = graph_.Current();
    const Request request = ResolveRequest(*graph, feeds, fetches, targets);
    return NewRunner(Compile(graph, request, OptionsFor(graph), devices_, kernels_source_, pool_), devices_,
                     environment_);
  }

  CallEnvironment ForCalls() { return {options_, devices_, kernels_source_, environment_}; }

  CompileOptions OptionsFor(const std::shared_ptr<const Graph>& graph) {
    CompileOptions options = options_;
    options.call_kernel = MakeCallKernels(graph, ForCalls());
    return options;
  }

  CompileOptions OptionsOf(const SessionOptions& options, const FastOptions& more) {
    CompileOptions compile;
    compile.optimize = options.optimize;
    compile.allow_soft_placement = options.allow_soft_placement;
    if (!more.parts_from_bytes) return compile;
    compile.carry = [this](const StepGraph& part) {
      return Deserialize(Serialize(part), [this](const KernelRecipe& recipe, const auto& source) {
        return MakePassKernel(recipe, *source, MakeCallKernels(source, ForCalls()));
      });
    };
    return compile;
  }

  const CompileOptions options_;
  const DeviceSet devices_;
  ThreadPool pool_;
  ResourceManager resources_;
  Watchdog watchdog_;
  StepEnvironment environment_;
  KernelCache kernels_;
  const DeviceKernels kernels_source_ = [this](const Node& node, Device& device) { return kernels_.Get(node, device); };
  SessionGraph graph_;
  PlanCache plans_;
  std::atomic<int64_t> running_ = 0;
  PartialRuns partial_runs_;
};

}  // namespace

std::unique_ptr<Session> NewFastSession(const SessionOptions& options, const FastOptions& more) {
  return std::make_unique<FastSession>(options, more);
}

}  // namespace plumb::fast
