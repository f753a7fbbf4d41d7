#include "reference/session.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <unordered_set>

#include "reference/drivers/first.h"
#include "reference/placement.h"
#include "spec/ops/op_def.h"

namespace plumb::reference {
namespace {

// The one place where exceptions become statuses.
template <class F>
Status Guarded(F&& f) {
  try {
    f();
    return OkStatus();
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return Status(Code::kResourceExhausted, "out of memory");
  }
}

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

// A7: the kernels of a step are found, and their attributes checked, before any of them runs.
void CheckKernels(const StepGraph& graph) {
  for (const StepNode& step_node : graph.nodes) {
    if (step_node.rule != Rule::kKernel) continue;
    const Node& node = *step_node.node;
    if (FindKernel(node.op->name) == nullptr) {
      throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel in the reference, for node '",
                     node.name, "'");
    }
    if (const NodeCheck check = FindCheck(node.op->name)) check(node);
  }
}

int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// S4: throws when the time is up.
std::function<void()> Deadline(int64_t timeout_ms) {
  if (timeout_ms <= 0) return [] {};
  const int64_t deadline = Now() + timeout_ms * 1'000'000;
  return [=] {
    if (Now() > deadline) throw Error(Code::kDeadlineExceeded, Str("the step took more than ", timeout_ms, " ms"));
  };
}

class NamedStep : public Session::Callable {
 public:
  NamedStep(Session& session, std::span<const std::string> feeds, std::span<const std::string> fetches,
            std::span<const std::string> targets)
      : session_(session),
        feeds_(feeds.begin(), feeds.end()),
        fetches_(fetches.begin(), fetches.end()),
        targets_(targets.begin(), targets.end()) {}

  Status Run(std::span<const Tensor> feeds, std::vector<Tensor>* outputs) override {
    if (feeds.size() != feeds_.size()) {
      return Status(Code::kInvalidArgument, Str("the callable takes ", feeds_.size(), " feeds, not ", feeds.size()));
    }
    std::vector<Feed> named;
    for (size_t i = 0; i < feeds.size(); ++i) named.emplace_back(feeds_[i], feeds[i]);
    return session_.Run(named, fetches_, targets_, outputs);
  }

 private:
  Session& session_;
  const std::vector<std::string> feeds_, fetches_, targets_;
};

}  // namespace

Status ReferenceSession::Extend(const GraphDef& graph) {
  const std::lock_guard lock(mutex_);
  return Guarded([&] {
    CheckOpen();
    if (graph.nodes.empty() && !graph_) return;  // S1
    GraphDef whole = graph_ ? Merged(def_, graph) : graph;
    Graph loaded = Graph::Load(whole);
    CheckPlacement(loaded, options_);
    graph_ = std::move(loaded);
    def_ = std::move(whole);
  });
}

Status ReferenceSession::Run(const RunOptions& options, std::span<const Feed> feeds,
                             std::span<const std::string> fetches, std::span<const std::string> targets,
                             std::vector<Tensor>* outputs, RunMetadata* metadata) {
  const std::lock_guard lock(mutex_);
  return Guarded([&] {
    Mode mode;
    std::function<void()> stop = Deadline(options.timeout_ms);
    if (options.trace && metadata != nullptr) {
      DeviceStats& device = metadata->step_stats.emplace_back();
      device.device = "/job:localhost/replica:0/task:0/device:CPU:0";
      mode.observer = [&device, start = Now()](const NodeRun& run) mutable {
        const int64_t end = Now();
        if (run.step_node.rule == Rule::kFeed || run.step_node.rule == Rule::kFetch) return;
        device.nodes.push_back({run.node.name, run.node.op->name, start, start, end, 0});
        start = end;
      };
    }
    const std::vector<ValueFeed> values(feeds.begin(), feeds.end());
    std::vector<Value> fetched = RunOrThrow(values, fetches, targets, mode, stop);
    if (outputs == nullptr) return;
    outputs->clear();
    for (Value& value : fetched) outputs->push_back(std::move(value.tensor));
  });
}

Status ReferenceSession::RunValues(std::span<const ValueFeed> feeds, std::span<const std::string> fetches,
                                   std::span<const std::string> targets, std::vector<Value>* outputs,
                                   const Mode& mode) {
  const std::lock_guard lock(mutex_);
  return Guarded([&] {
    std::vector<Value> fetched = RunOrThrow(feeds, fetches, targets, mode, [] {});
    if (outputs != nullptr) *outputs = std::move(fetched);
  });
}

std::vector<Value> ReferenceSession::RunOrThrow(std::span<const ValueFeed> feeds, std::span<const std::string> fetches,
                                                std::span<const std::string> targets, const Mode& mode,
                                                const std::function<void()>& stop) {
  CheckOpen();
  Require(graph_.has_value(), "the session has no graph; call Extend before Run");  // S1
  std::vector<std::string> names;
  std::vector<DType> types;
  std::vector<Value> values;
  for (const auto& [name, value] : feeds) {
    names.push_back(name);
    types.push_back(value.tensor.dtype());
    values.push_back(value);
  }
  const StepGraph graph = Prune(*graph_, names, types, fetches, targets);
  CheckKernels(graph);
  CheckLoopDevices(graph, options_);
  Step step(graph, values, shared_, mode);
  FirstDriver driver;
  return RunStep(step, driver, [&] {
    if (shared_.closed) throw Cancelled("Run call was cancelled");  // S2
    stop();
  });
}

Status ReferenceSession::MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) {
  *callable = std::make_unique<NamedStep>(*this, feed_names, fetches, targets);
  return OkStatus();
}

Status ReferenceSession::Reset(std::span<const std::string> containers) {
  const std::lock_guard lock(mutex_);
  return Guarded([&] {
    CheckOpen();
    if (containers.empty()) shared_.resources.Clear(kDefaultContainer);
    for (const std::string& container : containers) shared_.resources.Clear(container);
  });
}

Status ReferenceSession::Close() {
  shared_.closed = true;
  return OkStatus();
}

void ReferenceSession::CheckOpen() const {
  if (shared_.closed) throw Cancelled("Session has been closed");
}

}  // namespace plumb::reference

namespace plumb {

std::unique_ptr<Session> NewReferenceSession(const SessionOptions& options) {
  return std::make_unique<reference::ReferenceSession>(options);
}

}  // namespace plumb
