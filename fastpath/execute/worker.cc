#include "fastpath/execute/worker.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "fastpath/device/caught.h"
#include "fastpath/execute/async.h"
#include "fastpath/execute/frames.h"
#include "fastpath/execute/propagation.h"
#include "fastpath/execute/trace.h"

namespace plumb::fast {
namespace {

// A reference read as a value: an alias of the variable's buffer (rule R30).
Tensor Dereferenced(Variable& variable, DType wanted, const PlanNodeInfo& info) {
  Tensor value = variable.Dereference(info.name);
  Require(value.dtype() == wanted, "node '", info.name, "' wants a variable of type ", DTypeName(wanted),
          ", it now holds ", DTypeName(value.dtype()));  // rule T6
  return value;
}

// X31: which of a Switch's outputs the data goes to.
uint32_t OutputTaken(const Tensor& by, uint32_t outputs) {
  if (by.dtype() == DType::kBool && by.rank() == 0) [[likely]]
    return by.data<bool>()[0] ? 1 : 0;
  if (by.dtype() != DType::kInt32 || by.rank() != 0) {
    throw InvalidArgument("the predicate of a Switch must be a scalar bool or the number of an output, not ",
                          DTypeName(by.dtype()), by.shape().ToString());
  }
  return std::min(static_cast<uint32_t>(by.data<int32_t>()[0]), outputs - 1);  // a negative one is beyond all
}

}  // namespace

template <bool kShared>
void Worker<kShared>::Start(std::span<const Tensor> feeds) {
  Iteration& root = *state_.root();
  for (size_t i = 0; i < feeds.size(); ++i) {
    const PlanFeed& feed = plan_.feeds[i];
    const PlanEdge* edge = plan_.edges.data() + feed.first_edge;
    for (const PlanEdge* const end = edge + feed.num_edges; edge != end; ++edge) {
      if (!edge->by_token) {
        root.slots[edge->slot].tensor = feeds[i];
      } else if (edge->slot == PlanEdge::kControl) {
        DeliverControl(*edge, root, false);
      } else {
        Entry value{feeds[i], nullptr};
        DeliverValue(*edge, root, value);
      }
    }
  }
  for (auto node = plan_.initial.rbegin(); node != plan_.initial.rend(); ++node) MakeReady(*node, root);
  AddOutstanding(root, made_ready_);
  made_ready_ = 0;
  ShareReady();
}

template <bool kShared>
void Worker<kShared>::Run() {
  do {
    RunOwnNodes();
    FlushDone();
    if constexpr (kShared) {
      if (!HasOwnNodes()) top_ = std::exchange(kept_, {});
    }
  } while (HasOwnNodes() || TakeFromQueue());
}

// An error ends the step; the nodes that are still ready do not run (rules X9, E5).
template <bool kShared>
void Worker<kShared>::RunOwnNodes() {
  try {
    if (arrived_ != nullptr) FinishAsync(*std::exchange(arrived_, nullptr));
    while (HasOwnNodes() && !state_.stopped()) {
      current_ = TakeOwnNode();
      const PlanNode& node = plan_.nodes[current_.node];
      RunNode(node, *current_.iteration);
      NodeDone(*current_.iteration);
      if constexpr (kShared) {
        if (kept_.iteration != nullptr && ++kept_for_ == kCheapBeforeHandOff) ShareKept();
      }
    }
  } catch (const std::exception&) {
    state_.Fail(AtNode(CaughtStatus(), plan_.info[current_.node]));
  }
  if (!state_.stopped()) return;
  top_ = {};
  kept_ = {};
  own_.clear();
  to_share_.clear();
  done_ = 0;
  for (Entry& output : outputs_) Clear(output);
  Clear(scratch_);
}

template <bool kShared>
void Worker<kShared>::ShareKept() {
  to_share_.push_back(std::exchange(kept_, {}));
  state_.Share(to_share_);
}

template <bool kShared>
inline ReadyNode Worker<kShared>::TakeOwnNode() {
  if (top_.iteration != nullptr) return std::exchange(top_, {});
  const ReadyNode node = own_.back();
  own_.pop_back();
  return node;
}

template <bool kShared>
inline void Worker<kShared>::RunNode(const PlanNode& node, Iteration& at) {
  Entry* inputs = at.slots.get() + node.first_slot;
  if (node.kind == NodeKind::kMerge) return RunMerge(node, at, inputs);
  if (at.pending[node.pending].load(std::memory_order_relaxed) & 1) {
    if (node.starts_when_dead) [[unlikely]]
      return StartAsync(node, at, inputs, true);
    RunDead(node, at, inputs);
  } else {
    if (node.has_lost_references) [[unlikely]]
      CheckReferences(node, inputs, -1);
    if (node.has_ref_inputs) ResolveReferences(node, inputs, -1);
    if (node.kind == NodeKind::kAsyncKernel) [[unlikely]]
      return StartAsync(node, at, inputs, false);
    RunLive(node, at, inputs);
  }
  ClearInputs(node, at, inputs);
}

template <bool kShared>
inline void Worker<kShared>::RunLive(const PlanNode& node, Iteration& at, Entry* inputs) {
  switch (node.kind) {
    case NodeKind::kKernel:
      return RunKernel(node, at, inputs);
    case NodeKind::kNoOp:
    case NodeKind::kControlTrigger:
      return Send(node, at, false, [](uint32_t) { return nullptr; });
    case NodeKind::kConstant:
      scratch_.tensor = plan_.constants[node.argument];
      return Send(node, at, false, [&](uint32_t) { return &scratch_; });
    case NodeKind::kLoopCond:
    case NodeKind::kIdentity:
    case NodeKind::kRecv: {
      Entry& value = MoveableInput(node, at, inputs);
      return Send(node, at, false, [&](uint32_t) { return &value; });
    }
    case NodeKind::kSend: {
      Entry& value = MoveableInput(node, at, inputs);
      if (value.tensor.is_alias()) value.tensor = CopyOf(value.tensor);  // R36
      return Send(node, at, false, [&](uint32_t) { return &value; });
    }
    case NodeKind::kSwitch:
      return RunSwitch(node, at, inputs);
    case NodeKind::kEnter:
      return RunEnter(node, at, false, inputs);
    case NodeKind::kExit:
      return RunExit(node, at, false, inputs);
    case NodeKind::kNextIteration:
      return RunNextIteration(node, at, false, inputs);
    case NodeKind::kFetch:
      return RunFetch(node, inputs);
    case NodeKind::kAsyncKernel:
    case NodeKind::kMerge:
    case NodeKind::kFeed:
      return;
  }
}

// X2: a dead node does nothing but pass its deadness on.
template <bool kShared>
void Worker<kShared>::RunDead(const PlanNode& node, Iteration& at, Entry* inputs) {
  switch (node.kind) {
    case NodeKind::kEnter:
      return RunEnter(node, at, true, inputs);
    case NodeKind::kExit:
      return RunExit(node, at, true, inputs);
    case NodeKind::kNextIteration:
      return RunNextIteration(node, at, true, inputs);
    default:  // X5: a ControlTrigger fires live
      return Send(node, at, node.kind != NodeKind::kControlTrigger, [](uint32_t) { return nullptr; });
  }
}

template <bool kShared>
inline void Worker<kShared>::RunKernel(const PlanNode& node, Iteration& at, Entry* inputs) {
  Entry* const outputs = outputs_.data();
  KernelContext context(state_.context(), inputs, static_cast<int>(node.num_inputs), outputs,
                        static_cast<int>(node.num_outputs), &plan_.info[current_.node].name, &at.place);
  if (node.copies_aliases) {
    for (uint32_t i = 0; i < node.num_inputs; ++i) {
      if (inputs[i].tensor.is_alias() && MustBeCopied(inputs[i].tensor.dtype())) [[unlikely]]
        context.Unalias(static_cast<int>(i));
    }
  }
  if (state_.sample_costs || state_.trace) [[unlikely]] {
    CallKernel(node, context);
  } else {
    node.kernel->Run(context);
  }
  CheckOutputs(node, outputs);
  Send(node, at, false, [&](uint32_t output) { return &outputs[output]; });
  // What was not moved to a consumer.
  for (uint32_t i = 0; i < node.num_outputs; ++i) outputs[i].tensor.Reset();
  if (node.has_ref_outputs) [[unlikely]] {
    for (uint32_t i = 0; i < node.num_outputs; ++i) outputs[i].ref.reset();
  }
}

template <bool kShared>
void Worker<kShared>::CallKernel(const PlanNode& node, KernelContext& context) {
  const int64_t start = NowNanoseconds();
  node.kernel->Run(context);
  const int64_t end = NowNanoseconds();
  const auto position = static_cast<uint32_t>(&node - plan_.nodes.data());
  if (state_.sample_costs) RecordCost(plan_, position, end - start);
  if (state_.trace) RecordTrace(state_, position, start, end);
}

// T5: a kernel has set every output. That its type is the declared one is seen where kernels are compared with the
// reference: to look at it would cost every node of every step.
template <bool kShared>
inline void Worker<kShared>::CheckOutputs(const PlanNode& node, const Entry* outputs) {
  for (uint32_t i = 0; i < node.num_outputs; ++i) {
    if (!HasValue(outputs[i])) [[unlikely]]
      ThrowMissing(node, i);
  }
}

template <bool kShared>
void Worker<kShared>::ThrowMissing(const PlanNode& node, uint32_t output) {
  throw Internal("Missing output ", output, " of node '", InfoOf(node).name, "'");
}

template <bool kShared>
void Worker<kShared>::RunSwitch(const PlanNode& node, Iteration& at, Entry* inputs) {
  const uint32_t taken = OutputTaken(inputs[1].tensor, node.num_outputs);
  Entry& value = MoveableInput(node, at, inputs);
  Send(node, at, false, [&](uint32_t output) { return output == taken ? &value : nullptr; });
}

template <bool kShared>
void Worker<kShared>::RunMerge(const PlanNode& node, Iteration& at, Entry* inputs) {
  const uint64_t winner = MergeState::Winner(at.merges[node.pending].load(std::memory_order_acquire));
  if (winner == 0 || winner == MergeState::kFiredDead) {
    return Send(node, at, true, [](uint32_t) { return nullptr; });
  }
  const auto place = static_cast<uint32_t>(winner - 1);
  if (node.has_lost_references) CheckReferences(node, inputs, static_cast<int>(place));
  if (node.has_ref_inputs) ResolveReferences(node, inputs, static_cast<int>(place));
  if (node.uses_value_index) scratch_.tensor = plan_.merge_indices[place];
  Send(node, at, false, [&](uint32_t output) { return output == 0 ? &inputs[place] : &scratch_; });
  Clear(inputs[place]);
}

template <bool kShared>
void Worker<kShared>::RunFetch(const PlanNode& node, Entry* inputs) {
  state_.SetFetch(node, inputs[0]);
}

template <bool kShared>
void Worker<kShared>::ResolveReferences(const PlanNode& node, Entry* inputs, int only) {
  const PlanNodeInfo& info = InfoOf(node);
  for (uint32_t i = 0; i < node.num_inputs; ++i) {
    if ((only >= 0 && i != static_cast<uint32_t>(only)) || inputs[i].ref == nullptr) continue;
    if (!IsRef(info.input_types[i])) {
      const bool is_unset = node.allows_uninitialized && !inputs[i].ref->IsInitialized();  // the kernel sees nothing
      if (is_unset) {
        inputs[i].ref = nullptr;
        continue;
      }
      inputs[i].tensor = Dereferenced(*inputs[i].ref, info.input_types[i], info);
      inputs[i].ref = nullptr;
    } else if (!node.allows_uninitialized && !inputs[i].ref->IsInitialized()) {
      throw FailedPrecondition("Attempting to use an uninitialized value: an input of node '", info.name, "'");
    }
  }
}

// T4: a fed value stands in the place of a reference.
template <bool kShared>
void Worker<kShared>::CheckReferences(const PlanNode& node, const Entry* inputs, int only) const {
  const PlanNodeInfo& info = InfoOf(node);
  for (uint32_t i = 0; i < node.num_inputs; ++i) {
    if ((only >= 0 && i != static_cast<uint32_t>(only)) || !IsRef(info.input_types[i])) continue;
    Require(inputs[i].ref != nullptr, "input ", i, " of node '", info.name, "' expects a ref type, but is fed a value");
  }
}

template <bool kShared>
inline void Worker<kShared>::ClearInputs(const PlanNode& node, Iteration& at, Entry* inputs) {
  for (uint32_t i = 0; i < node.num_inputs; ++i) {
    if (!IsConstantInput(node, at, i)) inputs[i].tensor.Reset();
  }
  if (node.has_ref_inputs) [[unlikely]] {
    for (uint32_t i = 0; i < node.num_inputs; ++i) inputs[i].ref.reset();
  }
}

template <bool kShared>
inline bool Worker<kShared>::IsConstantInput(const PlanNode& node, const Iteration& at, uint32_t i) const {
  if (i < PlanNode::kMaskedInputs) [[likely]]
    return (node.constant_inputs >> i & 1) != 0;
  return at.frame->plan->is_constant_slot[node.first_slot + i];
}

// The first input, as something that may be moved away.
template <bool kShared>
inline Entry& Worker<kShared>::MoveableInput(const PlanNode& node, Iteration& at, Entry* inputs) {
  if (!IsConstantInput(node, at, 0)) return inputs[0];
  scratch_ = inputs[0];
  return scratch_;
}

template <bool kShared>
bool Worker<kShared>::TakeFromQueue() {
  if constexpr (kShared) {
    auto work = state_.TakeShared();
    if (work.node) own_.push_back(*work.node);
    if (work.finished != nullptr) arrived_ = std::move(work.finished);
    return work.node || arrived_ != nullptr;
  }
  return false;
}

template class Worker<false>;
template class Worker<true>;

}  // namespace plumb::fast
