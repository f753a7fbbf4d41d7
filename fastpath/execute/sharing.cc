// How several threads share one step.
#include <algorithm>

#include "fastpath/execute/run_state.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {
namespace {

// For heaps: the node that comes first in the plan is on top.
bool IsLessUrgent(const ReadyNode& a, const ReadyNode& b) { return a.node > b.node; }

}  // namespace

void RunState::BeginSharing(HelperSource* source) {
  MutexLock lock(queue_mutex_);
  helper_source_ = source;
  joinable_step_ = context_->step_id;
  active_workers_ = 1;
  helpers_sent_ = 0;
  finished_.store(false, std::memory_order_relaxed);
}

std::unique_ptr<WorkerBuffers> RunState::TakeBuffers() {
  {
    MutexLock lock(queue_mutex_);
    if (!spare_buffers_.empty()) {
      auto buffers = std::move(spare_buffers_.back());
      spare_buffers_.pop_back();
      return buffers;
    }
  }
  auto buffers = std::make_unique<WorkerBuffers>();
  buffers->outputs.resize(plan_->max_outputs);
  return buffers;
}

void RunState::GiveBack(std::unique_ptr<WorkerBuffers> buffers) {
  MutexLock lock(queue_mutex_);
  spare_buffers_.push_back(std::move(buffers));
}

void RunState::Share(std::vector<ReadyNode>& nodes) {
  int wanted;
  {
    MutexLock lock(queue_mutex_);
    for (const ReadyNode& node : nodes) {
      queue_.push_back(node);
      std::push_heap(queue_.begin(), queue_.end(), IsLessUrgent);
    }
    // The sharing thread has something else to do first.
    const int to_give = static_cast<int>(queue_.size()) - helpers_sent_;
    const int others = context_->pool.threads() - active_workers_ - helpers_sent_;
    wanted = std::clamp(std::min(to_give, others), 0, context_->pool.threads());
    helpers_sent_ += wanted;
  }
  nodes.clear();
  for (int i = 0; i < wanted; ++i) helper_source_->SendHelper(*this, context_->step_id);
}

ReadyNode RunState::TakeMostUrgent(std::vector<ReadyNode>& nodes) {
  std::iter_swap(std::max_element(nodes.begin(), nodes.end(), IsLessUrgent), nodes.end() - 1);
  const ReadyNode node = nodes.back();
  nodes.pop_back();
  return node;
}

RunState::SharedWork RunState::TakeShared() {
  std::vector<CallHandle> dropped;  // destroyed after the lock is released
  std::shared_ptr<Rendezvous> rendezvous;
  bool is_over;
  {
    MutexLock lock(queue_mutex_);
    if (stopped()) {
      queue_.clear();
      dropped.swap(finished_calls_);
      EndWork(static_cast<int64_t>(dropped.size()));
    }
    if (!finished_calls_.empty()) {
      SharedWork work{std::nullopt, std::move(finished_calls_.back())};
      finished_calls_.pop_back();
      EndWork(1);
      return work;
    }
    if (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end(), IsLessUrgent);
      SharedWork work{queue_.back(), nullptr};
      queue_.pop_back();
      return work;
    }
    if (--active_workers_ > 0) return {};
    is_over = calls_.empty();
    if (is_over) joinable_step_ = 0;
    rendezvous = rendezvous_;
  }
  // Not under the lock: others may get answers of it. It outlives the step, which may end in between.
  if (rendezvous != nullptr) rendezvous->EndWork(1);
  if (!is_over) return {};
  finished_.store(true, std::memory_order_release);
  context_->pool.WakeAll();
  return {};
}

// Never the last work of the partition: the calling thread counts as well.
void RunState::EndWork(int64_t count) {
  if (rendezvous_ != nullptr && count > 0) rendezvous_->EndWork(count);
}

std::unique_ptr<AsyncStep> RunState::TakeAsyncStep() {
  if (!finished()) return nullptr;
  MutexLock lock(queue_mutex_);
  return std::move(async_step_);
}

bool RunState::Join(int64_t step_id) {
  MutexLock lock(queue_mutex_);
  if (step_id != joinable_step_) return false;
  --helpers_sent_;
  if (queue_.empty() && finished_calls_.empty()) return false;
  if (active_workers_++ == 0 && rendezvous_ != nullptr) rendezvous_->BeginWork(1);
  references.fetch_add(1, std::memory_order_relaxed);  // the step is not over, so its own reference is still there
  return true;
}

}  // namespace plumb::fast
