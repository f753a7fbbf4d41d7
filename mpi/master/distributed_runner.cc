#include "mpi/master/distributed_runner.h"

#include "absl/cleanup/cleanup.h"

namespace plumb::dist {

Status DistributedRunner::Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                              RunMetadata* metadata) {
  host_->CheckFeeds(feeds);
  const std::shared_ptr<OwnStep> step = master_.Begin(others_);
  const auto end = absl::MakeCleanup([&] { master_.End(step); });
  const fast::PartitionRun run{step->number(),
                               step->shared_rendezvous(),
                               &step->parts()->cancellation(),
                               options.trace ? metadata : nullptr,
                               step->parts(),
                               nullptr};
  return host_->RunWith(run, options, feeds, outputs);
}

}  // namespace plumb::dist
