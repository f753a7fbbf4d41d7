// Asynchronous kernels: their start, and what becomes of their answer. Part of worker.h.
#pragma once

#include "fastpath/execute/propagation.h"

namespace plumb::fast {

// The node counts as running until its outputs are sent.
template <bool kShared>
void Worker<kShared>::StartAsync(const PlanNode& node, bool is_dead) {
  AddOutstanding(*current_.iteration, 1);
  AsyncCall& call = state_.BeginCall(current_, is_dead);
  const auto answer = std::make_shared<AsyncAnswer>(call);
  const StartingCall starting(call);
  try {
    static_cast<AsyncKernel*>(node.kernel)->Start(call.context, [answer](const Status& status) {
      answer->Give(status);
    });
  } catch (const std::exception&) {
    answer->Withdraw();  // the error is the step's, and nobody is to wait for an answer
    if (starting.is_answered()) state_.TakeBack(call);
    throw;
  }
  if (!starting.is_answered()) return;
  const std::unique_ptr<AsyncCall> finished = state_.TakeBack(call);
  if (!state_.stopped()) FinishAsync(*finished);
}

template <bool kShared>
void Worker<kShared>::FinishAsync(AsyncCall& call) {
  current_ = call.ready;
  const PlanNode& node = plan_.nodes[current_.node];
  Iteration& at = *current_.iteration;
  if (call.context.is_abandoned()) {  // as if it had never become ready
    ClearInputs(node, at, at.slots.get() + node.first_slot);
    return NodeDone(at);
  }
  const bool is_dead = call.context.is_dead();
  const auto value_of = [&](uint32_t output) {
    return call.context.IsDead(static_cast<int>(output)) ? nullptr : &call.outputs[output];
  };
  for (uint32_t i = 0; i < node.num_outputs && !is_dead; ++i) {
    if (value_of(i) != nullptr && !HasValue(*value_of(i))) ThrowMissing(node, i);
  }
  Send(node, at, is_dead, value_of);
  ClearInputs(node, at, at.slots.get() + node.first_slot);
  NodeDone(at);
}

}  // namespace plumb::fast
