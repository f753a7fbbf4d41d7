#include "fastpath/execute/partitioned_executor.h"

#include <utility>

namespace plumb::fast {
namespace {

// One step, while its parts run.
class Parts {
 public:
  Parts(size_t count, ThreadPool& pool)
      : pool_(pool), rendezvous_(std::make_shared<LocalRendezvous>(static_cast<int64_t>(count))), metadata_(count) {}

  PartitionRun RunOf(size_t part, int64_t step_id, bool trace) {
    return {step_id, rendezvous_, &cancellation_, trace ? &metadata_[part] : nullptr};
  }
  void Begin() { running_.fetch_add(1, std::memory_order_relaxed); }
  void End(const Status& status) {
    Note(status);
    ThreadPool& pool = pool_;  // whoever waits may go as soon as the count has fallen
    running_.fetch_sub(1, std::memory_order_acq_rel);
    pool.WakeAll();
  }
  // The first failure stops the others.
  void Note(const Status& status) {
    if (status.ok()) return;
    {
      MutexLock lock(mutex_);
      if (!failed_.ok()) return;
      failed_ = status;
    }
    rendezvous_->Abort(status);
    cancellation_.Cancel();
  }
  Status Await(const Status& own) {
    Note(own);
    pool_.HelpUntil([this] { return running_.load(std::memory_order_acquire) == 0; });
    MutexLock lock(mutex_);
    return failed_;
  }
  RunMetadata TakeMetadata() {
    RunMetadata all = std::move(metadata_[0]);
    for (size_t part = 1; part < metadata_.size(); ++part) {
      for (size_t device = 0; device < all.step_stats.size(); ++device) {
        auto& from = metadata_[part].step_stats[device].nodes;
        auto& to = all.step_stats[device].nodes;
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
      }
    }
    return all;
  }

 private:
  ThreadPool& pool_;
  const std::shared_ptr<LocalRendezvous> rendezvous_;
  Cancellation cancellation_;
  std::vector<RunMetadata> metadata_;
  std::atomic<int> running_{0};
  Mutex mutex_;
  Status failed_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace

Status PartitionedExecutor::Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                                RunMetadata* metadata) {
  parts_[0]->CheckFeeds(feeds);
  const int64_t step_id = environment_.next_step_id.fetch_add(1, std::memory_order_relaxed);
  const bool trace = options.trace && metadata != nullptr;
  const auto parts = std::make_shared<Parts>(parts_.size(), environment_.pool);
  for (size_t i = 1; i < parts_.size(); ++i) {
    parts->Begin();
    parts_[i]->RunAsync(parts->RunOf(i, step_id, trace), [parts](const Status& status) { parts->End(status); });
  }
  const Status status = parts_[0]->RunWith(
      parts->RunOf(0, step_id, trace), options, feeds, [&](const Status& own) { return parts->Await(own); }, outputs);
  if (trace) *metadata = parts->TakeMetadata();
  return status;
}

}  // namespace plumb::fast
