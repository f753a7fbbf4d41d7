// Asynchronous kernels: their start, and what becomes of their answer. Part of worker.h.
#pragma once

#include "fastpath/execute/propagation.h"
#include "fastpath/execute/trace.h"

namespace plumb::fast {

// The node counts as running until its outputs are sent.
template <bool kShared>
void Worker<kShared>::StartAsync(const PlanNode& node, Iteration& at, Entry* inputs, bool is_dead) {
  if (node.answers_at_once) return AnswerAtOnce(node, at, inputs, is_dead);
  AddOutstanding(at, 1);
  AsyncCall& call = state_.BeginCall(current_, is_dead);
  const StartingCall starting(call);
  Done done(call);
  try {
    static_cast<AsyncKernel*>(node.kernel)->Start(call.context, done);
  } catch (const std::exception&) {
    if (call.Close()) state_.Withdraw(call);  // the error is the step's, and nobody is to wait for an answer
    if (starting.is_answered()) state_.TakeBack(call);
    throw;
  }
  done = nullptr;
  if (!starting.is_answered()) return;
  const CallHandle finished = state_.TakeBack(call);
  if (!state_.stopped()) FinishAsync(*finished);
}

template <bool kShared>
void Worker<kShared>::AnswerAtOnce(const PlanNode& node, Iteration& at, Entry* inputs, bool is_dead) {
  Entry* const outputs = outputs_.data();
  AsyncContext context(state_.context(), inputs, static_cast<int>(node.num_inputs), outputs,
                       static_cast<int>(node.num_outputs), &InfoOf(node).name, &at.place, is_dead, state_.rendezvous());
  const int64_t start = state_.trace ? NowNanoseconds() : 0;
  const Status status = static_cast<AsyncKernel*>(node.kernel)->Answer(context);
  if (state_.trace) RecordTrace(state_, current_.node, start, NowNanoseconds());
  if (!status.ok()) throw Error(status);
  SendAnswer(node, at, context, outputs);
  for (uint32_t i = 0; i < node.num_outputs; ++i) Clear(outputs[i]);
  ClearInputs(node, at, inputs);
}

template <bool kShared>
void Worker<kShared>::FinishAsync(AsyncCall& call) {
  current_ = call.ready;
  const PlanNode& node = plan_.nodes[current_.node];
  Iteration& at = *current_.iteration;
  // What is abandoned is as if it had never become ready.
  if (!call.context.is_abandoned()) SendAnswer(node, at, call.context, call.outputs.data());
  ClearInputs(node, at, at.slots.get() + node.first_slot);
  NodeDone(at);
}

template <bool kShared>
void Worker<kShared>::SendAnswer(const PlanNode& node, Iteration& at, const AsyncContext& context, Entry* outputs) {
  const bool is_dead = context.is_dead();
  const auto value_of = [&](uint32_t output) {
    return context.IsDead(static_cast<int>(output)) ? nullptr : &outputs[output];
  };
  for (uint32_t i = 0; i < node.num_outputs && !is_dead; ++i) {
    if (value_of(i) != nullptr && !HasValue(*value_of(i))) ThrowMissing(node, i);
  }
  Send(node, at, is_dead, value_of);
}

}  // namespace plumb::fast
