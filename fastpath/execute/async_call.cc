#include "fastpath/execute/async_call.h"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "fastpath/device/device.h"
#include "fastpath/execute/run_state.h"
#include "fastpath/execute/step_parts.h"
#include "fastpath/execute/timed_out.h"
#include "fastpath/execute/trace.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

AsyncCall::AsyncCall(RunState& state, ReadyNode ready, bool is_dead)
    : state(state),
      ready(ready),
      outputs(state.plan().nodes[ready.node].num_outputs),
      context(state.context(), ready.iteration->slots.get() + state.plan().nodes[ready.node].first_slot,
              static_cast<int>(state.plan().nodes[ready.node].num_inputs), outputs.data(),
              static_cast<int>(outputs.size()), &state.plan().info[ready.node].name, &ready.iteration->place, is_dead,
              state.rendezvous()) {
  if (state.trace) start_ns = NowNanoseconds();
}

thread_local StartingCall* StartingCall::innermost = nullptr;

void AsyncCall::Take(const Status& status) { state.Finish(*this, status); }

std::string WhoWaits(const AsyncCall& call) {
  const Plan& plan = call.state.plan();
  const PlanNodeInfo& info = plan.info[call.ready.node];
  const std::string path = PathOf(call.context.place());
  const bool is_elsewhere = info.device > 0 && static_cast<size_t>(info.device) < plan.device_names.size();
  return Str("'", info.name, "' (", info.op, ")", is_elsewhere ? " on " + plan.device_names[info.device] : "",
             path.empty() ? "" : " in ", path, " waits for ");
}

void RunState::Finish(AsyncCall& call, const Status& status) {
  Unpark(call);
  const uint32_t node = call.ready.node;
  if (trace) RecordTrace(*this, node, call.start_ns, NowNanoseconds());
  if (!status.ok()) Fail(call.context.error_is_inside() ? status : AtNode(status, plan_->info[node]));
  if (!StartingCall::TakesAnswer(call)) {
    bool needs_helper;
    {
      MutexLock lock(queue_mutex_);
      finished_calls_.push_back(TakeCall(call));
      // One that is on its way takes all that have finished.
      needs_helper = helpers_sent_ == 0 || MayBeWorthThreads(*plan_);
      if (needs_helper) ++helpers_sent_;
    }
    if (needs_helper) helper_source_->SendHelper(*this, context_->step_id);
  }
  answers_to_come_.fetch_sub(1, std::memory_order_release);  // the last that this thread touches
}

AsyncCall& RunState::BeginCall(ReadyNode ready, bool is_dead) {
  CallHandle call(new AsyncCall(*this, ready, is_dead));
  answers_to_come_.fetch_add(1, std::memory_order_relaxed);
  if (rendezvous_ != nullptr) rendezvous_->BeginWork(1);
  MutexLock lock(queue_mutex_);
  call->position = calls_.size();
  calls_.push_back(std::move(call));
  return *calls_.back();
}

CallHandle RunState::TakeBack(AsyncCall& call) {
  MutexLock lock(queue_mutex_);
  EndWork(1);
  return TakeCall(call);
}

void RunState::Withdraw(AsyncCall& call) {
  Unpark(call);
  TakeBack(call);
  answers_to_come_.fetch_sub(1, std::memory_order_release);
}

void RunState::Unpark(AsyncCall& call) {
  {
    MutexLock lock(queue_mutex_);
    call.is_told = true;
    if (stopping_ == &call && stopping_on_ == std::this_thread::get_id()) stopping_ = nullptr;
    while (stopping_ == &call) told_.Wait(queue_mutex_);
  }
  call.context.Unpark();
}

// The first stop of a step does this. Calls that begin later do not park. Others take a call's place when it goes.
void RunState::StopCalls() {
  MutexLock lock(queue_mutex_);
  for (bool any = true; std::exchange(any, false);) {
    for (size_t i = 0; i < calls_.size(); ++i) {
      AsyncCall& call = *calls_[i];
      if (std::exchange(call.is_told, true)) continue;
      std::shared_ptr<Waiter> waiter = call.context.waiter();
      if (waiter == nullptr) continue;
      any = true;
      stopping_ = &call;
      stopping_on_ = std::this_thread::get_id();
      {
        MutexUnlock unlocked(queue_mutex_);
        waiter->Stop();
        waiter = nullptr;
      }
      stopping_ = nullptr;
      told_.NotifyAll();
    }
  }
}

CallHandle RunState::TakeCall(AsyncCall& call) {
  CallHandle taken = std::move(calls_[call.position]);
  if (call.position + 1 < calls_.size()) {
    calls_[call.position] = std::move(calls_.back());
    calls_[call.position]->position = call.position;
  }
  calls_.pop_back();
  return taken;
}

void RunState::AwaitAnswers() const {
  while (answers_to_come_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
}

// Kernels and steps inside are asked when the lock is released: they have locks of their own, steps may lie deep in
// each other, and whoever is asked last may answer.
std::vector<std::string> RunState::Waits() {
  struct OpenCall {
    uint32_t node;
    std::string who;
    std::shared_ptr<Waiter> what;
    WaitList inside;
    std::string path;
  };
  std::vector<OpenCall> open;
  {
    MutexLock lock(queue_mutex_);
    for (const auto& call : calls_) {
      WaitList inside = call->context.waits_inside();
      std::string who = inside == nullptr ? WhoWaits(*call) : "";
      open.push_back(
          {call->ready.node, std::move(who), call->context.waiter(), std::move(inside), PathOf(call->context.place())});
    }
  }
  std::vector<std::pair<uint32_t, std::vector<std::string>>> by_node;
  for (OpenCall& call : open) {
    std::vector<std::string> waits;
    if (call.inside != nullptr) {
      waits = call.inside();
    } else {
      waits.push_back(call.who + (call.what == nullptr ? "it does not say what" : call.what->Text()));
    }
    for (std::string& wait : waits) {
      if (call.inside != nullptr && !call.path.empty()) wait += Str(", called in ", call.path);
    }
    by_node.emplace_back(call.node, std::move(waits));
  }
  std::sort(by_node.begin(), by_node.end());
  std::vector<std::string> all;
  for (auto& [node, waits] : by_node) {
    all.insert(all.end(), std::make_move_iterator(waits.begin()), std::make_move_iterator(waits.end()));
  }
  return all;
}

void RunState::TimeOut(int64_t timeout_ms) {
  Fail(TimedOut(timeout_ms, parts_ == nullptr ? Waits() : parts_->Waits()));
}

Status AtNode(const Status& status, const PlanNodeInfo& info) { return AtNode(status, info.name, info.op); }

}  // namespace plumb::fast
