// A line of attempts at an object, of which the first is served when it can be: accumulators, barriers (rule E2). What
// is staged lets those pass that can be served.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/numbers/value.h"
#include "reference/state/resources.h"
#include "reference/state/variable.h"

namespace plumb::reference {

// What an attempt comes to.
struct LineAnswer {
  Status status;
  std::vector<Value> values = {};
};

// `Request` says what an attempt asks for. Subclasses say in TryServe what becomes of it, and call Serve when they have
// changed.
template <class Request>
class WaitingLine : public Waitable {
 public:
  std::string name;  // for messages; not saved: its node says it again

  void Ask(int64_t ticket, Request request) {
    line_.push_back({ticket, std::move(request)});
    Serve();
  }
  LineAnswer Fetch(int64_t ticket) { return answers_.extract(ticket).mapped(); }
  // Whether it knows of this attempt, answered or not.
  bool Has(int64_t ticket) const { return IsServed(ticket) || Find(ticket) != line_.end(); }

  bool IsServed(int64_t ticket) const override { return answers_.contains(ticket); }
  std::string WaitsFor(int64_t ticket) const override { return Describe(Find(ticket)->request); }
  void Drop(int64_t ticket) override {
    std::erase_if(line_, [&](const Attempt& attempt) { return attempt.ticket == ticket; });
    answers_.erase(ticket);
    Serve();
  }

 protected:
  // Nothing: it must wait, and all behind it.
  virtual std::optional<LineAnswer> TryServe(const Request& request) = 0;
  virtual std::string Describe(const Request& request) const = 0;

  // In a fork of the world: aliases among what attempts bring, and what they are answered.
  void RelinkAttempts(Copies& copies) {
    for (Attempt& attempt : line_) RelinkAll(attempt.request.values, copies);
    for (auto& [ticket, answer] : answers_) RelinkAll(answer.values, copies);
  }
  static void RelinkAll(std::vector<Value>& values, Copies& copies) {
    for (Value& value : values) Relink(value, copies);
  }

  // Ends the wait of one attempt, wherever it stands.
  void Answer(int64_t ticket, LineAnswer answer) {
    std::erase_if(line_, [&](const Attempt& attempt) { return attempt.ticket == ticket; });
    answers_[ticket] = std::move(answer);
  }

  void Serve() {
    for (auto next = line_.begin(); next != line_.end();) {
      std::optional<LineAnswer> answer = TryServe(next->request);
      if (!answer && !kLetsOthersPass) return;
      if (!answer) {
        ++next;
        continue;
      }
      answers_[next->ticket] = std::move(*answer);
      line_.erase(next);
      next = line_.begin();
    }
  }

 private:
  // Where requests say so, those behind one that waits are served: the first that can be, until none can.
  static constexpr bool kLetsOthersPass = requires { Request::kLetsOthersPass; };

  struct Attempt {
    int64_t ticket;
    Request request;
  };
  auto Find(int64_t ticket) const {
    return std::find_if(line_.begin(), line_.end(), [&](const Attempt& attempt) { return attempt.ticket == ticket; });
  }

  std::deque<Attempt> line_;
  std::map<int64_t, LineAnswer> answers_;
};

}  // namespace plumb::reference
