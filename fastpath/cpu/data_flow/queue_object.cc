#include "fastpath/cpu/data_flow/queue_object.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

Shape RowShape(const Tensor& rows) { return Shape(rows.shape().dims().subspan(1)); }

// The item's elements, at `offset` of a tensor of its type.
void CopyItem(const QueueItem& item, int64_t size, Tensor& to, int64_t offset) {
  const int64_t from = item.row == QueueItem::kWhole ? 0 : item.row * size;
  const GuardLock guard(item.tensor);  // R33
  CopyRun(to.dtype(), item.tensor.raw(), from, to.mutable_raw(), offset, size);
}

}  // namespace

Tensor TensorOf(const QueueItem& item) {
  if (item.row == QueueItem::kWhole) return item.tensor;
  Tensor copy = Allocate(item.tensor.dtype(), RowShape(item.tensor));
  CopyItem(item, copy.elements(), copy, 0);
  return copy;
}

namespace {

// A row as it is when it enters the queue: what others may change is copied then.
QueueItem Entering(const Tensor& component, int64_t row) {
  QueueItem item{component, row};
  if (row == QueueItem::kWhole || !component.is_alias()) return item;
  return {TensorOf(item), QueueItem::kWhole};
}

}  // namespace

// ---- What kernels ask for ------------------------------------------------------------------------------------------

void QueueObject::Describe(const std::string& name, const QueueSpec& spec) {
  MutexLock lock(mutex_);
  if (name_.empty()) name_ = name;
  if (spec_.types.empty()) spec_ = spec;
  Require(spec_ == spec, "the shared queue '", name_, "' has another capacity, or components of other types or shapes");
}

void QueueObject::Enqueue(AsyncContext& context, Done done, std::vector<Tensor> element) {
  Produce({{0, &context, std::move(done)}, false, std::move(element), QueueItem::kWhole, 1});
}

void QueueObject::EnqueueRows(AsyncContext& context, Done done, std::vector<Tensor> rows) {
  const int64_t count = rows.at(0).dim(0);
  if (count == 0) return done(OkStatus());  // Q11: at once, even if the queue is closed
  Produce({{0, &context, std::move(done)}, false, std::move(rows), 0, count});
}

void QueueObject::DequeueOne(AsyncContext& context, Done done) {
  Consume({{0, &context, std::move(done)}, true, false, 1, {}});
}

void QueueObject::DequeueBatch(AsyncContext& context, Done done, int64_t count, bool or_fewer) {
  if (count > 0) return Consume({{0, &context, std::move(done)}, false, or_fewer, count, {}});
  Answers answers(1);  // Q21: at once, even if the queue is closed
  answers[0] = {{0, &context, std::move(done)}, OkStatus(), false, true, {}};
  Give(answers);
}

void QueueObject::Close(AsyncContext& context, Done done, bool cancel_pending_enqueues) {
  if (!cancel_pending_enqueues) return Produce({{0, &context, std::move(done)}, true, {}, 0, 0});  // Q30
  Answers answers;
  {
    MutexLock lock(mutex_);
    is_closed_ = true;
    for (Producer& producer : producers_) answers.push_back({std::move(producer.call), ClosedStatus()});
    producers_.clear();
    answers.push_back({{0, &context, std::move(done)}, OkStatus()});
    Serve(answers);
  }
  Give(answers);
}

int64_t QueueObject::size() {
  MutexLock lock(mutex_);
  return Size();
}

bool QueueObject::is_closed() {
  MutexLock lock(mutex_);
  return is_closed_;
}

// ---- Attempts ------------------------------------------------------------------------------------------------------

void QueueObject::Produce(Producer producer) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    const int64_t id = producer.call.id = next_id_++;
    producers_.push_back(std::move(producer));
    Serve(answers);
    if (!producers_.empty() && producers_.back().call.id == id) {
      const Producer& waits = producers_.back();
      std::string what = waits.closes ? Str("queue '", name_, "': others put elements in first")
                                      : Str("queue '", name_, "': room, it holds ", Size(), " of ", spec_.capacity);
      if (!Park(waits.call, std::move(what))) Withdraw(id, answers);
    }
  }
  Give(answers);
}

void QueueObject::Consume(Consumer consumer) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    const int64_t id = consumer.call.id = next_id_++;
    const int64_t wanted = consumer.missing;
    consumers_.push_back(std::move(consumer));
    Serve(answers);
    if (!consumers_.empty() && consumers_.back().call.id == id) {
      const Consumer& waits = consumers_.back();
      std::string what = Str("queue '", name_, "': ", wanted, wanted == 1 ? " element" : " elements", " wanted, ",
                             waits.held.size(), " there");
      if (!Park(waits.call, std::move(what))) Withdraw(id, answers);
    }
  }
  Give(answers);
}

// The lock is held, so that no answer comes before the context has parked. `stop` takes it later.
bool QueueObject::Park(const Call& call, std::string waits_for) {
  return call.context->Park(std::move(waits_for), [queue = weak_from_this(), id = call.id] {
    if (const auto alive = queue.lock()) alive->Stop(id);  // else its destructor answers
  });
}

// Q7.
void QueueObject::Stop(int64_t id) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    Withdraw(id, answers);
  }
  Give(answers);
}

// Q11, Q24: what it put in stays, what it held is lost. Others may go on then.
void QueueObject::Withdraw(int64_t id, Answers& answers) {
  const auto withdraw_from = [&](auto& line) {
    const auto found = std::find_if(line.begin(), line.end(), [&](const auto& each) { return each.call.id == id; });
    if (found == line.end()) return false;
    answers.push_back({std::move(found->call), Status(Code::kCancelled, "the operation on the queue was cancelled")});
    line.erase(found);
    return true;
  };
  if (withdraw_from(producers_) || withdraw_from(consumers_)) Serve(answers);
}

// ---- Serving: under the lock ---------------------------------------------------------------------------------------

// Q1: the heads of both lines, in turn, as long as one can go on.
void QueueObject::Serve(Answers& answers) {
  for (bool changed = true; changed;) {
    changed = false;
    while (!producers_.empty() && Put(producers_.front(), answers, changed)) producers_.pop_front();
    while (!consumers_.empty() && Take(consumers_.front(), answers, changed)) consumers_.pop_front();
  }
}

// Whether the producer has its answer.
bool QueueObject::Put(Producer& producer, Answers& answers, bool& changed) {
  if (is_closed_) {  // Q10, Q30, Q32
    answers.push_back({std::move(producer.call), ClosedStatus()});
    return changed = true;
  }
  is_closed_ = producer.closes;
  while (producer.left > 0 && Size() < spec_.capacity) {
    QueueElement& element = elements_.emplace_back();
    element.reserve(producer.components.size());
    for (const Tensor& component : producer.components) element.push_back(Entering(component, producer.next));
    ++producer.next;
    --producer.left;
    changed = true;
  }
  if (producer.left > 0) return false;
  answers.push_back({std::move(producer.call), OkStatus()});
  return changed = true;
}

// Whether the consumer has its answer.
bool QueueObject::Take(Consumer& consumer, Answers& answers, bool& changed) {
  if (is_closed_ && Size() < consumer.missing) {
    TakeFromClosed(consumer, answers);
    return changed = true;
  }
  const int64_t taken = std::min(Size(), consumer.missing);
  if (taken == 0) return false;
  const auto end = elements_.begin() + taken;
  std::move(elements_.begin(), end, std::back_inserter(consumer.held));
  elements_.erase(elements_.begin(), end);
  consumer.missing -= taken;
  changed = true;
  if (consumer.missing > 0) return false;
  answers.push_back(
      {std::move(consumer.call), OkStatus(), consumer.takes_one, !consumer.takes_one, std::move(consumer.held)});
  return true;
}

// Q22, Q23.
void QueueObject::TakeFromClosed(Consumer& consumer, Answers& answers) {
  std::vector<QueueElement>& held = consumer.held;
  const int64_t left = Size();
  if (consumer.or_fewer && left + static_cast<int64_t>(held.size()) > 0) {
    std::move(elements_.begin(), elements_.end(), std::back_inserter(held));
    elements_.clear();
    answers.push_back({std::move(consumer.call), OkStatus(), false, true, std::move(held)});
    return;
  }
  elements_.insert(elements_.begin(), std::make_move_iterator(held.begin()), std::make_move_iterator(held.end()));
  answers.push_back({std::move(consumer.call),
                     Status(Code::kOutOfRange, Str("queue '", name_, "' is closed and has insufficient elements ",
                                                   "(requested ", consumer.missing, ", current size ", left, ")"))});
}

Status QueueObject::ClosedStatus() const { return Status(Code::kCancelled, Str("queue '", name_, "' is closed")); }

// ---- Answers: without the lock -------------------------------------------------------------------------------------

void QueueObject::Give(Answers& answers) const {
  for (Answer& answer : answers) {
    if (answer.status.ok()) {
      try {
        SetOutputs(answer);
      } catch (const Error& error) {
        answer.status = error.status();
      } catch (const std::bad_alloc&) {
        answer.status = Status(Code::kResourceExhausted, "out of memory for what was taken from a queue");
      }
    }
    answer.call.done(answer.status);
  }
}

void QueueObject::SetOutputs(const Answer& answer) const {
  if (!answer.takes_one && !answer.stacks) return;
  AsyncContext& context = *answer.call.context;
  for (size_t i = 0; i < spec_.types.size(); ++i) {
    context.SetOutput(static_cast<int>(i),
                      answer.takes_one ? TensorOf(answer.elements[0][i]) : Stacked(context.pool(), i, answer.elements));
  }
}

Tensor QueueObject::Stacked(ThreadPool& pool, size_t component, const std::vector<QueueElement>& elements) const {
  const Shape& each = spec_.shapes[component];
  std::vector<int64_t> dims = {static_cast<int64_t>(elements.size())};
  dims.insert(dims.end(), each.dims().begin(), each.dims().end());
  Tensor stacked = Allocate(spec_.types[component], Shape(dims));
  const int64_t size = each.elements();
  pool.ParallelFor(dims[0], GrainFor(size), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) CopyItem(elements[i][component], size, stacked, i * size);
  });
  return stacked;
}

QueueObject::~QueueObject() {
  Answers answers;
  {
    MutexLock lock(mutex_);
    const Status gone(Code::kNotFound, Str("queue '", name_, "' was dropped"));
    for (Producer& producer : producers_) answers.push_back({std::move(producer.call), gone});
    for (Consumer& consumer : consumers_) answers.push_back({std::move(consumer.call), gone});
  }
  Give(answers);
}

}  // namespace plumb::fast::cpu
