#include "fastpath/cpu/data_flow/reader_object.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/caught.h"

namespace plumb::fast::cpu {

// The context waits where the queue parks it, and is stopped there when the one that asks is. Both flags are under the
// reader's lock.
struct ReaderObject::Question {
  Question(AsyncContext& asker, std::shared_ptr<QueueObject> at)
      : queue(std::move(at)),
        outputs(queue->spec().types.size()),
        context(asker.step(), nullptr, 0, outputs.data(), static_cast<int>(outputs.size()), nullptr, &asker.place(),
                /*is_dead=*/false, asker.rendezvous()) {}

  std::shared_ptr<QueueObject> queue;  // until it was asked
  std::vector<Entry> outputs;
  AsyncContext context;
  bool is_answered = false;
  bool has_waited = false;  // whoever answers goes on
};

void ReaderObject::Describe(const std::string& name, const ReaderSpec& spec) {
  MutexLock lock(mutex_);
  reader_.Declare(name, spec);
}

void ReaderObject::ReadOne(AsyncContext& context, Done done, const std::shared_ptr<QueueObject>& queue) {
  Join({.call = {0, &context, std::move(done)}, .queue = queue});
}

void ReaderObject::ReadUpTo(AsyncContext& context, Done done, const std::shared_ptr<QueueObject>& queue,
                            int64_t count) {
  Join({.call = {0, &context, std::move(done)}, .queue = queue, .count = count, .is_batch = true});
}

void ReaderObject::Do(AsyncContext& context, Done done, Act act) {
  Join({.call = {0, &context, std::move(done)}, .act = std::move(act)});
}

// ---- The line ------------------------------------------------------------------------------------------------------

void ReaderObject::Join(Attempt attempt) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    const int64_t id = attempt.call.id = next_id_++;
    line_.push_back(std::move(attempt));
    if (is_asking_ && !Park(line_.back(), Str("reader '", reader_.name(), "', from which another one reads"))) {
      Withdraw(id, answers);
    }
  }
  Give(answers);
  Advance();
}

// The lock is held, so that no answer comes before the context has parked. `stop` takes it later.
bool ReaderObject::Park(Attempt& attempt, std::string waits_for) {
  attempt.is_parked = true;
  return attempt.call.context->Park(std::move(waits_for), [reader = weak_from_this(), id = attempt.call.id] {
    if (const auto alive = reader.lock()) alive->Stop(id);
  });
}

void ReaderObject::Stop(int64_t id) {
  Answers answers;
  std::shared_ptr<Question> question;
  {
    MutexLock lock(mutex_);
    question = Withdraw(id, answers);
  }
  Give(answers);
  Stop(question);
}

// Of a step that is stopped: the queue parks nobody after that, so one that is not parked yet will have its answer.
void ReaderObject::Stop(const std::shared_ptr<Question>& question) {
  const std::shared_ptr<Waiter> waiter = question == nullptr ? nullptr : question->context.waiter();
  if (waiter != nullptr) waiter->Stop();
}

std::shared_ptr<ReaderObject::Question> ReaderObject::Withdraw(int64_t id, Answers& answers) {
  const bool is_first = !line_.empty() && line_.front().call.id == id;
  if (is_first && is_asking_) return question_.lock();
  if (is_first && work_) return nullptr;
  const auto found = std::find_if(line_.begin(), line_.end(), [&](const Attempt& each) { return each.call.id == id; });
  if (found == line_.end()) return nullptr;
  answers.push_back({std::move(found->call), Status(Code::kCancelled, "the operation on the reader was cancelled")});
  line_.erase(found);
  return nullptr;
}

void ReaderObject::Give(Answers& answers) {
  for (Answer& answer : answers) answer.call.done(answer.status);
}

// ---- Turns ---------------------------------------------------------------------------------------------------------

// As far as it goes now. A queue that answers at once does not call again from within: many files may be empty.
void ReaderObject::Advance() {
  const auto alive = shared_from_this();
  for (bool goes_on = true; goes_on;) {
    Answers answers;
    std::shared_ptr<Question> question;
    {
      MutexLock lock(mutex_);
      question = ServeLine(answers);
    }
    goes_on = question != nullptr && IsAnsweredAtOnce(question);
    Give(answers);
  }
}

// A question, where the first one in line needs a work item.
std::shared_ptr<ReaderObject::Question> ReaderObject::ServeLine(Answers& answers) {
  while (!line_.empty() && !is_asking_) {
    Attempt& first = line_.front();
    const auto queue = first.queue.lock();
    std::optional<Status> status = TryServe(first);
    if (!status && queue == nullptr) status = Status(Code::kNotFound, "a queue of work items was dropped");
    if (!status) {
      is_asking_ = true;
      const auto question = std::make_shared<Question>(*first.call.context, queue);
      question_ = question;
      return question;
    }
    answers.push_back({std::move(first.call), std::move(*status)});
    line_.pop_front();
  }
  return nullptr;
}

// Nothing: it needs a work item.
std::optional<Status> ReaderObject::TryServe(const Attempt& attempt) {
  try {
    if (attempt.act) {
      attempt.act(reader_, *attempt.call.context);
    } else if (!Read(attempt)) {
      return std::nullopt;
    }
    return OkStatus();
  } catch (const std::exception&) {
    return CaughtStatus();
  }
}

// Q51, Q52. False: it needs a work item.
bool ReaderObject::Read(const Attempt& attempt) {
  std::vector<Record> records;
  while (std::ssize(records) < attempt.count) {
    if (!reader_.HasWork()) {
      if (!work_) return false;  // there are no records yet
      BeginWork();
    }
    if (auto record = reader_.Next()) records.push_back(std::move(*record));
    if (!records.empty() && !reader_.HasWork()) break;
  }
  const Shape shape = attempt.is_batch ? Shape({std::ssize(records)}) : Shape();
  AsyncContext& context = *attempt.call.context;
  auto keys = context.AllocateOutput(0, DType::kString, shape).mutable_data<std::string>();
  auto values = context.AllocateOutput(1, DType::kString, shape).mutable_data<std::string>();
  for (size_t i = 0; i < records.size(); ++i) {
    keys[i] = std::move(records[i].key);
    values[i] = std::move(records[i].value);
  }
  return true;
}

void ReaderObject::BeginWork() {
  const Work work = std::move(*std::exchange(work_, std::nullopt));
  if (!work.status.ok()) throw Error(work.status);
  Require(work.components.size() == 1, "reader '", reader_.name(), "': a queue of work items has one component, not ",
          work.components.size());
  const Tensor item = Unaliased(work.components[0]);
  Require(item.dtype() == DType::kString && item.elements() == 1, "reader '", reader_.name(),
          "': a work item is one string, not ", DTypeName(item.dtype()), " of shape ", Printed(item.shape()));
  reader_.Begin(item.data<std::string>()[0]);
}

// ---- Questions -----------------------------------------------------------------------------------------------------

// Asks the queue. If it waits, whoever answers goes on with the line.
bool ReaderObject::IsAnsweredAtOnce(const std::shared_ptr<Question>& question) {
  const std::shared_ptr<QueueObject> queue = std::exchange(question->queue, nullptr);
  queue->DequeueOne(question->context, [reader = shared_from_this(), question](const Status& status) {
    reader->TakeWork(*question, status);
  });
  Answers answers;
  std::shared_ptr<Question> stopped;
  {
    MutexLock lock(mutex_);
    if (question->is_answered) return true;
    question->has_waited = true;
    stopped = ParkAll(answers);
  }
  Give(answers);
  Stop(stopped);
  return false;
}

// Those who joined while nobody asked. The question is that of the first one, where its step is stopped already.
std::shared_ptr<ReaderObject::Question> ReaderObject::ParkAll(Answers& answers) {
  std::vector<int64_t> stopped;
  for (Attempt& attempt : line_) {
    if (!attempt.is_parked && !Park(attempt, Str("reader '", reader_.name(), "', which waits for work"))) {
      stopped.push_back(attempt.call.id);
    }
  }
  std::shared_ptr<Question> question;
  for (const int64_t id : stopped) {
    if (auto asked = Withdraw(id, answers)) question = std::move(asked);
  }
  return question;
}

void ReaderObject::TakeWork(Question& question, const Status& status) {
  question.context.Unpark();
  {
    MutexLock lock(mutex_);
    work_.emplace(Work{status, {}});
    for (Entry& output : question.outputs) work_->components.push_back(std::move(output.tensor));
    is_asking_ = false;
    question.is_answered = true;
    if (!question.has_waited) return;
  }
  Advance();
}

// ---- Saving --------------------------------------------------------------------------------------------------------

void ReaderObject::Save(const StateWriter& writer) const {
  MutexLock lock(mutex_);
  reader_.Save(writer);
}

void ReaderObject::Restore(const StateReader& reader) {
  MutexLock lock(mutex_);
  reader_.Restore(reader);
}

}  // namespace plumb::fast::cpu
