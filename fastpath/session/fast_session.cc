#include "fastpath/session/fast_session.h"

#include <algorithm>

#include "fastpath/compile/compile.h"
#include "fastpath/compile/graph/serialize.h"
#include "fastpath/execute/partitioned_executor.h"
#include "fastpath/session/call_kernel.h"
#include "fastpath/session/devices.h"
#include "fastpath/session/guard.h"
#include "fastpath/session/kernel_cache.h"
#include "fastpath/session/saved_kinds.h"
#include "fastpath/session/session_steps.h"
#include "spec/core/thread_annotations.h"
#include "spec/session/state_paths.h"

namespace plumb::fast {
namespace {

class FastSession : public Session, public SavedSession {
 public:
  FastSession(const SessionOptions& options, const FastOptions& more)
      : options_(OptionsOf(options, more)),
        gathers_sections_(options.gpu_graphs && !more.parts_from_bytes),
        devices_(MakeDevices(options, more)),
        pool_(std::max(0, options.threads)),
        environment_{pool_, resources_, watchdog_, options.forced_sharing} {}

  Status Extend(const GraphDef& graph) override {
    return Guard([&] {
      CheckOpen();
      if (graph_.Extend(graph, devices_, options_.allow_soft_placement)) steps_.ForgetPlans();
      return OkStatus();
    });
  }

  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    return Guard([&] {
      CheckOpen();
      return steps_.Run(options, feeds, fetches, targets, outputs, metadata);
    });
  }
  using Session::Run;

  Status MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) override {
    return Guard([&] {
      CheckOpen();
      *callable = steps_.MakeCallable(feed_names, fetches, targets);
      return OkStatus();
    });
  }

  Status PartialRunSetup(std::span<const std::string> feeds, std::span<const std::string> fetches,
                         std::span<const std::string> targets, std::string* handle) override {
    return Guard([&] {
      CheckOpen();
      *handle = steps_.SetUpPartialRun(feeds, fetches, targets);
      return OkStatus();
    });
  }

  Status PartialRun(const std::string& handle, std::span<const Feed> feeds, std::span<const std::string> fetches,
                    std::vector<Tensor>* outputs) override {
    return Guard([&] {
      CheckOpen();
      return steps_.PartialRun(handle, feeds, fetches, outputs);
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
      steps_.CheckIdle();
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
    steps_.CancelAll(Status(Code::kCancelled, "Run call was cancelled"));
    return OkStatus();
  }

 private:
  void CheckOpen() const {
    if (environment_.closed.load(std::memory_order_seq_cst)) throw Cancelled("Session has been closed.");
  }

  std::shared_ptr<StepRunner> MakeRunner(const std::shared_ptr<const Graph>& graph, const Request& request,
                                         const std::shared_ptr<Meeting>& meeting) {
    CompileOptions options = options_;
    options.call_kernel = MakeCallKernels(graph, ForCalls());
    if (meeting != nullptr) options.replace_ends = [&](StepGraph& step) { ReplaceEnds(step, meeting); };
    options.gathers_sections = gathers_sections_ && meeting == nullptr;
    return NewRunner(Compile(graph, request, options, devices_, kernels_source_, pool_), devices_, environment_);
  }

  CallEnvironment ForCalls() { return {options_, devices_, kernels_source_, environment_}; }

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

  const CompileOptions options_;  // of calls that are compiled when they run, too
  const bool gathers_sections_;
  const DeviceSet devices_;
  ThreadPool pool_;
  ResourceManager resources_;
  Watchdog watchdog_;
  StepEnvironment environment_;
  KernelCache kernels_;
  const DeviceKernels kernels_source_ = [this](const Node& node, Device& device) { return kernels_.Get(node, device); };
  SessionGraph graph_;
  SessionSteps steps_{graph_, [this](const auto& graph, const Request& request, const auto& meeting) {
                        return MakeRunner(graph, request, meeting);
                      }};
};

}  // namespace

std::unique_ptr<Session> NewFastSession(const SessionOptions& options, const FastOptions& more) {
  return std::make_unique<FastSession>(options, more);
}

}  // namespace plumb::fast
