// Frames and iterations: rules X13–X30. Part of worker.h.
#pragma once

#include <algorithm>

#include "fastpath/execute/propagation.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// X13: the first Enter to arrive in an iteration makes the child frame, dead or not.
template <bool kShared>
FrameInstance& Worker<kShared>::ChildFrame(const PlanNode& node, Iteration& at) {
  MutexLockIf lock(at.frame->mutex, kShared);
  FrameInstance*& child = at.children[plan_.frames[node.argument].child_index];
  if (child == nullptr) {
    child = state_.NewFrame(node.argument, at.frame, &at, InfoOf(node).parallel_iterations);
    AddOutstanding(at, 1);  // rule X30
  }
  return *child;
}

template <bool kShared>
void Worker<kShared>::RunEnter(const PlanNode& node, Iteration& at, bool is_dead, Entry* inputs) {
  FrameInstance& child = ChildFrame(node, at);
  bool all_arrived;
  {
    MutexLockIf lock(child.mutex, kShared);
    Entry value;
    if (!is_dead) value = std::move(MoveableInput(node, at, inputs));
    if (node.is_constant_enter) {
      // X16: to every iteration started so far, and later to each new one.
      child.invariants.push_back({static_cast<uint32_t>(&node - plan_.nodes.data()), is_dead, std::move(value)});
      for (Iteration* it = child.oldest; it != nullptr; it = it->next) SendCopy(child.invariants.back(), *it);
    } else {
      Send(node, *child.oldest, is_dead, [&](uint32_t) { return &value; });
    }
    all_arrived = --child.pending_enters == 0;
  }
  if (all_arrived) RetireIterations(&child);
}

template <bool kShared>
void Worker<kShared>::RunExit(const PlanNode& node, Iteration& at, bool is_dead, Entry* inputs) {
  FrameInstance& frame = *at.frame;
  if (!is_dead) {
    // X19: at once, not at the end of the loop. One that is wired wrongly may come here again: the first value stands.
    if (!SendsFirst(frame, node)) return;
    Entry& value = MoveableInput(node, at, inputs);
    return Send(node, *frame.parent_iteration, false, [&](uint32_t) { return &value; });
  }
  // X20: remembered only if no later iteration has started.
  MutexLockIf lock(frame.mutex, kShared);
  if (&at == frame.newest) frame.dead_exits.push_back(static_cast<uint32_t>(&node - plan_.nodes.data()));
}

template <bool kShared>
bool Worker<kShared>::SendsFirst(FrameInstance& frame, const PlanNode& exit) {
  const auto position = static_cast<uint32_t>(&exit - plan_.nodes.data());
  MutexLockIf lock(frame.mutex, kShared);
  if (std::find(frame.live_exits.begin(), frame.live_exits.end(), position) != frame.live_exits.end()) return false;
  frame.live_exits.push_back(position);
  return true;
}

template <bool kShared>
void Worker<kShared>::RunNextIteration(const PlanNode& node, Iteration& at, bool is_dead, Entry* inputs) {
  if (is_dead) return;  // rule X18
  FrameInstance& frame = *at.frame;
  Entry& value = MoveableInput(node, at, inputs);
  Iteration* next;
  {
    MutexLockIf lock(frame.mutex, kShared);
    next = at.next;
    if (next == nullptr) {
      if (frame.num_iterations >= frame.parallel_iterations) {
        // X17: it waits until the oldest iteration ends.
        frame.waiting.push_back({static_cast<uint32_t>(&node - plan_.nodes.data()), false, std::move(value)});
        return;
      }
      next = &StartIteration(frame);
    }
  }
  Send(node, *next, false, [&](uint32_t) { return &value; });
}

template <bool kShared>
Iteration& Worker<kShared>::StartIteration(FrameInstance& frame) {
  frame.dead_exits.clear();
  Iteration* next = state_.NewIteration(frame, frame.newest->place.number + 1, kShared);
  frame.newest->next = next;
  frame.newest = next;
  ++frame.num_iterations;
  for (const HeldToken& invariant : frame.invariants) SendCopy(invariant, *next);
  return *next;
}

// One node of `at` finished. The subtraction is put off while this thread stays in the iteration.
template <bool kShared>
inline void Worker<kShared>::NodeDone(Iteration& at) {
  if (!at.frame->plan->counts_work) return;
  if (done_in_ != &at) {
    FlushDone();
    done_in_ = &at;
  }
  ++done_;
}

template <bool kShared>
void Worker<kShared>::FlushDone() {
  if (done_ == 0) return;
  Iteration& at = *done_in_;
  FrameInstance* frame = at.frame;  // after the subtraction another thread may recycle the iteration
  const int64_t done = std::exchange(done_, 0);
  if constexpr (kShared) {
    if (at.outstanding.fetch_sub(done, std::memory_order_acq_rel) == done) RetireIterations(frame);
  } else {
    const int64_t left = at.outstanding.load(std::memory_order_relaxed) - done;
    at.outstanding.store(left, std::memory_order_relaxed);
    if (left == 0) RetireIterations(frame);
  }
}

// Retires what is done, from the oldest on (X22), and completes frames, from the inner to the outer (X23).
template <bool kShared>
void Worker<kShared>::RetireIterations(FrameInstance* frame) {
  for (;;) {
    std::vector<uint32_t> dead_exits;
    FrameInstance* parent;
    Iteration* parent_iteration;
    {
      MutexLockIf lock(frame->mutex, kShared);
      if (!frame->is_active || frame->pending_enters > 0) return;
      while (frame->oldest != nullptr && frame->oldest->outstanding.load(std::memory_order_acquire) == 0) {
        if (!RetireOldest(*frame)) break;
      }
      if (frame->oldest != nullptr || frame->parent == nullptr) return;
      dead_exits.swap(frame->dead_exits);
      for (const uint32_t exit : frame->live_exits) std::erase(dead_exits, exit);
      parent = frame->parent;
      parent_iteration = frame->parent_iteration;
      state_.Recycle(frame);
    }
    for (const uint32_t exit : dead_exits) {
      Send(plan_.nodes[exit], *parent_iteration, true, [](uint32_t) { return nullptr; });
    }
    if (!parent->plan->counts_work) return;
    if (parent_iteration->outstanding.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    frame = parent;
  }
}

// False when the root's last iteration stays. Tokens that waited start the next one.
template <bool kShared>
bool Worker<kShared>::RetireOldest(FrameInstance& frame) {
  Iteration* oldest = frame.oldest;
  if (!frame.waiting.empty()) StartIteration(frame);
  std::vector<HeldToken> released;
  released.swap(frame.waiting);
  for (const HeldToken& token : released) SendCopy(token, *frame.newest);
  if (oldest == frame.newest && frame.parent == nullptr) return false;
  frame.oldest = oldest->next;
  if (frame.oldest == nullptr) frame.newest = nullptr;
  --frame.num_iterations;
  state_.Recycle(oldest, kShared);
  return true;
}

}  // namespace plumb::fast
