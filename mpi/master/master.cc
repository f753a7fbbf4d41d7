#include "mpi/master/master.h"

#include <limits>
#include <utility>

#include "fastpath/execute/trace.h"
#include "fastpath/session/guard.h"
#include "mpi/protocol/state.h"
#include "mpi/protocol/trace.h"

namespace plumb::dist {
namespace {

constexpr int kTimesAsked = 8;                     // for a clock: the answer that came fastest counts
constexpr int64_t kReadingLasts = 30'000'000'000;  // nanoseconds

}  // namespace

int64_t Master::NewQuestion(int rank) {
  MutexLock lock(mutex_);
  Question& question = questions_[++questions_asked_];
  question.rank = rank;
  if (!failed_.ok()) question.answer = Answer{0, failed_, 0};
  if (const auto lost = lost_.find(rank); lost != lost_.end()) question.answer = Answer{0, lost->second, 0};
  return questions_asked_;
}

template <class T>
int64_t Master::Ask(int rank, T message, Payload payload) {
  message.request = NewQuestion(rank);
  post_.Send(rank, message, std::move(payload));
  return message.request;
}

Master::Question Master::Await(int64_t question) {
  post_.transport().AwaitInOwnTime([this, question] {
    MutexLock lock(mutex_);
    return questions_.at(question).answer.has_value();
  });
  MutexLock lock(mutex_);
  while (!questions_.at(question).answer) answered_.Wait(mutex_);
  Question answered = std::move(questions_.at(question));
  questions_.erase(question);
  if (!answered.answer->status.ok()) throw Error(answered.answer->status);
  return answered;
}

template <class T>
Master::Questions Master::AskOthers(const T& message) {
  Questions questions;
  for (int rank = 0; rank < post_.size(); ++rank) {
    if (rank != post_.rank()) questions.emplace_back(rank, Ask(rank, message));
  }
  return questions;
}

Status Master::AwaitAll(const Questions& questions,
                        const std::function<void(int rank, const Question& answered)>& take) {
  Status refused;
  for (const auto& [rank, question] : questions) {
    const Status status = fast::Guard([&, rank = rank, question = question] {
      take(rank, Await(question));
      return OkStatus();
    });
    if (refused.ok()) refused = status;
  }
  return refused;
}

void Master::Take(int from, const Answer& message) { TakeAnswer(from, message, {}); }

void Master::Take(int from, const Saved& message, const Payload& state) {
  TakeAnswer(from, {message.request, message.status, 0}, state);
}

void Master::TakeAnswer(int from, const Answer& message, const Payload& state) {
  {
    MutexLock lock(mutex_);
    const auto found = questions_.find(message.request);
    if (found == questions_.end() || found->second.rank != from || found->second.answer) return;
    found->second.answer = message;
    found->second.state = state;
  }
  answered_.NotifyAll();
}

std::vector<RemotePart> Master::Register(const dist::Register& common,
                                         std::vector<std::pair<int, std::string>> graphs) {
  Questions questions;
  for (auto& [rank, graph] : graphs) questions.emplace_back(rank, Ask(rank, common, PayloadOf(std::move(graph))));
  std::vector<RemotePart> registered;
  const Status refused = AwaitAll(questions, [&](int rank, const Question& answered) {
    if (answered.answer->number >= 0) registered.push_back({rank, answered.answer->number});
  });
  if (!refused.ok()) {
    Forget(common.session, registered);
    throw Error(refused);
  }
  return registered;
}

void Master::Reset(const std::vector<std::string>& containers) {
  const Status refused = AwaitAll(AskOthers(dist::Reset{0, containers}));
  if (!refused.ok()) throw Error(refused);
}

std::map<int, SavedState> Master::Save(int64_t session) {
  std::map<int, SavedState> states;
  const Status refused = AwaitAll(AskOthers(dist::Save{0, session}), [&](int rank, const Question& answered) {
    const Payload& state = answered.state;
    states[rank] = DecodeState({static_cast<const char*>(state.data), state.bytes});
  });
  if (!refused.ok()) throw Error(refused);
  return states;
}

void Master::Restore(const dist::Register& session, const std::map<int, SavedState>& states) {
  Questions questions;
  for (const auto& [rank, state] : states) {
    dist::Restore message{session};
    message.session.request = NewQuestion(rank);
    questions.emplace_back(rank, message.session.request);
    post_.Send(rank, message, PayloadOf(EncodeState(state)));
  }
  const Status refused = AwaitAll(questions);
  if (!refused.ok()) throw Error(refused);
}

void Master::Forget(int64_t session) {
  for (int rank = 0; rank < post_.size(); ++rank) {
    if (rank != post_.rank()) post_.Send(rank, dist::Forget{session});
  }
}

void Master::Forget(int64_t session, const std::vector<RemotePart>& parts) {
  for (const RemotePart& part : parts) post_.Send(part.rank, dist::Forget{session, part.number});
}

// A clock is read between the question and the answer, at the middle but for half of what passes between them.
ClockReading Master::ClockOf(int rank) {
  {
    MutexLock lock(mutex_);
    if (const auto lost = lost_.find(rank); lost != lost_.end()) throw Error(lost->second);
    if (!failed_.ok()) throw Error(failed_);
    const auto known = clocks_.find(rank);
    if (known != clocks_.end() && fast::NowNanoseconds() - known->second.read_at_ns < kReadingLasts) {
      return known->second.reading;
    }
  }
  ClockReading best{0, std::numeric_limits<int64_t>::max()};
  for (int time = 0; time < kTimesAsked; ++time) {
    const int64_t asked = fast::NowNanoseconds();
    const int64_t there = Await(Ask(rank, Time())).answer->number;
    const int64_t answered = fast::NowNanoseconds();
    const int64_t error = (answered - asked + 1) / 2;
    if (error < best.error_ns) best = {there - asked - error, error};
  }
  MutexLock lock(mutex_);
  clocks_[rank] = {best, fast::NowNanoseconds()};
  return best;
}

std::shared_ptr<OwnStep> Master::Begin(const std::vector<RemotePart>& parts, bool traces) {
  const std::shared_ptr<Step> step = steps_.AddOwn();
  const int64_t number = step->name.number;
  const auto together = std::make_shared<fast::StepParts>(step->rendezvous, pool_);
  static_cast<void>(step->Begin(together));  // nobody else stops it
  std::vector<int> ranks;
  ranks.reserve(parts.size());
  for (const RemotePart& part : parts) ranks.push_back(part.rank);
  const auto own = std::make_shared<OwnStep>(step, together, std::move(ranks));
  std::map<int, Status> lost;
  std::map<int, std::vector<int64_t>> over;
  Status failed;
  {
    MutexLock lock(mutex_);
    own_steps_[number] = own;
    lost = lost_;
    failed = failed_;
    for (const RemotePart& part : parts) {
      if (const auto ended = over_.find(part.rank); ended != over_.end()) over.insert(over_.extract(ended));
    }
  }
  together->Fail(failed);
  watch_.Begin(own);
  const int64_t oldest = steps_.OldestOwn(number);
  for (const RemotePart& part : parts) {
    const auto gone = lost.find(part.rank);
    if (gone != lost.end()) own->End(part.rank, gone->second);
    Start start{part.number, number, oldest, traces};
    if (const auto ended = over.find(part.rank); ended != over.end()) start.over = std::move(ended->second);
    post_.Send(part.rank, start);
  }
  return own;
}

void Master::End(const std::shared_ptr<OwnStep>& step) {
  const int64_t number = step->number();
  watch_.End(number);
  steps_.RemoveOwn(number);
  // Others forget all steps before the oldest that goes on; of a later one they are told.
  const bool is_told_of = steps_.OldestOwn(number) < number;
  MutexLock lock(mutex_);
  own_steps_.erase(number);
  for (const int rank : step->ranks()) {
    if (is_told_of) over_[rank].push_back(number);
  }
}

std::shared_ptr<OwnStep> Master::Find(int64_t step) {
  MutexLock lock(mutex_);
  const auto found = own_steps_.find(step);
  return found == own_steps_.end() ? nullptr : found->second;
}

void Master::Failed(int64_t step, const Status& status) {
  const std::shared_ptr<OwnStep> own = Find(step);
  if (own == nullptr) return;
  for (const int rank : own->ranks()) post_.Send(rank, Stop{{post_.rank(), step}, status});
}

void Master::Take(int from, const Done& message, const Payload& trace) {
  const auto own = Find(message.step);
  if (own == nullptr) return;
  if (trace.bytes > 0) own->Trace(from, DecodeTrace({static_cast<const char*>(trace.data), trace.bytes}));
  own->Waited(from, message.waits);
  own->End(from, message.status);
}

void Master::Take(int /*from*/, const Stop& message) {
  if (const auto own = Find(message.step.number); own != nullptr) own->parts()->Fail(message.status);
}

void Master::Lose(int rank, const Status& status) {
  std::vector<std::shared_ptr<OwnStep>> steps;
  {
    MutexLock lock(mutex_);
    lost_.emplace(rank, status);
    for (const auto& [number, own] : own_steps_) steps.push_back(own);
    for (auto& [number, question] : questions_) {
      if (question.rank == rank && !question.answer) question.answer = Answer{0, status, 0};
    }
  }
  answered_.NotifyAll();
  for (const auto& own : steps) own->End(rank, status);
}

void Master::FailAll(const Status& status) {
  std::vector<std::shared_ptr<OwnStep>> steps;
  {
    MutexLock lock(mutex_);
    failed_ = status;
    for (const auto& [number, own] : own_steps_) steps.push_back(own);
    for (auto& [number, question] : questions_) {
      if (!question.answer) question.answer = Answer{0, status, 0};
    }
  }
  answered_.NotifyAll();
  for (const auto& own : steps) own->parts()->Fail(status.WithMessage(Str(status.message(), "; ", own->Waits())));
}

}  // namespace plumb::dist
