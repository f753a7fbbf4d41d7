#include "reference/session.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <unordered_set>

#include "reference/step/placement.h"
#include "reference/world/guarded.h"
#include "spec/ops/op_def.h"
#include "spec/validate/kernel_types.h"

namespace plumb::reference {
namespace {

// V3: what may be added to an existing graph, and how versions combine.
GraphDef Merged(GraphDef old, const GraphDef& more) {
  Require(old.versions.producer == more.versions.producer, "the graph was made by producer ", old.versions.producer,
          ", the addition by ", more.versions.producer);
  std::unordered_set<std::string_view> names;
  for (const NodeDef& node : old.nodes) names.insert(node.name);
  for (const NodeDef& node : more.nodes) {
    Require(!names.contains(node.name), "the graph has a node '", node.name, "' already");
  }
  old.nodes.insert(old.nodes.end(), more.nodes.begin(), more.nodes.end());
  old.versions.min_consumer = std::max(old.versions.min_consumer, more.versions.min_consumer);
  old.versions.bad_consumers.insert(old.versions.bad_consumers.end(), more.versions.bad_consumers.begin(),
                                    more.versions.bad_consumers.end());
  old.library += more.library;  // messages concatenated are messages merged
  return old;
}

int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Writes down when each node ran.
std::function<void(const NodeRun&)> TraceInto(DeviceStats& device) {
  device.device = "/job:localhost/replica:0/task:0/device:CPU:0";
  return [&device, start = Now()](const NodeRun& run) mutable {
    const int64_t end = Now();
    if (run.step_node.rule == Rule::kFeed || run.step_node.rule == Rule::kFetch) return;
    device.nodes.push_back({run.node.name, run.node.op->name, start, start, end, 0});
    start = end;
  };
}

StepRequest MakeRequest(std::vector<ValueFeed> feeds, std::span<const std::string> fetches,
                        std::span<const std::string> targets) {
  return {std::move(feeds), {fetches.begin(), fetches.end()}, {targets.begin(), targets.end()}};
}

// Throws what the step ended with.
void TakeValues(StepOutcome outcome, std::vector<Tensor>* outputs) {
  ThrowUnlessOk(outcome.status);
  if (outputs == nullptr) return;
  outputs->clear();
  for (Value& value : outcome.values) outputs->push_back(std::move(value.tensor));
}

// A step of the graph that the session had when its names were resolved.
class NamedStep : public Session::Callable {
 public:
  using RunFeeds = std::function<StepOutcome(std::vector<ValueFeed>)>;

  NamedStep(std::span<const std::string> feeds, RunFeeds run)
      : feeds_(feeds.begin(), feeds.end()), run_(std::move(run)) {}

  Status Run(std::span<const Tensor> feeds, std::vector<Tensor>* outputs) override {
    if (feeds.size() != feeds_.size()) {
      return Status(Code::kInvalidArgument, Str("the callable takes ", feeds_.size(), " feeds, not ", feeds.size()));
    }
    std::vector<ValueFeed> named;
    for (size_t i = 0; i < feeds.size(); ++i) named.emplace_back(feeds_[i], feeds[i]);
    return Guarded([&] { TakeValues(run_(std::move(named)), outputs); });
  }

 private:
  const std::vector<std::string> feeds_;
  const RunFeeds run_;
};

}  // namespace

Status ReferenceSession::Extend(const GraphDef& graph) {
  return Guarded([&] {
    MutexLock lock(mutex_);
    CheckOpen();
    if (graph.nodes.empty() && graph_ == nullptr) return;  // S1
    GraphDef whole = graph_ != nullptr ? Merged(def_, graph) : graph;
    Graph loaded = Graph::Load(whole);
    CheckKernelTypes(loaded);
    CheckPlacement(loaded, options_);
    PlaceResources(loaded, graph_.get(), options_);
    graph_ = std::make_shared<const Graph>(std::move(loaded));
    def_ = std::move(whole);
  });
}

Status ReferenceSession::Run(const RunOptions& options, std::span<const Feed> feeds,
                             std::span<const std::string> fetches, std::span<const std::string> targets,
                             std::vector<Tensor>* outputs, RunMetadata* metadata) {
  return Guarded([&] {
    const Deadline deadline(options.timeout_ms);
    Mode mode;
    if (options.trace && metadata != nullptr) mode.observer = TraceInto(metadata->step_stats.emplace_back());
    StepRequest request = MakeRequest({feeds.begin(), feeds.end()}, fetches, targets);
    TakeValues(world_.Run(Resolve(request, mode), deadline), outputs);
  });
}

Status ReferenceSession::RunValues(std::span<const ValueFeed> feeds, std::span<const std::string> fetches,
                                   std::span<const std::string> targets, std::vector<Value>* outputs,
                                   const Mode& mode) {
  FirstDriver driver;
  const StepRequest request = MakeRequest({feeds.begin(), feeds.end()}, fetches, targets);
  StepOutcome outcome = std::move(RunTogether({&request, 1}, driver, mode).outcomes[0]);
  if (outcome.status.ok() && outputs != nullptr) *outputs = std::move(outcome.values);
  return outcome.status;
}

Together ReferenceSession::RunTogether(std::span<const StepRequest> requests, Driver& driver, const Mode& mode) {
  Together all;
  std::vector<std::shared_ptr<const Program>> programs;
  for (const StepRequest& request : requests) {
    all.outcomes.push_back({Guarded([&] { programs.push_back(Resolve(request, mode)); }), {}});
  }
  Together ran = world_.RunTogether(programs, driver);
  all.stuck = std::move(ran.stuck);
  auto next = ran.outcomes.begin();
  for (StepOutcome& outcome : all.outcomes) {
    if (outcome.status.ok()) outcome = std::move(*next++);
  }
  return all;
}

std::shared_ptr<const Program> ReferenceSession::Resolve(const StepRequest& request, const Mode& mode) {
  return MakeProgram(CurrentGraph(), request, mode, options_, find_kernel_);
}

std::shared_ptr<const Graph> ReferenceSession::CurrentGraph() {
  CheckOpen();
  MutexLock lock(mutex_);
  Require(graph_ != nullptr, "the session has no graph; call Extend before Run");  // S1
  return graph_;
}

Status ReferenceSession::PartialRunSetup(std::span<const std::string> feeds, std::span<const std::string> fetches,
                                         std::span<const std::string> targets, std::string* handle) {
  return Guarded([&] {
    *handle = partial_runs_.Begin(CurrentGraph(), {feeds.begin(), feeds.end()}, {fetches.begin(), fetches.end()},
                                  {targets.begin(), targets.end()}, options_, find_kernel_);
  });
}

Status ReferenceSession::PartialRun(const std::string& handle, std::span<const Feed> feeds,
                                    std::span<const std::string> fetches, std::vector<Tensor>* outputs) {
  return Guarded([&] {
    CheckOpen();
    TakeValues(partial_runs_.Run(handle, {feeds.begin(), feeds.end()}, {fetches.begin(), fetches.end()}), outputs);
  });
}

Status ReferenceSession::MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) {
  return Guarded([&] {
    const auto graph = CurrentGraph();
    MakeProgram(graph, MakeRequest(FeedsToCome(*graph, feed_names), fetches, targets), {}, options_, find_kernel_);
    auto run = [this, graph, names = MakeRequest({}, fetches, targets)](std::vector<ValueFeed> feeds) {
      CheckOpen();
      const StepRequest request = {std::move(feeds), names.fetches, names.targets};
      return world_.Run(MakeProgram(graph, request, {}, options_, find_kernel_), Deadline(0));
    };
    *callable = std::make_unique<NamedStep>(feed_names, std::move(run));
  });
}

Status ReferenceSession::Reset(std::span<const std::string> containers) {
  return Guarded([&] {
    CheckOpen();
    world_.Reset(containers);
  });
}

Status ReferenceSession::Close() {
  world_.Close();
  return OkStatus();
}

Status ReferenceSession::Save(SavedState* state) {
  return Guarded([&] {
    CheckOpen();
    state->clear();
    world_.Save(*state);
  });
}

Status ReferenceSession::Restore(const SavedState& state) {
  return Guarded([&] {
    CheckOpen();
    world_.Restore(state);
  });
}

void ReferenceSession::CheckOpen() const {
  if (world_.IsClosed()) throw Cancelled("Session has been closed");
}

}  // namespace plumb::reference

namespace plumb {

std::unique_ptr<Session> NewReferenceSession(const SessionOptions& options) {
  return std::make_unique<reference::ReferenceSession>(options);
}

}  // namespace plumb
