#include "reference/state/queue.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <utility>

#include "reference/numbers/philox.h"
#include "reference/state/variable.h"

namespace plumb::reference {
namespace {

constexpr std::string_view kKindNames[] = {"FIFO queue", "padding FIFO queue", "shuffled queue", "priority queue"};

int64_t PriorityOf(const Tuple& element) { return element[0].tensor.scalar<int64_t>(); }
// Q42: of a heap whose top has the smallest priority.
bool ComesLater(const Tuple& a, const Tuple& b) { return PriorityOf(a) > PriorityOf(b); }

// Later writes do not show in it (rule R31).
void Detach(Tuple& element) {
  for (Value& component : element) component = Detached(std::move(component));
}

bool AreCompatible(const std::vector<PartialShape>& a, const std::vector<PartialShape>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PartialShape& x, const PartialShape& y) { return x.IsCompatibleWith(y); });
}

}  // namespace

bool QueueType::AgreesWith(const QueueType& other) const {
  const bool seeds_agree = (other.seed == 0 && other.seed2 == 0) || (other.seed == seed && other.seed2 == seed2);
  return kind == other.kind && types == other.types && AreCompatible(shapes, other.shapes) &&
         capacity == other.capacity && min_after_dequeue == other.min_after_dequeue && seeds_agree;
}

std::string QueueType::ToString() const {
  std::string text = Str(kKindNames[static_cast<size_t>(kind)], " of (");
  for (size_t i = 0; i < types.size(); ++i) {
    text += Str(i == 0 ? "" : ", ", DTypeName(types[i]), shapes.empty() ? "" : shapes[i].ToString());
  }
  text += Str(") with ", capacity < 0 ? std::string("no limit") : Str("room for ", capacity));
  if (kind != QueueKind::kShuffled) return text;
  return Str(text, ", of which ", min_after_dequeue, " stay, seeds ", seed, " and ", seed2);
}

void Queue::Declare(QueueType declared) {
  type = std::move(declared);
  stream_seed_ = static_cast<uint64_t>(type.seed);
  stream_seed2_ = static_cast<uint64_t>(type.seed2);
  if (type.kind != QueueKind::kShuffled || type.seed != 0 || type.seed2 != 0) return;  // R70
  std::random_device entropy;
  stream_seed_ = uint64_t{entropy()} << 32 | entropy();
  stream_seed2_ = uint64_t{entropy()} << 32 | entropy();
}

void Queue::Enqueue(int64_t ticket, Tuple element) {
  producers_.push_back({ticket, false, /*are_rows=*/false, {std::move(element)}});
  Serve();
}

void Queue::EnqueueRows(int64_t ticket, std::deque<Tuple> rows) {
  if (rows.empty()) return Succeed(ticket);  // Q11: at once, even if the queue is closed
  producers_.push_back({ticket, false, /*are_rows=*/true, std::move(rows)});
  Serve();
}

void Queue::Dequeue(int64_t ticket) {
  consumers_.push_back({ticket, 1, /*takes_one=*/true, /*or_fewer=*/false, {}});
  Serve();
}

void Queue::DequeueBatch(int64_t ticket, int64_t count, bool or_fewer) {
  if (count == 0) return Succeed(ticket);  // Q21: at once, even if the queue is closed
  consumers_.push_back({ticket, count, /*takes_one=*/false, or_fewer, {}});
  Serve();
}

void Queue::Close(int64_t ticket, bool cancel_pending_enqueues) {
  if (cancel_pending_enqueues) {  // Q31
    is_closed_ = true;
    for (const Producer& producer : std::exchange(producers_, {})) Fail(producer.ticket, ClosedStatus());
    Succeed(ticket);
  } else {
    producers_.push_back({ticket, true, /*are_rows=*/false, {}});  // Q30
  }
  Serve();
}

// Q1: heads only, in turn, until nothing changes.
void Queue::Serve() {
  bool changed = true;
  while (changed) {
    changed = ServeProducers();
    changed = ServeConsumers() || changed;
  }
}

bool Queue::ServeProducers() {
  bool changed = false;
  while (!producers_.empty()) {
    changed = Advance(producers_.front()) || changed;
    if (!IsServed(producers_.front().ticket)) break;
    producers_.pop_front();
  }
  return changed;
}

bool Queue::ServeConsumers() {
  bool changed = false;
  while (!consumers_.empty()) {
    changed = Advance(consumers_.front()) || changed;
    if (!IsServed(consumers_.front().ticket)) break;
    consumers_.pop_front();
  }
  return changed;
}

// Whether anything changed.
bool Queue::Advance(Producer& producer) {
  if (is_closed_) {  // Q10, Q30, Q32
    Fail(producer.ticket, ClosedStatus());
    return true;
  }
  if (producer.closes) {
    is_closed_ = true;
    Succeed(producer.ticket);
    return true;
  }
  bool changed = false;
  for (; !producer.elements.empty() && !IsFull(); changed = true) {
    Tuple& element = producer.elements.front();
    if (producer.are_rows) Detach(element);                                    // Q11
    if (type.kind == QueueKind::kPriority && element[0].tensor.rank() != 0) {  // Q42
      Fail(producer.ticket, Status(Code::kInvalidArgument, Str("the priority of an element is a scalar, not of shape ",
                                                               element[0].tensor.shape().ToString())));
      return true;
    }
    Put(std::move(element));
    producer.elements.pop_front();
  }
  if (producer.elements.empty()) Succeed(producer.ticket);
  return changed;
}

bool Queue::Advance(Consumer& consumer) {
  if (is_closed_ && size() < consumer.missing && !MayTakeFromClosed(consumer)) return true;
  bool changed = false;
  for (; consumer.missing > 0 && Available(consumer) > 0; changed = true) {
    consumer.held.push_back(TakeNext());
    --consumer.missing;
    if (!consumer.takes_one && type.kind != QueueKind::kPadding) Detach(consumer.held.back());  // Q21
  }
  if (consumer.missing > 0) return changed;
  if (!consumer.takes_one) std::for_each(consumer.held.begin(), consumer.held.end(), Detach);  // Q41
  Succeed(consumer.ticket, std::move(consumer.held));
  return changed;
}

// Q22, Q23: what it held is put back, and it asks for all there is, or fails.
bool Queue::MayTakeFromClosed(Consumer& consumer) {
  const int64_t left = size();
  if (type.kind == QueueKind::kShuffled) {  // Q40: behind the others
    std::move(consumer.held.rbegin(), consumer.held.rend(), std::back_inserter(elements_));
  } else {
    std::move(consumer.held.rbegin(), consumer.held.rend(), std::front_inserter(elements_));
  }
  consumer.held.clear();
  if (consumer.or_fewer && type.kind == QueueKind::kPriority) elements_.clear();  // Q42
  if (consumer.or_fewer && !elements_.empty()) {
    consumer.missing = size();
    return true;
  }
  Fail(consumer.ticket, Status(Code::kOutOfRange, Str("queue '", name, "' is closed and has insufficient elements ",
                                                      "(requested ", consumer.missing, ", current size ", left, ")")));
  return false;
}

// How many elements this attempt may take now.
int64_t Queue::Available(const Consumer& consumer) const {
  if (type.kind == QueueKind::kPriority && size() < consumer.missing) return 0;  // Q42
  return is_closed_ ? size() : size() - type.min_after_dequeue;                  // Q40
}

void Queue::Put(Tuple element) {
  if (type.kind != QueueKind::kPriority) return elements_.push_back(std::move(element));
  element[0] = Detached(std::move(element[0]));
  elements_.push_back(std::move(element));
  std::push_heap(elements_.begin(), elements_.end(), ComesLater);
}

Tuple Queue::TakeNext() {
  if (type.kind == QueueKind::kShuffled) {  // the last one fills the place
    Philox stream(stream_seed_, stream_seed2_);
    stream.Skip(static_cast<uint64_t>(words_taken_ / 4));
    const uint32_t word = stream.Next()[static_cast<size_t>(words_taken_++ % 4)];
    std::swap(elements_[word % elements_.size()], elements_.back());
  } else if (type.kind == QueueKind::kPriority) {
    std::pop_heap(elements_.begin(), elements_.end(), ComesLater);
  } else {
    Tuple first = std::move(elements_.front());
    elements_.pop_front();
    return first;
  }
  Tuple next = std::move(elements_.back());
  elements_.pop_back();
  return next;
}

Status Queue::ClosedStatus() const { return Status(Code::kCancelled, Str("queue '", name, "' is closed")); }

void Queue::Succeed(int64_t ticket, std::deque<Tuple> elements) {
  answers_[ticket] = {OkStatus(), std::move(elements)};
}

bool Queue::Has(int64_t ticket) const {
  const auto is_its = [&](const auto& attempt) { return attempt.ticket == ticket; };
  return IsServed(ticket) || std::any_of(producers_.begin(), producers_.end(), is_its) ||
         std::any_of(consumers_.begin(), consumers_.end(), is_its);
}

std::string Queue::WaitsFor(int64_t ticket) const {
  for (const Consumer& consumer : consumers_) {
    if (consumer.ticket != ticket) continue;
    const int64_t wanted = consumer.missing + std::ssize(consumer.held);
    return Str("queue '", name, "': ", wanted, wanted == 1 ? " element" : " elements", " wanted, ",
               wanted - consumer.missing, " there");
  }
  for (const Producer& producer : producers_) {
    if (producer.ticket == ticket && producer.closes) return Str("queue '", name, "': others put elements in first");
  }
  return Str("queue '", name, "': room, it holds ", size(), " of ", type.capacity);
}

// Q7, Q24: what it held is lost, what it put in stays.
void Queue::Drop(int64_t ticket) {
  const auto is_its = [&](const auto& attempt) { return attempt.ticket == ticket; };
  std::erase_if(producers_, is_its);
  std::erase_if(consumers_, is_its);
  answers_.erase(ticket);
  Serve();
}

// What it holds may be aliases, whose buffers have copies of their own in the fork.
std::shared_ptr<Resource> Queue::Clone(Copies& copies) const {
  auto clone = std::make_shared<Queue>(*this);
  const auto relink = [&](std::deque<Tuple>& elements) {
    for (Tuple& element : elements) {
      for (Value& component : element) Relink(component, copies);
    }
  };
  relink(clone->elements_);
  for (Producer& producer : clone->producers_) relink(producer.elements);
  for (Consumer& consumer : clone->consumers_) relink(consumer.held);
  for (auto& [ticket, answer] : clone->answers_) relink(answer.elements);
  return clone;
}

}  // namespace plumb::reference
