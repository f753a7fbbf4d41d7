#include "fastpath/execute/partitioned_executor.h"

#include <iterator>
#include <utility>

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

}  // namespace

Status PartitionedExecutor::Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                                RunMetadata* metadata) {
  parts_[0].executor->CheckFeeds(feeds);
  const int64_t step_id = environment_.next_step_id.fetch_add(1, std::memory_order_relaxed);
  const bool trace = options.trace && metadata != nullptr;
  const auto parts = std::make_shared<StepParts>(parts_.size(), environment_.pool);
  const auto traced = std::make_shared<std::vector<RunMetadata>>(parts_.size());
  const auto run_of = [&](size_t part) {
    return PartitionRun{step_id, parts->rendezvous(), &parts->cancellation(), trace ? &(*traced)[part] : nullptr,
                        parts,   parts_[part].device};
  };
  for (size_t i = 1; i < parts_.size(); ++i) {
    parts->Begin();
    parts_[i].executor->RunAsync(run_of(i), [parts, traced](const Status& status) { parts->End(status); });
  }
  const Status status = parts_[0].executor->RunWith(run_of(0), options, feeds, outputs);
  if (trace) *metadata = Joined(std::move(*traced));
  return status;
}

}  // namespace plumb::fast
