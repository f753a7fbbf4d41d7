#include "mpi/session/distributed_session.h"

#include <map>
#include <utility>

#include "fastpath/compile/graph/serialize.h"
#include "fastpath/session/call_kernel.h"
#include "fastpath/session/guard.h"
#include "fastpath/session/kernel_cache.h"
#include "fastpath/session/saved_kinds.h"
#include "fastpath/session/session_steps.h"
#include "mpi/master/distributed_runner.h"
#include "mpi/session/saved_rank.h"
#include "spec/session/state_paths.h"

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
    server_->SessionHasEnded();
  }

  Status Extend(const GraphDef& graph) override {
    return Guard([&] {
      CheckOpen();
      for (const NodeDef& node : graph.nodes) {
        server_->cluster().CheckRequest(DeviceName::Parse(node.device), node.name);
      }
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

  // S10, of all ranks: resources under "tasks/RANK/" where they lie elsewhere, kernels wherever they ran.
  Status Save(SavedState* state) override {
    return Guard([&] {
      CheckOpen();
      steps_.CheckIdle();
      SavedState saved = OwnState();
      for (auto& [rank, theirs] : server_->master().Save(number_)) {
        for (auto& [path, value] : theirs) {
          const bool is_kernel = path.starts_with(kKernelsPath);
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
        SavedState& theirs = of_others[rank] = StateBelow(state, TaskPath(rank));
        for (const auto& [path, value] : state) {
          if (path.starts_with(kKernelsPath)) theirs.emplace(path, value);
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
    *is_closed_ = true;
    steps_.CancelAll(Status(Code::kCancelled, "Run call was cancelled"));
    return Guard([&] {
      server_->master().Forget(number_);
      return OkStatus();
    });
  }

 private:
  void CheckOpen() const {
    if (environment_.closed.load(std::memory_order_seq_cst)) throw Cancelled("Session has been closed.");
  }

  // Calls that are compiled when they run stay on this rank.
  fast::CallEnvironment ForCalls() { return {calls_options_, server_->devices(), kernels_source_, environment_}; }

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
    if (others.empty() && members.empty() && !server_->attendant().is_always_needed()) return host;
    const Register common = {0, number_, options_.optimize, options_.allow_soft_placement, in_pieces};
    std::vector<RemotePart> registered = server_->master().Register(common, std::move(others));
    // A runner may outlive the session, which has told all ranks to forget its parts when it is closed.
    const auto forget = [server = std::weak_ptr(server_), is_closed = is_closed_, number = number_](const auto& gone) {
      const auto alive = is_closed->load() ? nullptr : server.lock();
      if (alive != nullptr) alive->master().Forget(number, gone);
    };
    return std::make_shared<DistributedRunner>(std::move(host), std::move(registered), server_->master(),
                                               std::move(members), server_->exchange(), server_->attendant(), forget);
  }

  static std::string TaskPath(int rank) { return Str("tasks/", rank, "/"); }

  SavedState OwnState() {
    SavedState state;
    server_->resources().Save(StateWriter(state, std::string(kResourcesPath)), fast::SavedKinds());
    kernels_.Save(StateWriter(state, std::string(kKernelsPath)));
    return state;
  }

  void RestoreOwn(const SavedState& state) {
    server_->resources().Restore(state, kResourcesPath, fast::SavedKinds());
    kernels_.Restore(StateBelow(state, kKernelsPath));
  }

  int RankOf(const fast::StepGraph& part) const {
    return *server_->cluster().RankOf(devices_[part.nodes[0].device].parts());
  }

  const std::shared_ptr<Server> server_;
  const std::shared_ptr<std::atomic<bool>> is_closed_ = std::make_shared<std::atomic<bool>>(false);
  const int64_t number_;  // among those of this rank
  const fast::DeviceSet devices_;
  fast::CompileOptions options_, calls_options_;
  fast::StepEnvironment environment_;
  fast::KernelCache kernels_;
  const fast::DeviceKernels kernels_source_ = [this](const Node& node, fast::Device& device) {
    return kernels_.Get(node, device);
  };
  fast::SessionGraph graph_;
  fast::SessionSteps steps_{graph_, [this](const auto& graph, const fast::Request& request, const auto& meeting) {
                              return MakeRunner(graph, request, meeting);
                            }};
};

}  // namespace

std::unique_ptr<Session> NewDistributedSession(std::shared_ptr<Server> server, const SessionOptions& options) {
  return std::make_unique<DistributedSession>(std::move(server), options);
}

}  // namespace plumb::dist
