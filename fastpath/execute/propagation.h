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
bool CountToken(std::atomic<uint32_t>& pending, bool is_dead) {
  if constexpr (kShared) {
    if (is_dead) pending.fetch_or(1, std::memory_order_relaxed);
    return pending.fetch_sub(2, std::memory_order_acq_rel) < 4;
  } else {
    const uint32_t left = (pending.load(std::memory_order_relaxed) | (is_dead ? 1 : 0)) - 2;
    pending.store(left, std::memory_order_relaxed);
    return left < 2;
  }
}

inline bool HasValue(const Entry& entry) { return entry.tensor.IsSet() || entry.ref != nullptr; }

template <bool kShared>
template <class ValueOf>
void Worker<kShared>::Send(const PlanNode& node, Iteration& to, bool is_dead, const ValueOf& value_of) {
  const bool from_enter = node.kind == NodeKind::kEnter;
  const PlanEdge* edge = plan_.edges.data() + node.first_edge;
  const PlanEdge* const end = edge + node.num_edges;
  for (; edge != end && edge->slot != PlanEdge::kControl; ++edge) {
    Entry* value = is_dead ? nullptr : value_of(edge->output);
    if (value == nullptr) {
      Deliver(*edge, to, true, nullptr, from_enter);
    } else if (edge->is_last) {
      Deliver(*edge, to, false, value, from_enter);
    } else {
      Entry copy = *value;
      Deliver(*edge, to, false, &copy, from_enter);
    }
  }
  for (; edge != end; ++edge) Deliver(*edge, to, is_dead, nullptr, from_enter);
  AddOutstanding(to, made_ready_);
  made_ready_ = 0;
  PublishReady();
}

template <bool kShared>
void Worker<kShared>::SendCopy(const HeldToken& token, Iteration& to) {
  Entry copy = token.value;
  const PlanNode& node = plan_.nodes[token.node];
  const PlanEdge* edge = plan_.edges.data() + node.first_edge;
  for (const PlanEdge* const end = edge + node.num_edges; edge != end; ++edge) {
    copy = token.value;
    Deliver(*edge, to, token.is_dead, &copy, node.kind == NodeKind::kEnter);
  }
  AddOutstanding(to, made_ready_);
  made_ready_ = 0;
  PublishReady();
}

// Moves *value, if there is one, into the consumer's slot and counts the token.
template <bool kShared>
inline void Worker<kShared>::Deliver(const PlanEdge& edge, Iteration& to, bool is_dead, Entry* value, bool from_enter) {
  if (edge.to_merge) [[unlikely]]
    return DeliverToMerge(edge, to, is_dead, value, from_enter);
  if (!is_dead && edge.slot != PlanEdge::kControl) to.slots[edge.slot] = std::move(*value);
  if (CountToken<kShared>(to.pending[edge.pending], is_dead)) MakeReady(edge.consumer, to);
}

// X32: live as soon as all control tokens and one live input are there; dead when all inputs are dead. X33: a dead
// Enter makes it dead at once, unless control tokens are missing.
template <bool kShared>
void Worker<kShared>::DeliverToMerge(const PlanEdge& edge, Iteration& to, bool is_dead, Entry* value, bool from_enter) {
  using State = MergeState;
  const PlanNode& merge = plan_.nodes[edge.consumer];
  std::atomic<uint64_t>& word = to.merges[edge.pending];
  if (edge.slot == PlanEdge::kControl) {
    const uint64_t old = Update<kShared>(word, [](uint64_t s) { return s - State::kOneControl; });
    const bool decided = State::Winner(old) != 0 || State::Dead(old) == merge.num_inputs;
    if (State::Controls(old) == 1 && decided) MakeReady(edge.consumer, to);
    return;
  }
  if (is_dead) {
    const auto fires = [&](uint64_t s) {
      return State::Controls(s) == 0 && State::Winner(s) == 0 && (from_enter || State::Dead(s) + 1 == merge.num_inputs);
    };
    const uint64_t old = Update<kShared>(
        word, [&](uint64_t s) { return s + State::kOneDead + (fires(s) ? State::kFiredDead : uint64_t{0}); });
    if (fires(old)) MakeReady(edge.consumer, to);
    return;
  }
  // Its own slot: nobody else writes it, and the Merge reads the winner's only.
  to.slots[edge.slot] = std::move(*value);
  const uint64_t place = edge.slot - merge.first_slot + 1;
  const uint64_t old = Update<kShared>(word, [&](uint64_t s) { return State::Winner(s) == 0 ? s + place : s; });
  if (State::Winner(old) != 0) {
    to.slots[edge.slot] = Entry();
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
  own_.push_back({node, &at});
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

}  // namespace plumb::fast
