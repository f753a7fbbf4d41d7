// Sending tokens along out-edges: rules X1–X5, X32, X33. Part of worker.h.
#pragma once

#include "fastpath/execute/worker.h"

namespace plumb::fast {

// Read-modify-write on a count: a real atomic operation only where other threads take part.
template <bool kShared, class T, class Change>
T Update(std::atomic<T>& word, const Change& change) {
  T old = word.load(std::memory_order_acquire);
  if constexpr (kShared) {
    while (!word.compare_exchange_weak(old, change(old), std::memory_order_acq_rel, std::memory_order_acquire)) {
    }
  } else {
    word.store(change(old), std::memory_order_relaxed);
  }
  return old;
}

// Counts one token; true when it was the last.
template <bool kShared>
PLUMB_HOT inline bool CountToken(std::atomic<uint32_t>& pending, bool is_dead) {
  if constexpr (kShared) {
    if (is_dead) pending.fetch_or(1, std::memory_order_relaxed);
    return pending.fetch_sub(2, std::memory_order_acq_rel) < 4;
  } else {
    const uint32_t left = (pending.load(std::memory_order_relaxed) | (is_dead ? 1 : 0)) - 2;
    pending.store(left, std::memory_order_relaxed);
    return left < 2;
  }
}

inline void Clear(Entry& entry) {
  entry.tensor.Reset();
  entry.ref.reset();
}

inline bool HasValue(const Entry& entry) { return entry.tensor.IsSet() || entry.ref != nullptr; }

template <bool kShared>
template <class ValueOf>
inline void Worker<kShared>::Send(const PlanNode& node, Iteration& to, bool is_dead, const ValueOf& value_of) {
  const PlanEdge* edge = plan_.edges.data() + node.first_edge;
  const PlanEdge* const end = edge + node.num_edges;
  for (; edge != end && edge->slot != PlanEdge::kControl; ++edge) {
    Entry* value = is_dead ? nullptr : value_of(edge->output);
    if (value == nullptr) {
      DeliverDead(*edge, to, node.kind == NodeKind::kEnter);
    } else if (edge->is_last) {
      DeliverValue(*edge, to, *value);
    } else {
      DeliverCopy(*edge, to, *value);
    }
  }
  for (; edge != end; ++edge) DeliverControl(*edge, to, is_dead);
  AddOutstanding(to, made_ready_);
  made_ready_ = 0;
  ShareReady();
}

template <bool kShared>
void Worker<kShared>::SendCopy(const HeldToken& token, Iteration& to) {
  Entry copy = token.value;
  Send(plan_.nodes[token.node], to, token.is_dead, [&](uint32_t) { return &copy; });
}

template <bool kShared>
inline void Worker<kShared>::Count(const PlanEdge& edge, Iteration& to, bool is_dead) {
  if (CountToken<kShared>(to.pending[edge.pending], is_dead)) MakeReady(edge.consumer, to);
}

template <bool kShared>
inline void Worker<kShared>::DeliverValue(const PlanEdge& edge, Iteration& to, Entry& value) {
  if (edge.to_merge) [[unlikely]]
    return ValueToMerge(edge, to, value);
  Entry& slot = to.slots[edge.slot];
  slot.tensor = std::move(value.tensor);
  if (edge.carries_ref) [[unlikely]]
    slot.ref = std::move(value.ref);
  Count(edge, to, false);
}

template <bool kShared>
inline void Worker<kShared>::DeliverCopy(const PlanEdge& edge, Iteration& to, const Entry& value) {
  if (edge.to_merge || edge.carries_ref) [[unlikely]] {
    Entry copy = value;
    return DeliverValue(edge, to, copy);
  }
  to.slots[edge.slot].tensor = value.tensor;
  Count(edge, to, false);
}

template <bool kShared>
inline void Worker<kShared>::DeliverDead(const PlanEdge& edge, Iteration& to, bool from_enter) {
  if (edge.to_merge) return DeadToMerge(edge, to, from_enter);
  Count(edge, to, true);
}

template <bool kShared>
inline void Worker<kShared>::DeliverControl(const PlanEdge& edge, Iteration& to, bool is_dead) {
  if (edge.to_merge) [[unlikely]]
    return ControlToMerge(edge, to);
  Count(edge, to, is_dead);
}

// X32: a Merge is live as soon as all control tokens and one live input are there; dead when all inputs are dead. Dead
// control tokens count like live ones.
template <bool kShared>
void Worker<kShared>::ControlToMerge(const PlanEdge& edge, Iteration& to) {
  using State = MergeState;
  const uint64_t old =
      Update<kShared>(to.merges[edge.pending], [](uint64_t state) { return state - State::kOneControl; });
  const bool is_decided = State::Winner(old) != 0 || State::Dead(old) == plan_.nodes[edge.consumer].num_inputs;
  if (State::Controls(old) == 1 && is_decided) MakeReady(edge.consumer, to);
}

// X33: a dead Enter makes the Merge dead at once, unless control tokens are missing.
template <bool kShared>
void Worker<kShared>::DeadToMerge(const PlanEdge& edge, Iteration& to, bool from_enter) {
  using State = MergeState;
  const uint32_t inputs = plan_.nodes[edge.consumer].num_inputs;
  const auto fires = [&](uint64_t state) {
    return State::Controls(state) == 0 && State::Winner(state) == 0 && (from_enter || State::Dead(state) + 1 == inputs);
  };
  const uint64_t old = Update<kShared>(to.merges[edge.pending], [&](uint64_t state) {
    return state + State::kOneDead + (fires(state) ? State::kFiredDead : uint64_t{0});
  });
  if (fires(old)) MakeReady(edge.consumer, to);
}

// X34: the first value to arrive wins. It claims the Merge before it goes into its slot, because in a graph that is
// wired wrongly one edge may bring several values.
template <bool kShared>
void Worker<kShared>::ValueToMerge(const PlanEdge& edge, Iteration& to, Entry& value) {
  using State = MergeState;
  std::atomic<uint64_t>& word = to.merges[edge.pending];
  const auto claim = [](uint64_t state) { return State::IsOpen(state) ? state | State::kClaimed : state; };
  if (!State::IsOpen(Update<kShared>(word, claim))) return Clear(value);
  to.slots[edge.slot] = std::move(value);
  const uint64_t place = edge.slot - plan_.nodes[edge.consumer].first_slot + 1;
  const uint64_t old = Update<kShared>(word, [&](uint64_t state) {
    const uint64_t written = state & ~State::kClaimed;
    return State::Winner(written) == 0 ? written + place : written;
  });
  if (State::Winner(old) != 0) {
    Clear(to.slots[edge.slot]);
  } else if (State::Controls(old) == 0) {
    MakeReady(edge.consumer, to);
  }
}

template <bool kShared>
inline void Worker<kShared>::MakeReady(uint32_t node, Iteration& at) {
  ++made_ready_;
  if constexpr (kShared) {
    if (plan_.costs[node].load(std::memory_order_relaxed) >= kHandOffNanoseconds) {
      to_share_.push_back({node, &at});
      return;
    }
  }
  if (top_.iteration != nullptr) own_.push_back(top_);
  top_ = {node, &at};
}

// Called before anyone else can see what became ready.
template <bool kShared>
inline void Worker<kShared>::AddOutstanding(Iteration& to, int64_t count) {
  if (!to.frame->plan->counts_work || count == 0) return;
  if (done_in_ == &to) {
    const int64_t settled = std::min(done_, count);
    done_ -= settled;
    count -= settled;
  }
  if (count == 0) return;
  if constexpr (kShared) {
    to.outstanding.fetch_add(count, std::memory_order_relaxed);
  } else {
    to.outstanding.store(to.outstanding.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
}

// The thread goes on with the most urgent node itself, if it has nothing else to do: what that one reads is in its
// cache, and a chain of expensive nodes takes no lock. It keeps it, too, while cheap nodes are left, for to wake
// another thread takes longer than some of them.
template <bool kShared>
inline void Worker<kShared>::ShareReady() {
  if constexpr (kShared) {
    if (to_share_.empty()) return;
    if (!HasOwnNodes()) {
      top_ = RunState::TakeMostUrgent(to_share_);
    } else if (kept_.iteration == nullptr) {
      kept_ = RunState::TakeMostUrgent(to_share_);
      kept_for_ = 0;
    }
    if (!to_share_.empty()) state_.Share(to_share_);
  }
}

}  // namespace plumb::fast
