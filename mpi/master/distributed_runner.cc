#include "mpi/master/distributed_runner.h"

#include "absl/cleanup/cleanup.h"
#include "fastpath/session/guard.h"

namespace plumb::dist {

Status DistributedRunner::Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                              RunMetadata* metadata) {
  if (members_.empty()) {
    host_->CheckFeeds(feeds);
    return RunStep(options, feeds, outputs, metadata, master_.Begin(others_));
  }
  const void* step = nullptr;
  const Status status = fast::Guard([&] {
    host_->CheckFeeds(feeds);
    const std::shared_ptr<OwnStep> own = master_.Begin(others_);
    step = own->shared_rendezvous().get();
    exchange_.BeginStep(step);
    return RunStep(options, feeds, outputs, metadata, own);
  });
  exchange_.EndStep(step, members_, status);
  return status;
}

Status DistributedRunner::RunStep(const RunOptions& options, std::span<const Tensor> feeds,
                                  std::vector<Tensor>* outputs, RunMetadata* metadata,
                                  const std::shared_ptr<OwnStep>& step) {
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
