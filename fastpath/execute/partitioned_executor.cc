#include "fastpath/execute/partitioned_executor.h"

#include <iterator>
#include <optional>
#include <utility>

#include "fastpath/device/section.h"
#include "fastpath/device/traces_streams.h"
#include "fastpath/execute/step_parts.h"

namespace plumb::fast {
namespace {

// What the parts wrote down, device by device.
RunMetadata Joined(std::vector<RunMetadata> parts) {
  RunMetadata all = std::move(parts[0]);
  for (size_t part = 1; part < parts.size(); ++part) {
    for (size_t device = 0; device < all.step_stats.size(); ++device) {
      auto& from = parts[part].step_stats[device].nodes;
      auto& to = all.step_stats[device].nodes;
      to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    }
  }
  return all;
}

// What streams of the devices of the parts do while a step runs.
class StreamTraces {
 public:
  StreamTraces(const std::vector<PartitionedExecutor::Part>& parts, int64_t step_id) : step_id_(step_id) {
    for (const PartitionedExecutor::Part& part : parts) {
      if (auto* const device = dynamic_cast<TracesStreams*>(part.device); device != nullptr) devices_.push_back(device);
    }
    for (TracesStreams* const device : devices_) device->BeginTrace(step_id_);
  }
  ~StreamTraces() { End(); }
  StreamTraces(const StreamTraces&) = delete;
  StreamTraces& operator=(const StreamTraces&) = delete;

  void AddTo(RunMetadata& metadata) {
    for (DeviceStats& line : End()) metadata.step_stats.push_back(std::move(line));
  }

 private:
  std::vector<DeviceStats> End() {
    std::vector<DeviceStats> all;
    for (TracesStreams* const device : std::exchange(devices_, {})) {
      for (DeviceStats& line : device->EndTrace(step_id_)) all.push_back(std::move(line));
    }
    return all;
  }

  const int64_t step_id_;
  std::vector<TracesStreams*> devices_;
};

// A step in which no part is launched as one, for as long as this lives.
class PlainStep {
 public:
  PlainStep(const std::vector<PartitionedExecutor::Part>& parts, int64_t step_id) : step_id_(step_id) {
    for (const PartitionedExecutor::Part& part : parts) {
      if (auto* const device = dynamic_cast<TakesSections*>(part.device); device != nullptr) devices_.push_back(device);
    }
    for (TakesSections* const device : devices_) device->BeginPlainStep(step_id_);
  }
  ~PlainStep() {
    for (TakesSections* const device : devices_) device->EndPlainStep(step_id_);
  }
  PlainStep(const PlainStep&) = delete;
  PlainStep& operator=(const PlainStep&) = delete;

 private:
  const int64_t step_id_;
  std::vector<TakesSections*> devices_;
};

}  // namespace

// The other parts first, then the host's, here. Where that is over at once, a single other part is run here as well: to
// hand it over takes longer, and nobody else would have anything to do.
Status PartitionedExecutor::Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                                RunMetadata* metadata) {
  parts_[0].executor->CheckFeeds(feeds);
  const bool trace = options.trace && metadata != nullptr;
  const auto traced = trace ? std::make_shared<std::vector<RunMetadata>>(parts_.size()) : nullptr;
  const int64_t step_id = environment_.next_step_id.fetch_add(1, std::memory_order_relaxed);
  std::optional<PlainStep> plain;
  if (!options.gpu_graphs) plain.emplace(parts_, step_id);
  std::optional<StreamTraces> copies;
  if (trace) copies.emplace(parts_, step_id);
  const auto parts = std::make_shared<StepParts>(parts_.size(), environment_.pool);
  const auto run_of = [&](size_t part) {
    return PartitionRun{
        step_id, parts->rendezvous(), &parts->cancellation(), traced == nullptr ? nullptr : &(*traced)[part],
        parts,   parts_[part].device};
  };
  const Executor& host = *parts_[0].executor;
  const bool is_over_at_once = host.plan().nodes.empty() || host.is_brief();
  const bool is_helped = parts_.size() == 2 && is_over_at_once && environment_.forced_sharing == 0;
  for (size_t i = 1; i < parts_.size(); ++i) {
    parts->Begin();
    PartitionRun run = run_of(i);
    run.is_helped = is_helped;
    parts_[i].executor->RunAsync(run, [parts, traced](const Status& status) { parts->End(status); });
  }
  const Status status = parts_[0].executor->RunWith(run_of(0), options, feeds, outputs);
  parts->step_resources()->ClearAll();
  if (trace) {
    *metadata = Joined(std::move(*traced));
    copies->AddTo(*metadata);
  }
  return status;
}

// Under a number of its own, by which devices know what is queued for it: the step around it has its own there.
void PartitionedExecutor::RunInside(AsyncContext& call, AsyncKernel::Done done) {
  const auto inside = StepInside::Begin(call, std::move(done), parts_.size(), environment_.pool);
  if (inside == nullptr) return;
  const int64_t step_id = environment_.next_step_id.fetch_add(1, std::memory_order_relaxed);
  for (size_t i = 1; i < parts_.size(); ++i) {
    parts_[i].executor->RunAsync(inside->RunOf(step_id, parts_[i].device),
                                 [inside](const Status& status) { inside->EndPart(status); });
  }
  parts_[0].executor->RunAsyncInside(inside->RunOf(step_id, nullptr), inside);
}

std::shared_ptr<StepRunner> NewRunner(const std::vector<std::shared_ptr<const Plan>>& plans, const DeviceSet& devices,
                                      StepEnvironment& environment) {
  std::vector<PartitionedExecutor::Part> parts;
  for (const auto& plan : plans) {
    if (!parts.empty() && plan->nodes.empty()) continue;  // a constant that the other parts have copies of
    Device* const device = parts.empty() ? nullptr : &devices[plan->info.at(0).device];
    parts.push_back({std::make_shared<Executor>(plan, environment), device});
  }
  if (parts.size() == 1) return parts[0].executor;
  return std::make_shared<PartitionedExecutor>(std::move(parts), environment);
}

}  // namespace plumb::fast
