#include "fastpath/execute/run_state.h"

#include <algorithm>
#include <cstring>

#include "fastpath/execute/step_parts.h"

namespace plumb::fast {

RunState::RunState(std::shared_ptr<const Plan> plan, ThreadPool& pool, ResourceManager& resources,
                   ResourceManager* outer_resources)
    : plan_(std::move(plan)),
      pool_(pool),
      resources_(resources),
      outer_resources_(outer_resources),
      fetched_(plan_->fetch_names.size()),
      free_iterations_(plan_->frames.size(), nullptr),
      free_frames_(plan_->frames.size()) {
  root_.plan = &plan_->frames[0];
  own_buffers_.outputs.resize(plan_->max_outputs);
  root_.is_active = true;
}

void RunState::Begin(int64_t step_id, std::shared_ptr<Rendezvous> rendezvous, std::shared_ptr<StepParts> parts) {
  rendezvous_ = std::move(rendezvous);
  parts_ = std::move(parts);
  ResourceManager* const shared = parts_ == nullptr ? nullptr : parts_->step_resources();
  ResourceManager& of_step = shared != nullptr ? *shared : is_inside() ? *outer_resources_ : own_resources_;
  context_.emplace(StepContext{pool_, resources_, of_step, step_id, &stop_, &cancellation_});
  if (parts_ != nullptr) parts_->Add(*this);
  root_.num_iterations = 0;
  root_.oldest = root_.newest = nullptr;
  first_iteration_ = NewIteration(root_, 0);
  root_.oldest = root_.newest = first_iteration_;
  root_.num_iterations = 1;
}

void RunState::End() {
  if (parts_ != nullptr) parts_->Remove(*this);
  parts_ = nullptr;
  const bool may_leave_values = stopped() || plan_->frames.size() > 1 || !plan_->frames[0].merges.empty() ||
                                plan_->frames[0].counts_work || plan_->has_async_kernels;
  if (may_leave_values) {
    // Frames that never completed (X24) or were stopped keep their blocks: take everything back.
    for (auto& instance : instances_) {
      if (instance->is_active) Recycle(instance.get());
    }
    free_iterations_.assign(plan_->frames.size(), nullptr);
    for (auto& iteration : iterations_) {
      ClearSlots(*iteration);
      Iteration*& head = free_iterations_[iteration->frame->index];
      iteration->next = head;
      head = iteration.get();
    }
    root_.waiting.clear();
    root_.dead_exits.clear();
  } else {
    Recycle(root_.oldest);
  }
  if (plan_->has_stateful_kernels) own_resources_.ClearAll();
  for (Entry& fetched : fetched_) fetched = Entry();
  rendezvous_ = nullptr;
}

void RunState::Rearm() {
  if (!stop_.exchange(false, std::memory_order_seq_cst)) return;
  cancellation_.Reset();
  MutexLock lock(status_mutex_);
  status_ = Status();
}

void RunState::Fail(Status status) {
  {
    MutexLock lock(status_mutex_);
    if (status_.ok()) status_ = std::move(status);
  }
  const bool is_first = !stop_.exchange(true, std::memory_order_seq_cst);
  cancellation_.Cancel();
  if (is_first) StopCalls();
}

Status RunState::status() {
  if (!stopped()) return Status();
  MutexLock lock(status_mutex_);
  return status_;
}

Iteration* RunState::NewIteration(FrameInstance& frame, int64_t number, bool is_shared) {
  const PlanFrame& plan = *frame.plan;
  Iteration* iteration = nullptr;
  {
    MutexLockIf lock(pool_mutex_, is_shared);
    Iteration*& head = free_iterations_[frame.index];
    if (head != nullptr) {
      iteration = head;
      head = head->next;
    } else {
      iterations_.push_back(std::make_unique<Iteration>());
      iteration = iterations_.back().get();
    }
  }
  if (iteration->slots == nullptr) Build(*iteration, plan);
  iteration->frame = &frame;
  const Iteration* const outer = frame.parent_iteration;
  iteration->place = {outer == nullptr ? nullptr : &outer->place, plan.name, number};
  iteration->next = nullptr;
  iteration->outstanding.store(0, std::memory_order_relaxed);
  ResetCounts(*iteration);
  return iteration;
}

// Nobody else sees the block yet.
void RunState::Build(Iteration& iteration, const PlanFrame& plan) PLUMB_NO_THREAD_SAFETY_ANALYSIS {
  iteration.pending = std::make_unique<std::atomic<uint32_t>[]>(plan.pending.size());
  iteration.merges = std::make_unique<std::atomic<uint64_t>[]>(plan.merges.size());
  iteration.children = std::make_unique<FrameInstance*[]>(plan.num_children);
  iteration.slots = std::make_unique<Entry[]>(plan.num_slots);
  for (const ConstantSlot& constant : plan.constants) iteration.slots[constant.slot].tensor = constant.value;
}

// Nor here.
void RunState::ResetCounts(Iteration& iteration) PLUMB_NO_THREAD_SAFETY_ANALYSIS {
  const PlanFrame& plan = *iteration.frame->plan;
  static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t) && sizeof(std::atomic<uint64_t>) == sizeof(uint64_t));
  const auto copy = [](auto* to, const auto& image) {
    if (!image.empty()) std::memcpy(static_cast<void*>(to), image.data(), image.size() * sizeof(image[0]));
  };
  copy(iteration.pending.get(), plan.pending);
  copy(iteration.merges.get(), plan.merges);
  std::fill_n(iteration.children.get(), plan.num_children, nullptr);
}

void RunState::ClearSlots(Iteration& iteration) {
  const PlanFrame& plan = *iteration.frame->plan;
  for (uint32_t slot = 0; slot < plan.num_slots; ++slot) {
    if (!plan.is_constant_slot[slot]) iteration.slots[slot] = Entry();
  }
}

void RunState::Recycle(Iteration* iteration, bool is_shared) {
  MutexLockIf lock(pool_mutex_, is_shared);
  Iteration*& head = free_iterations_[iteration->frame->index];
  iteration->next = head;
  head = iteration;
}

FrameInstance* RunState::NewFrame(uint32_t index, FrameInstance* parent, Iteration* parent_iteration,
                                  int64_t parallel_iterations) {
  FrameInstance* frame = nullptr;
  {
    MutexLock lock(pool_mutex_);
    auto& free = free_frames_[index];
    if (!free.empty()) {
      frame = free.back();
      free.pop_back();
    } else {
      instances_.push_back(std::make_unique<FrameInstance>());
      frame = instances_.back().get();
    }
  }
  MutexLock lock(frame->mutex);
  frame->plan = &plan_->frames[index];
  frame->index = index;
  frame->parent = parent;
  frame->parent_iteration = parent_iteration;
  frame->parallel_iterations = parallel_iterations;
  frame->pending_enters = frame->plan->enters;
  frame->is_active = true;
  frame->oldest = frame->newest = NewIteration(*frame, 0);
  frame->num_iterations = 1;
  return frame;
}

void RunState::Recycle(FrameInstance* frame) {
  frame->is_active = false;
  frame->invariants.clear();
  frame->waiting.clear();
  frame->dead_exits.clear();
  frame->live_exits.clear();
  MutexLock lock(pool_mutex_);
  free_frames_[frame->index].push_back(frame);
}

void RunState::SetFetch(const PlanNode& node, const Entry& fetched) {
  // Only inside a frame may a fetch run twice, and on several threads.
  MutexLockIf lock(status_mutex_, node.frame != 0);
  Entry& place = fetched_[node.argument];
  if (place.tensor.IsSet())
    throw Internal("the value of the fetch '", plan_->fetch_names[node.argument], "' has already been set");
  place = fetched;
}

}  // namespace plumb::fast
