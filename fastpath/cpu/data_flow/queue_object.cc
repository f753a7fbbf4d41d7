#include "fastpath/cpu/data_flow/queue_object.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <random>
#include <utility>

#include "fastpath/device/caught.h"
#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {
namespace {

// A component as it is when it enters the queue: rows that others may change are copied then.
QueueItem Entering(const Tensor& component, int64_t row) {
  QueueItem item{component, row};
  if (row == QueueItem::kWhole || !component.is_alias()) return item;
  return {TensorOf(item), QueueItem::kWhole};
}

// R31: later writes do not show in it. Rows that entered as such are of tensors that never change.
void Unalias(QueueElement& element) {
  for (QueueItem& item : element) {
    if (item.tensor.is_alias()) item.tensor = Unaliased(item.tensor);
  }
}

int64_t PriorityOf(const QueueElement& element) {
  const QueueItem& priority = element[0];
  return priority.tensor.data<int64_t>()[priority.row == QueueItem::kWhole ? 0 : priority.row];
}
// Q42: of a heap whose top has the smallest priority.
bool ComesLater(const QueueElement& a, const QueueElement& b) { return PriorityOf(a) > PriorityOf(b); }

uint64_t AnySeed() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

bool AreCompatible(const std::vector<PartialShape>& a, const std::vector<PartialShape>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PartialShape& x, const PartialShape& y) { return x.IsCompatibleWith(y); });
}

// For messages.
std::string Described(const QueueSpec& spec) {
  constexpr std::string_view kKinds[] = {"FIFO queue", "padding FIFO queue", "shuffling queue", "priority queue"};
  std::string components;
  for (size_t i = 0; i < spec.types.size(); ++i) {
    const std::string shape = spec.shapes.empty() ? "" : spec.shapes[i].ToString();
    components += Str(i == 0 ? "" : ", ", DTypeName(spec.types[i]), shape);
  }
  const std::string capacity = spec.capacity == INT64_MAX ? "no limit" : Str("room for ", spec.capacity);
  const std::string text = Str(kKinds[static_cast<size_t>(spec.kind)], " of (", components, ") with ", capacity);
  if (spec.kind != QueueKind::kShuffled) return text;
  return Str(text, ", min_after_dequeue ", spec.min_after_dequeue, ", seeds ", spec.seed, " and ", spec.seed2);
}

}  // namespace

bool QueueSpec::AgreesWith(const QueueSpec& other) const {
  if (kind != other.kind || types != other.types || capacity != other.capacity) return false;
  if (min_after_dequeue != other.min_after_dequeue || !AreCompatible(shapes, other.shapes)) return false;
  return (other.seed == 0 && other.seed2 == 0) || (other.seed == seed && other.seed2 == seed2);
}

// ---- What kernels ask for ------------------------------------------------------------------------------------------

void QueueObject::Describe(const std::string& name, const QueueSpec& spec) {
  MutexLock lock(mutex_);
  if (name_.empty()) name_ = name;
  if (spec_.types.empty()) {
    spec_ = spec;
    const bool needs_seeds = spec.kind == QueueKind::kShuffled && spec.seed == 0 && spec.seed2 == 0;  // R70
    stream_seed_ = needs_seeds ? AnySeed() : static_cast<uint64_t>(spec.seed);
    stream_seed2_ = needs_seeds ? AnySeed() : static_cast<uint64_t>(spec.seed2);
  }
  if (spec_.AgreesWith(spec)) return;
  throw InvalidArgument("the shared queue '", name_, "' is a ", Described(spec_), ", not a ", Described(spec));
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
      if (!Park(producers_.back().call)) Withdraw(id, answers);
    }
  }
  Give(answers);
}

void QueueObject::Consume(Consumer consumer) {
  Answers answers;
  {
    MutexLock lock(mutex_);
    const int64_t id = consumer.call.id = next_id_++;
    consumers_.push_back(std::move(consumer));
    Serve(answers);
    if (!consumers_.empty() && consumers_.back().call.id == id) {
      if (!Park(consumers_.back().call)) Withdraw(id, answers);
    }
  }
  Give(answers);
}

// The lock is held, so that no answer comes before the context has parked. `stop` takes it later.
bool QueueObject::Park(const Call& call) {
  const auto waits_for = [queue = weak_from_this(), id = call.id] {
    const auto alive = queue.lock();
    return alive == nullptr ? std::string("a queue that is gone") : alive->WaitOf(id);
  };
  return call.context->Park(waits_for, [queue = weak_from_this(), id = call.id] {
    if (const auto alive = queue.lock()) alive->Stop(id);  // else its destructor answers
  });
}

std::string QueueObject::WaitOf(int64_t id) {
  MutexLock lock(mutex_);
  const auto is_it = [id](const auto& each) { return each.call.id == id; };
  if (const auto found = std::find_if(consumers_.begin(), consumers_.end(), is_it); found != consumers_.end()) {
    const auto held = static_cast<int64_t>(found->held.size());
    const int64_t wanted = found->missing + held;
    return Str("queue '", name_, "': ", wanted, wanted == 1 ? " element" : " elements", " wanted, ", held, " there");
  }
  const auto found = std::find_if(producers_.begin(), producers_.end(), is_it);
  if (found == producers_.end()) return Str("queue '", name_, "': its answer is on its way");
  return found->closes ? Str("queue '", name_, "': others put elements in first")
                       : Str("queue '", name_, "': room, it holds ", Size(), " of ", spec_.capacity);
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
    changed = true;
    if (spec_.kind == QueueKind::kPriority && producer.components[0].rank() != (producer.next < 0 ? 0 : 1)) {  // Q42
      answers.push_back({std::move(producer.call),
                         Status(Code::kInvalidArgument, Str("queue '", name_, "': a priority must be a scalar"))});
      return true;
    }
    QueueElement element;
    element.reserve(producer.components.size());
    for (const Tensor& component : producer.components) element.push_back(Entering(component, producer.next));
    Insert(std::move(element));
    ++producer.next;
    --producer.left;
  }
  if (producer.left > 0) return false;
  answers.push_back({std::move(producer.call), OkStatus()});
  return changed = true;
}

// Whether the consumer has its answer.
bool QueueObject::Take(Consumer& consumer, Answers& answers, bool& changed) {
  if (is_closed_ && Size() < consumer.missing && !MayTakeFromClosed(consumer, answers)) return changed = true;
  if (spec_.kind == QueueKind::kPriority && Size() < consumer.missing) return false;  // Q42
  const int64_t available = is_closed_ ? Size() : Size() - spec_.min_after_dequeue;   // Q40
  const int64_t taken = std::min(available, consumer.missing);
  if (taken <= 0) return false;
  MoveOut(taken, consumer.held);
  consumer.missing -= taken;
  changed = true;
  const bool pads = spec_.kind == QueueKind::kPadding;  // Q41: once all are there
  if (!consumer.takes_one && !pads) std::for_each(consumer.held.end() - taken, consumer.held.end(), Unalias);  // Q21
  if (consumer.missing > 0) return false;
  if (!consumer.takes_one && pads) std::for_each(consumer.held.begin(), consumer.held.end(), Unalias);
  answers.push_back(
      {std::move(consumer.call), OkStatus(), consumer.takes_one, !consumer.takes_one, std::move(consumer.held)});
  return true;
}

// Q22, Q23: what it held is put back, and it asks for all there is, or has failed.
bool QueueObject::MayTakeFromClosed(Consumer& consumer, Answers& answers) {
  std::vector<QueueElement>& held = consumer.held;
  const int64_t left = Size();
  if (spec_.kind == QueueKind::kShuffled) {
    elements_.insert(elements_.end(), std::make_move_iterator(held.rbegin()), std::make_move_iterator(held.rend()));
  } else {
    elements_.insert(elements_.begin(), std::make_move_iterator(held.begin()), std::make_move_iterator(held.end()));
  }
  held.clear();
  if (consumer.or_fewer && spec_.kind == QueueKind::kPriority) elements_.clear();  // Q42
  if (consumer.or_fewer && Size() > 0) {
    consumer.missing = Size();
    return true;
  }
  answers.push_back({std::move(consumer.call),
                     Status(Code::kOutOfRange, Str("queue '", name_, "' is closed and has insufficient elements ",
                                                   "(requested ", consumer.missing, ", current size ", left, ")"))});
  return false;
}

void QueueObject::Insert(QueueElement element) {
  const bool has_priority = spec_.kind == QueueKind::kPriority;
  if (has_priority) element[0].tensor = Unaliased(element[0].tensor);
  elements_.push_back(std::move(element));
  if (has_priority) std::push_heap(elements_.begin(), elements_.end(), ComesLater);
}

void QueueObject::MoveOut(int64_t count, std::vector<QueueElement>& to) {
  if (spec_.kind == QueueKind::kFifo || spec_.kind == QueueKind::kPadding) {
    const auto end = elements_.begin() + count;
    std::move(elements_.begin(), end, std::back_inserter(to));
    elements_.erase(elements_.begin(), end);
    return;
  }
  for (; count > 0; --count) {
    if (spec_.kind == QueueKind::kPriority) {
      std::pop_heap(elements_.begin(), elements_.end(), ComesLater);
    } else {
      std::swap(elements_[NextWord() % elements_.size()], elements_.back());
    }
    to.push_back(std::move(elements_.back()));
    elements_.pop_back();
  }
}

// R80.
uint32_t QueueObject::NextWord() {
  Philox stream(stream_seed_, stream_seed2_);
  stream.Skip(static_cast<uint64_t>(words_used_) / 4);
  return stream.Next()[static_cast<size_t>(words_used_++ % 4)];
}

Status QueueObject::ClosedStatus() const { return Status(Code::kCancelled, Str("queue '", name_, "' is closed")); }

// ---- Answers: without the lock -------------------------------------------------------------------------------------

void QueueObject::Give(Answers& answers) const {
  for (Answer& answer : answers) {
    if (answer.status.ok()) {
      try {
        SetOutputs(answer);
      } catch (const std::exception&) {
        answer.status = CaughtStatus();
      }
    }
    answer.call.done(answer.status);
  }
}

void QueueObject::SetOutputs(const Answer& answer) const {
  if (!answer.takes_one && !answer.stacks) return;
  AsyncContext& context = *answer.call.context;
  for (size_t i = 0; i < spec_.types.size(); ++i) {
    context.SetOutput(static_cast<int>(i), answer.takes_one ? TensorOf(answer.elements[0][i])
                                                            : Stacked(context.pool(), spec_, i, answer.elements));
  }
}

QueueObject::~QueueObject() {
  Answers answers;
  const Status gone(Code::kNotFound, Str("queue '", name_, "' was dropped"));
  for (Producer& producer : producers_) answers.push_back({std::move(producer.call), gone});
  for (Consumer& consumer : consumers_) answers.push_back({std::move(consumer.call), gone});
  Give(answers);
}

}  // namespace plumb::fast::cpu
