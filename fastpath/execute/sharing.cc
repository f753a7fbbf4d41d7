// How several threads share one step.
#include <algorithm>

#include "fastpath/execute/run_state.h"

namespace plumb::fast {
namespace {

// For heaps: the node that comes first in the plan is on top.
bool IsLessUrgent(const ReadyNode& a, const ReadyNode& b) { return a.node > b.node; }

}  // namespace

std::unique_ptr<WorkerBuffers> RunState::TakeBuffers() {
  {
    std::lock_guard lock(queue_mutex_);
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
  std::lock_guard lock(queue_mutex_);
  spare_buffers_.push_back(std::move(buffers));
}

void RunState::Share(std::vector<ReadyNode>& nodes, bool has_other_work) {
  int wanted;
  {
    std::lock_guard lock(queue_mutex_);
    for (const ReadyNode& node : nodes) {
      queue_.push_back(node);
      std::push_heap(queue_.begin(), queue_.end(), IsLessUrgent);
    }
    // The sharing thread takes one itself, unless it has something else to do first.
    const int to_give = static_cast<int>(queue_.size()) - (has_other_work ? 0 : 1);
    const int others = context_.pool.threads() - active_workers_ - helpers_sent_;
    wanted = std::clamp(std::min(to_give - helpers_sent_, others), 0, context_.pool.threads());
    helpers_sent_ += wanted;
  }
  nodes.clear();
  for (int i = 0; i < wanted; ++i) helper_source_->SendHelper(*this);
}

bool RunState::TakeShared(ReadyNode* node) {
  {
    std::lock_guard lock(queue_mutex_);
    if (stopped()) queue_.clear();
    if (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end(), IsLessUrgent);
      *node = queue_.back();
      queue_.pop_back();
      return true;
    }
    if (--active_workers_ > 0) return false;
    finished_.store(true, std::memory_order_release);
  }
  context_.pool.WakeAll();
  return false;
}

bool RunState::Join() {
  std::lock_guard lock(queue_mutex_);
  --helpers_sent_;
  if (queue_.empty()) return false;
  ++active_workers_;
  return true;
}

}  // namespace plumb::fast
