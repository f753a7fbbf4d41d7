// A line of attempts at an object, of which the first is answered when it can be: accumulators, barriers. Kernels leave
// an attempt and go; whoever changes the object answers all that can be answered then, on its own thread.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/device/async_kernel.h"

namespace plumb::fast::cpu {

// What an attempt comes to; the outputs are set when the lock is released.
struct LineAnswer {
  Status status;
  std::vector<Tensor> outputs = {};
};

// Takes the answer on: sets the outputs of the context, and gives the status to `done`, now or later.
using TakeAnswer = void (*)(AsyncContext& context, LineAnswer answer, AsyncKernel::Done done);

inline void SetOutputs(AsyncContext& context, LineAnswer answer, AsyncKernel::Done done) {
  for (size_t i = 0; i < answer.outputs.size(); ++i) {
    context.SetOutput(static_cast<int>(i), std::move(answer.outputs[i]));
  }
  done(answer.status);
}

// `Request` says what an attempt asks for. A subclass says in TryServe what becomes of it, and calls Serve when it has
// changed. Its destructor calls Dismiss.
template <class Request>
class WaitingLine : public Resource, public std::enable_shared_from_this<WaitingLine<Request>> {
 public:
  using Done = AsyncKernel::Done;

  // Answers `done` once, perhaps before it returns; until then the context is used.
  void Ask(AsyncContext& context, Done done, Request request, TakeAnswer take = SetOutputs) {
    Answers answers;
    {
      MutexLock lock(mutex_);
      const int64_t id = next_id_++;
      line_.push_back({{id, &context, std::move(done), take}, std::move(request)});
      Serve(answers);
      if (!line_.empty() && line_.back().call.id == id && !Park(line_.back())) Withdraw(id, answers);
    }
    Give(answers);
  }

 protected:
  struct Call {
    int64_t id;
    AsyncContext* context;
    Done done;
    TakeAnswer take;
  };
  struct Given {
    Call call;
    LineAnswer answer;
  };
  using Answers = std::vector<Given>;

  // Nothing: it must wait, and all behind it.
  virtual std::optional<LineAnswer> TryServe(const Request& request) PLUMB_REQUIRES(mutex_) = 0;
  // "accumulator 'a': 3 gradients wanted, 1 there".
  virtual std::string Describe(const Request& request) const PLUMB_REQUIRES(mutex_) = 0;

  void Serve(Answers& answers) PLUMB_REQUIRES(mutex_) {
    for (auto next = line_.begin(); next != line_.end();) {
      std::optional<LineAnswer> answer = TryServe(next->request);
      if (!answer && !kLetsOthersPass) return;
      if (!answer) {
        ++next;
        continue;
      }
      answers.push_back({std::move(next->call), std::move(*answer)});
      line_.erase(next);
      next = line_.begin();
    }
  }

  void Give(Answers& answers) const PLUMB_EXCLUDES(mutex_) {
    for (Given& given : answers) {
      given.call.take(*given.call.context, std::move(given.answer), std::move(given.call.done));
    }
  }

  // R5: the object was dropped; those who wait find it gone.
  void Dismiss(const Status& gone) PLUMB_EXCLUDES(mutex_) {
    Answers answers;
    {
      MutexLock lock(mutex_);
      for (Attempt& attempt : line_) answers.push_back({std::move(attempt.call), {gone}});
      line_.clear();
    }
    Give(answers);
  }

  mutable Mutex mutex_;

 private:
  // Where requests say so, those behind one that waits are answered: the first that can be, until none can.
  static constexpr bool kLetsOthersPass = requires { Request::kLetsOthersPass; };

  struct Attempt {
    Call call;
    Request request;
  };

  // The lock is held, so that no answer comes before the context has parked. `stop` takes it later.
  bool Park(const Attempt& attempt) PLUMB_REQUIRES(mutex_) {
    return attempt.call.context->Park(Describe(attempt.request), [line = this->weak_from_this(), id = attempt.call.id] {
      if (const auto alive = line.lock()) alive->Stop(id);  // else its destructor answers
    });
  }
  void Stop(int64_t id) PLUMB_EXCLUDES(mutex_) {
    Answers answers;
    {
      MutexLock lock(mutex_);
      Withdraw(id, answers);
    }
    Give(answers);
  }
  // Others may go on then.
  void Withdraw(int64_t id, Answers& answers) PLUMB_REQUIRES(mutex_) {
    const auto found =
        std::find_if(line_.begin(), line_.end(), [&](const Attempt& attempt) { return attempt.call.id == id; });
    if (found == line_.end()) return;
    answers.push_back({std::move(found->call), {Status(Code::kCancelled, "the operation was cancelled")}});
    line_.erase(found);
    Serve(answers);
  }

  std::deque<Attempt> line_ PLUMB_GUARDED_BY(mutex_);
  int64_t next_id_ PLUMB_GUARDED_BY(mutex_) = 1;
};

}  // namespace plumb::fast::cpu
