#include "mpi/worker/worker.h"

#include <algorithm>
#include <utility>

#include "fastpath/compile/functions/pass_kernels.h"
#include "fastpath/compile/graph/serialize.h"
#include "fastpath/execute/trace.h"
#include "fastpath/session/call_kernel.h"
#include "fastpath/session/guard.h"
#include "fastpath/session/saved_kinds.h"
#include "mpi/protocol/state.h"
#include "mpi/protocol/trace.h"
#include "mpi/worker/tracing.h"
#include "spec/session/state_paths.h"

namespace plumb::dist {

// What the parts of one session of another rank share here.
struct Worker::GuestSession {
  GuestSession(const Register& message, const fast::DeviceSet& devices, fast::StepEnvironment& steps)
      : devices(devices), steps(steps) {
    options.optimize = message.optimize;
    options.allow_soft_placement = message.soft;
    options.keeps_task = true;
  }
  fast::CallEnvironment ForCalls() { return {options, devices, source, steps}; }

  fast::CompileOptions options;
  const fast::DeviceSet& devices;
  fast::StepEnvironment& steps;
  fast::KernelCache kernels;
  const fast::DeviceKernels source = [this](const Node& node, fast::Device& device) {
    return kernels.Get(node, device);
  };
};

void Worker::Take(int from, const Register& message, Payload graph) {
  environment_.pool.Schedule([this, from, message, graph = std::move(graph)] {
    Answer answer;
    answer.request = message.request;
    answer.status = fast::Guard([&] {
      answer.number = Add(from, message, {static_cast<const char*>(graph.data), graph.bytes});
      return OkStatus();
    });
    post_.Send(from, answer);
  });
}

int64_t Worker::Add(int from, const Register& message, std::string_view graph) {
  const std::shared_ptr<GuestSession> session = SessionOf(from, message);
  fast::StepGraph part = fast::Deserialize(graph, [&](const fast::KernelRecipe& recipe, const auto& source) {
    return fast::MakePassKernel(recipe, *source, fast::MakeCallKernels(source, session->ForCalls()));
  });
  Settle(part);
  auto members = MembersIn(part, exchange_.task());
  const bool only_sends = OnlySendsAway(part, routes_) && members.empty() && !message.in_pieces;
  const auto plan = fast::FinishPart(std::move(part), fast::Request(), message.in_pieces, devices_, session->source);
  if (plan->nodes.empty()) return -1;
  const auto executor = std::make_shared<fast::Executor>(plan, environment_);
  auto at_once = only_sends ? PartAtOnce::Of(executor, post_, routes_) : nullptr;
  auto added = std::make_shared<const Part>(Part{session, executor, std::move(members), std::move(at_once)});
  MutexLock lock(mutex_);
  const int64_t number = ++parts_made_;
  parts_[{from, number}] = std::move(added);
  return number;
}

std::shared_ptr<Worker::GuestSession> Worker::SessionOf(int from, const Register& message) {
  MutexLock lock(mutex_);
  auto& session = sessions_[{from, message.session}];
  if (session == nullptr) session = std::make_shared<GuestSession>(message, devices_, environment_);
  return session;
}

void Worker::Settle(fast::StepGraph& part) const {
  const std::vector<std::string> here = devices_.Names();
  std::vector<int> numbers;
  for (const std::string& name : part.device_names) {
    const auto found = std::find(here.begin(), here.end(), name);
    numbers.push_back(found == here.end() ? -1 : static_cast<int>(found - here.begin()));
  }
  for (fast::StepNode& node : part.nodes) {
    const int number = numbers[node.device];
    Require(number >= 0, "node '", node.name, "' lies on ", part.device_names[node.device], ", and here is ", here[0]);
    node.device = number;
    const bool meets_client = node.kind == fast::NodeKind::kFeed || node.kind == fast::NodeKind::kFetch;
    Require(!meets_client, "node '", node.name, "' is fed or fetched, which is done where the client is");
  }
  part.device_names = here;
}

void Worker::Take(int from, const Forget& message) {
  std::vector<SharedPart> forgotten;  // destroyed after the lock is released
  std::shared_ptr<GuestSession> session;
  MutexLock lock(mutex_);
  if (message.part > 0) {
    const auto part = parts_.find({from, message.part});
    if (part == parts_.end()) return;
    forgotten.push_back(std::move(part->second));
    parts_.erase(part);
    return;
  }
  const auto found = sessions_.find({from, message.session});
  if (found == sessions_.end()) return;
  session = std::move(found->second);
  sessions_.erase(found);
  std::erase_if(ran_at_once_[static_cast<size_t>(from)],
                [&](const auto& ran) { return ran.second->session == session; });
  for (auto at = parts_.begin(); at != parts_.end();) {
    const bool is_its_own = at->second->session == session;
    if (is_its_own) forgotten.push_back(std::move(at->second));
    at = is_its_own ? parts_.erase(at) : std::next(at);
  }
}

Worker::SharedPart Worker::PartOf(int from, int64_t number) {
  MutexLock lock(mutex_);
  const auto found = parts_.find({from, number});
  Require(found != parts_.end(), "rank ", from, " starts its part ", number, ", which is not registered here");
  return found->second;
}

void Worker::Take(int from, const Start& message) {
  ForgetSteps(from, message);
  SharedPart part;
  const Status status = fast::Guard([&] {
    part = PartOf(from, message.part);
    return OkStatus();
  });
  if (status.ok() && RunsAtOnce(from, message, part)) return;
  const std::shared_ptr<Step> step = steps_.Get({from, message.step});
  Require(step != nullptr, "rank ", from, " starts its step ", message.step, ", which is over");
  if (!status.ok()) return post_.Send(from, Done{message.step, status});
  const auto parts = std::make_shared<fast::StepParts>(step->rendezvous, environment_.pool);
  if (const Status stopped = step->Begin(parts); !stopped.ok()) {
    if (!part->members.empty()) {  // which count the step as those of other ranks do (CO6)
      exchange_.BeginStep(step->rendezvous.get());
      exchange_.EndStep(step->rendezvous.get(), part->members, stopped);
    }
    return post_.Send(from, Done{message.step, stopped});
  }
  const auto traced = message.traces ? std::make_shared<RunMetadata>() : nullptr;
  const fast::PartitionRun run{message.step, step->rendezvous, &parts->cancellation(), traced.get(), parts, nullptr};
  if (!part->members.empty()) exchange_.BeginStep(step->rendezvous.get());
  part->executor->RunAsync(run, [this, from, step, parts, part, traced](const Status& ended) {
    const HeldBack together(post_.transport());
    if (!part->members.empty()) {
      const Status outcome = parts->outcome();  // not that this part was stopped, but why
      exchange_.EndStep(step->rendezvous.get(), part->members, outcome.ok() ? ended : outcome);
    }
    if (ended.ok()) step->rendezvous->SendAliases();
    EndPart(from, *step, *part, ended, traced.get());
  });
}

void Worker::ForgetSteps(int from, const Start& message) {
  steps_.ForgetBefore(from, message.oldest);
  for (const int64_t number : message.over) steps_.Forget({from, number});
  std::erase_if(ran_at_once_[static_cast<size_t>(from)], [&](const auto& each) {
    return each.first < message.oldest ||
           std::find(message.over.begin(), message.over.end(), each.first) != message.over.end();
  });
}

bool Worker::RunsAtOnce(int from, const Start& message, const SharedPart& part) {
  const StepName step{from, message.step};
  if (part->at_once == nullptr || message.traces || !steps_.IsNew(step)) return false;
  // In a time that is computed nothing depends on what a step took.
  if (!part->at_once->is_brief() && !post_.transport().HasOwnTime()) return false;
  const HeldBack together(post_.transport());
  const Status ended = part->at_once->Run(step);
  ran_at_once_[static_cast<size_t>(from)].emplace_back(message.step, part);
  post_.Send(from, Done{message.step, ended});
  return true;
}

void Worker::EndPart(int from, Step& step, const Part& part, const Status& status, RunMetadata* traced) {
  Payload trace;
  if (traced != nullptr) {
    MarkWaits(part.executor->plan(), *traced);
    Shift(*traced, clock_ahead_ns_);
    trace = PayloadOf(EncodeTrace(*traced));
  }
  post_.Send(from, Done{step.name.number, status, step.TakeWaits()}, std::move(trace));
}

void Worker::Take(int from, const Stop& message) {
  const std::shared_ptr<Step> step = steps_.Get({from, message.step.number});
  if (step != nullptr) step->Stop(message.status);
}

void Worker::Take(int from, const Probe& message) {
  for (const auto& [number, part] : ran_at_once_[static_cast<size_t>(from)]) {
    if (number == message.step) return post_.Send(from, Probed{message.step, message.round, part->at_once->Stand()});
  }
  const std::shared_ptr<Step> step = steps_.Find({from, message.step});
  if (step == nullptr) return;
  post_.Send(from, Probed{message.step, message.round, step->rendezvous->Stand()});
}

void Worker::Take(int from, const Close& message) {
  const std::shared_ptr<Step> step = steps_.Find({from, message.step});
  if (step == nullptr) return;
  if (message.sends_aliases) return step->rendezvous->SendAliases();
  step->rendezvous->CloseIfUnstirred(message.stirred);
}

void Worker::Take(int from, const Reset& message) {
  if (message.containers.empty()) environment_.resources.Clear("localhost");
  for (const std::string& container : message.containers) environment_.resources.Clear(container);
  post_.Send(from, Answer{message.request, OkStatus(), 0});
}

void Worker::Take(int from, const Save& message) {
  environment_.pool.Schedule([this, from, message] {
    SavedState state;
    const Status status = fast::Guard([&] {
      environment_.resources.Save(StateWriter(state, std::string(kResourcesPath)), fast::SavedKinds());
      if (const auto session = Find(from, message.session); session != nullptr) {
        session->kernels.Save(StateWriter(state, std::string(kKernelsPath)), /*only_made=*/true);
      }
      return OkStatus();
    });
    post_.Send(from, Saved{message.request, status}, status.ok() ? PayloadOf(EncodeState(state)) : Payload());
  });
}

void Worker::Take(int from, const Restore& message, Payload state) {
  environment_.pool.Schedule([this, from, message, state = std::move(state)] {
    const Status status = fast::Guard([&] {
      const SavedState saved = DecodeState({static_cast<const char*>(state.data), state.bytes});
      environment_.resources.Restore(saved, kResourcesPath, fast::SavedKinds());
      SessionOf(from, message.session)->kernels.Restore(StateBelow(saved, kKernelsPath));
      return OkStatus();
    });
    post_.Send(from, Answer{message.session.request, status, 0});
  });
}

std::shared_ptr<Worker::GuestSession> Worker::Find(int from, int64_t session) {
  MutexLock lock(mutex_);
  const auto found = sessions_.find({from, session});
  return found == sessions_.end() ? nullptr : found->second;
}

void Worker::Take(int from, const Time& message) {
  post_.Send(from, Answer{message.request, OkStatus(), fast::NowNanoseconds() + clock_ahead_ns_});
}

}  // namespace plumb::dist
