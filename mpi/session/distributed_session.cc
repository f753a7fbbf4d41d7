#include "mpi/session/distributed_session.h"

#include <utility>

#include "fastpath/compile/graph/serialize.h"
#include "fastpath/session/call_kernel.h"
#include "fastpath/session/guard.h"
#include "fastpath/session/kernel_cache.h"
#include "fastpath/session/plan_cache.h"
#include "fastpath/session/session_graph.h"
#include "mpi/master/distributed_runner.h"

namespace plumb::dist {
namespace {

using fast::Guard;
using fast::StepRunner;

class DistributedSession : public Session {
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
      *callable = std::make_unique<DistributedCallable>(std::move(runner));
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
    explicit DistributedCallable(std::shared_ptr<StepRunner> runner) : runner_(std::move(runner)) {}
    Status Run(std::span<const Tensor> feeds, std::vector<Tensor>* outputs) override {
      return Guard([&] { return runner_->Run(RunOptions(), feeds, outputs, nullptr); });
    }

   private:
    const std::shared_ptr<StepRunner> runner_;
  };

  void CheckOpen() const {
    if (environment_.closed.load(std::memory_order_seq_cst)) throw Cancelled("Session has been closed.");
  }

  // Calls that are compiled when they run stay on this rank.
  fast::CallEnvironment ForCalls() { return {calls_options_, server_->devices(), kernels_source_, environment_}; }

  std::shared_ptr<StepRunner> MakeRunner(std::span<const std::string> feeds, std::span<const std::string> fetches,
                                         std::span<const std::string> targets) {
    const std::shared_ptr<const Graph> graph = graph_.Current();
    const fast::Request request = fast::ResolveRequest(*graph, feeds, fetches, targets);
    fast::CompileOptions options = options_;
    options.call_kernel = fast::MakeCallKernels(graph, ForCalls());
    std::vector<fast::StepGraph> parts =
        fast::CompileParts(graph, request, options, devices_, kernels_source_, server_->pool());
    std::vector<std::pair<int, std::string>> others;
    for (size_t i = 1; i < parts.size(); ++i) others.emplace_back(RankOf(parts[i]), fast::Serialize(parts[i]));
    std::vector<CollectiveMember> members = MembersIn(parts[0], server_->exchange().task());
    const auto plan = fast::FinishPart(std::move(parts[0]), request, false, devices_, kernels_source_);
    auto host = std::make_shared<fast::Executor>(plan, environment_);
    if (others.empty() && members.empty()) return host;
    const Register common = {0, number_, options_.optimize, options_.allow_soft_placement};
    std::vector<RemotePart> registered = server_->master().Register(common, std::move(others));
    return std::make_shared<DistributedRunner>(std::move(host), std::move(registered), server_->master(),
                                               std::move(members), server_->exchange());
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
};

}  // namespace

std::unique_ptr<Session> NewDistributedSession(std::shared_ptr<Server> server, const SessionOptions& options) {
  return std::make_unique<DistributedSession>(std::move(server), options);
}

}  // namespace plumb::dist
