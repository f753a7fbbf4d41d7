#include "mpi/session/distributed_session.h"

#include <atomic>
#include <map>
#include <utility>

#include "fastpath/compile/graph/serialize.h"
#include "fastpath/session/call_kernel.h"
#include "fastpath/session/counted.h"
#include "fastpath/session/guard.h"
#include "fastpath/session/kernel_cache.h"
#include "fastpath/session/partial_runs.h"
#include "fastpath/session/plan_cache.h"
#include "fastpath/session/saved_kinds.h"
#include "fastpath/session/session_graph.h"
#include "mpi/master/distributed_runner.h"
#include "mpi/session/saved_rank.h"

namespace plumb::dist {
namespace {

using fast::Guard;
using fast::StepRunner;

class DistributedSession : public Session, public SavedSession, public SavedRank {
 public:
  DistributedSession(std::shared_ptr<Server> server, const SessionOptions& options)
      : server_(std::move(server)),
        number_(server_->master().NewSession()),
        devices_(AllDevices(server_->cluster(), server_->rank(), server_->cpus())),
        environment_{server_->pool(), server_->resources(), server_->watchdog(), options.forced_sharing} {
    options_.optimize = options.optimize;
    options_.allow_soft_placement = options.allow_soft_placement;
    options_.wire = server_->wire();
    calls_options_ = options_;
    calls_options_.keeps_task = true;
  }
  ~DistributedSession() override {
    if (!environment_.closed.load(std::memory_order_seq_cst)) static_cast<void>(Close());
  }

  Status Extend(const GraphDef& graph) override {
    return Guard([&] {
      CheckOpen();
      for (const NodeDef& node : graph.nodes) {
        server_->cluster().CheckRequest(DeviceName::Parse(node.device), node.name);
      }
      if (graph_.Extend(graph, devices_, options_.allow_soft_placement)) plans_.Clear();
      return OkStatus();
    });
  }

  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    return Guard([&] {
      CheckOpen();
      const auto runner = plans_.Get(feeds, fetches, targets, [&] {
        std::vector<std::string> names;
        for (const Feed& feed : feeds) names.push_back(feed.first);
        return MakeRunner(names, fetches, targets);
      });
      std::vector<Tensor> values;
      values.reserve(feeds.size());
      for (const Feed& feed : feeds) values.push_back(feed.second);
      const fast::Counted counted(running_);
      return runner->Run(options, values, outputs, metadata);
    });
  }
  using Session::Run;

  Status MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) override {
    return Guard([&] {
      CheckOpen();
      auto runner = MakeRunner(feed_names, fetches, targets);
      plans_.Track(runner);
      *callable = std::make_unique<DistributedCallable>(std::move(runner), running_);
      return OkStatus();
    });
  }

  Status PartialRunSetup(std::span<const std::string> feeds, std::span<const std::string> fetches,
                         std::span<const std::string> targets, std::string* handle) override {
    return Guard([&] {
      CheckOpen();
      const std::shared_ptr<const Graph> graph = graph_.Current();
      fast::Request request = fast::ResolveRequest(*graph, feeds, fetches, targets);
      const auto meeting = std::make_shared<fast::Meeting>(request.feeds.size(), request.fetches.size());
      auto runner = MakeRunner(graph, request, meeting);
      plans_.Track(runner);
      *handle = partial_runs_.Add(
          std::make_shared<fast::StepInPieces>(graph, std::move(request), meeting, std::move(runner)));
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

  // S10, of all ranks: resources under "tasks/RANK/" where they lie elsewhere, kernels wherever they ran.
  Status Save(SavedState* state) override {
    return Guard([&] {
      CheckOpen();
      const int64_t steps = running_.load(std::memory_order_relaxed) + partial_runs_.size();
      if (steps > 0) throw FailedPrecondition("a session is saved while no step runs; ", steps, " do");
      SavedState saved = OwnState();
      for (auto& [rank, theirs] : server_->master().Save(number_)) {
        for (auto& [path, value] : theirs) {
          const bool is_kernel = path.starts_with(fast::kKernelsPath);
          saved.insert_or_assign(is_kernel ? path : Str(TaskPath(rank), path), std::move(value));
        }
      }
      *state = std::move(saved);
      return OkStatus();
    });
  }

  Status Restore(const SavedState& state) override {
    return Guard([&] {
      CheckOpen();
      RestoreOwn(state);
      std::map<int, SavedState> of_others;
      for (int rank = 0; rank < server_->cluster().size(); ++rank) {
        if (rank == server_->rank()) continue;
        SavedState& theirs = of_others[rank] = fast::StateBelow(state, TaskPath(rank));
        for (const auto& [path, value] : state) {
          if (path.starts_with(fast::kKernelsPath)) theirs.emplace(path, value);
        }
      }
      server_->master().Restore({0, number_, options_.optimize, options_.allow_soft_placement}, of_others);
      return OkStatus();
    });
  }

  Status SaveRank(SavedState* state) override {
    return Guard([&] {
      CheckOpen();
      *state = OwnState();
      return OkStatus();
    });
  }

  Status RestoreRank(const SavedState& state) override {
    return Guard([&] {
      CheckOpen();
      RestoreOwn(state);
      return OkStatus();
    });
  }

  Status Reset(std::span<const std::string> containers) override {
    return Guard([&] {
      CheckOpen();
      const std::vector<std::string> names(containers.begin(), containers.end());
      if (names.empty()) server_->resources().Clear("localhost");
      for (const std::string& container : names) server_->resources().Clear(container);
      server_->master().Reset(names);
      return OkStatus();
    });
  }

  Status Close() override {
    environment_.closed.store(true, std::memory_order_seq_cst);
    for (const auto& runner : plans_.Alive()) runner->CancelAll(Status(Code::kCancelled, "Run call was cancelled"));
    return Guard([&] {
      server_->master().Forget(number_);
      return OkStatus();
    });
  }

 private:
  class DistributedCallable : public Callable {
   public:
    DistributedCallable(std::shared_ptr<StepRunner> runner, std::atomic<int64_t>& running)
        : runner_(std::move(runner)), running_(running) {}
    Status Run(std::span<const Tensor> feeds, std::vector<Tensor>* outputs) override {
      const fast::Counted counted(running_);
      return Guard([&] { return runner_->Run(RunOptions(), feeds, outputs, nullptr); });
    }

   private:
    const std::shared_ptr<StepRunner> runner_;
    std::atomic<int64_t>& running_;  // of the session
  };

  void CheckOpen() const {
    if (environment_.closed.load(std::memory_order_seq_cst)) throw Cancelled("Session has been closed.");
  }

  // Calls that are compiled when they run stay on this rank.
  fast::CallEnvironment ForCalls() { return {calls_options_, server_->devices(), kernels_source_, environment_}; }

  std::shared_ptr<StepRunner> MakeRunner(std::span<const std::string> feeds, std::span<const std::string> fetches,
                                         std::span<const std::string> targets) {
    const std::shared_ptr<const Graph> graph = graph_.Current();
    return MakeRunner(graph, fast::ResolveRequest(*graph, feeds, fetches, targets), nullptr);
  }

  // `meeting`: where a step in pieces meets its client; else null.
  std::shared_ptr<StepRunner> MakeRunner(const std::shared_ptr<const Graph>& graph, const fast::Request& request,
                                         const std::shared_ptr<fast::Meeting>& meeting) {
    const bool in_pieces = meeting != nullptr;
    fast::CompileOptions options = options_;
    options.call_kernel = fast::MakeCallKernels(graph, ForCalls());
    if (in_pieces) options.replace_ends = [&](fast::StepGraph& step) { fast::ReplaceEnds(step, meeting); };
    std::vector<fast::StepGraph> parts =
        fast::CompileParts(graph, request, options, devices_, kernels_source_, server_->pool());
    std::vector<std::pair<int, std::string>> others;
    for (size_t i = 1; i < parts.size(); ++i) others.emplace_back(RankOf(parts[i]), fast::Serialize(parts[i]));
    std::vector<CollectiveMember> members = MembersIn(parts[0], server_->exchange().task());
    const auto plan = fast::FinishPart(std::move(parts[0]), in_pieces ? fast::Request() : request, in_pieces, devices_,
                                       kernels_source_);
    auto host = std::make_shared<fast::Executor>(plan, environment_);
    if (others.empty() && members.empty()) return host;
    const Register common = {0, number_, options_.optimize, options_.allow_soft_placement, in_pieces};
    std::vector<RemotePart> registered = server_->master().Register(common, std::move(others));
    return std::make_shared<DistributedRunner>(std::move(host), std::move(registered), server_->master(),
                                               std::move(members), server_->exchange(), server_->attendant());
  }

  static std::string TaskPath(int rank) { return Str("tasks/", rank, "/"); }

  SavedState OwnState() {
    SavedState state;
    server_->resources().Save(StateWriter(state, std::string(fast::kResourcesPath)), fast::SavedKinds());
    kernels_.Save(StateWriter(state, std::string(fast::kKernelsPath)));
    return state;
  }

  void RestoreOwn(const SavedState& state) {
    server_->resources().Restore(state, fast::kResourcesPath, fast::SavedKinds());
    kernels_.Restore(fast::StateBelow(state, fast::kKernelsPath));
  }

  int RankOf(const fast::StepGraph& part) const {
    return *server_->cluster().RankOf(devices_[part.nodes[0].device].parts());
  }

  const std::shared_ptr<Server> server_;
  const int64_t number_;  // among those of this rank
  const fast::DeviceSet devices_;
  fast::CompileOptions options_, calls_options_;
  fast::StepEnvironment environment_;
  fast::KernelCache kernels_;
  const fast::DeviceKernels kernels_source_ = [this](const Node& node, fast::Device& device) {
    return kernels_.Get(node, device);
  };
  fast::SessionGraph graph_;
  fast::PlanCache plans_;
  std::atomic<int64_t> running_ = 0;
  fast::PartialRuns partial_runs_;
};

}  // namespace

std::unique_ptr<Session> NewDistributedSession(std::shared_ptr<Server> server, const SessionOptions& options) {
  return std::make_unique<DistributedSession>(std::move(server), options);
}

}  // namespace plumb::dist
