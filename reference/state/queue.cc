#include "reference/state/queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference/state/variable.h"

namespace plumb::reference {

std::string QueueType::ToString() const {
  std::string text = "(";
  for (size_t i = 0; i < types.size(); ++i) {
    text += Str(i == 0 ? "" : ", ", DTypeName(types[i]), shapes.empty() ? "" : shapes[i].ToString());
  }
  return Str(text, ") with ", capacity < 0 ? std::string("no limit") : Str("room for ", capacity));
}

void Queue::Enqueue(int64_t ticket, std::deque<Tuple> elements) {
  if (elements.empty()) return Succeed(ticket);  // Q11: at once, even if the queue is closed
  producers_.push_back({ticket, false, std::move(elements)});
  Serve();
}

void Queue::Dequeue(int64_t ticket, int64_t count, bool or_fewer) {
  if (count == 0) return Succeed(ticket);  // Q21: at once, even if the queue is closed
  consumers_.push_back({ticket, count, or_fewer, {}});
  Serve();
}

void Queue::Close(int64_t ticket, bool cancel_pending_enqueues) {
  if (cancel_pending_enqueues) {  // Q31
    is_closed_ = true;
    for (const Producer& producer : std::exchange(producers_, {})) Fail(producer.ticket, ClosedStatus());
    Succeed(ticket);
  } else {
    producers_.push_back({ticket, true, {}});  // Q30
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
    elements_.push_back(std::move(producer.elements.front()));
    producer.elements.pop_front();
  }
  if (producer.elements.empty()) Succeed(producer.ticket);
  return changed;
}

bool Queue::Advance(Consumer& consumer) {
  if (is_closed_ && size() < consumer.missing) {
    ServeFromClosed(consumer);
    return true;
  }
  bool changed = false;
  for (; consumer.missing > 0 && !elements_.empty(); changed = true) {
    consumer.held.push_back(std::move(elements_.front()));
    elements_.pop_front();
    --consumer.missing;
  }
  if (consumer.missing == 0) Succeed(consumer.ticket, std::move(consumer.held));
  return changed;
}

// Q22, Q23: what it held is put back where it was.
void Queue::ServeFromClosed(Consumer& consumer) {
  const int64_t left = size();
  std::move(consumer.held.rbegin(), consumer.held.rend(), std::front_inserter(elements_));
  if (consumer.or_fewer && !elements_.empty()) return Succeed(consumer.ticket, std::exchange(elements_, {}));
  Fail(consumer.ticket, Status(Code::kOutOfRange, Str("queue '", name, "' is closed and has insufficient elements ",
                                                      "(requested ", consumer.missing, ", current size ", left, ")")));
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

void Queue::Save(const StateWriter& writer) const {
  std::vector<int32_t> types;
  for (const DType dtype : type.types) types.push_back(static_cast<int32_t>(dtype));
  writer.Put("types", MakeTensor<int32_t>({std::ssize(types)}, std::span<const int32_t>(types)));
  writer.PutScalar<bool>("has_shapes", !type.shapes.empty());
  for (size_t i = 0; i < type.shapes.size(); ++i) SaveShape(writer.Under("shapes"), Str(i), type.shapes[i]);
  writer.PutScalar<int64_t>("capacity", type.capacity);
  writer.PutScalar<bool>("is_closed", is_closed_);
  writer.PutScalar<int64_t>("size", size());
  for (size_t i = 0; i < elements_.size(); ++i) {
    const StateWriter element = writer.Under(Str("elements/", i));
    for (size_t k = 0; k < elements_[i].size(); ++k) SaveValue(element.Under(Str(k)), elements_[i][k]);
  }
}

void Queue::Restore(const StateReader& reader) {
  for (const int64_t dtype : ToInt64s(reader.Get("types"))) type.types.push_back(static_cast<DType>(dtype));
  if (reader.GetScalar<bool>("has_shapes")) {
    for (size_t i = 0; i < type.types.size(); ++i) {
      type.shapes.push_back(RestoredShape(reader.Under("shapes"), Str(i)).ToShape());
    }
  }
  type.capacity = reader.GetScalar<int64_t>("capacity");
  is_closed_ = reader.GetScalar<bool>("is_closed");
  const auto size = reader.GetScalar<int64_t>("size");
  for (int64_t i = 0; i < size; ++i) {
    const StateReader element = reader.Under(Str("elements/", i));
    Tuple& components = elements_.emplace_back();
    for (size_t k = 0; k < type.types.size(); ++k) components.push_back(RestoredValue(element.Under(Str(k))));
  }
}

}  // namespace plumb::reference
