#include "mpi/transport/testing/mailbox.h"

#include <utility>

namespace plumb::dist {
namespace {

using Clock = std::chrono::steady_clock;

// Waits for news, or throws when it has waited until `end`.
void AwaitNews(Mutex& mutex, CondVar& changed, Clock::time_point end, const std::string& what) PLUMB_REQUIRES(mutex) {
  if (Clock::now() > end) throw Error(Code::kDeadlineExceeded, Str("waited in vain for ", what));
  changed.WaitUntil(mutex, end);
}

}  // namespace

Place Mailbox::PlaceFor(int /*from*/, std::string_view head, size_t bytes) {
  MutexLock lock(mutex_);
  ++calls_;
  if (head.starts_with("refuse")) return {};
  Place place = NewPlace(bytes);
  places_[place.data] = bytes;
  return place;
}

void Mailbox::Arrive(int from, std::string_view head, Payload payload) {
  Taker hook;
  {
    MutexLock lock(mutex_);
    ++calls_;
    if (lost_.count(from) != 0) wrong_ = Str("a message came from rank ", from, ", which is lost");
    if (payload.is_placed) {
      const auto place = places_.find(payload.data);
      if (place == places_.end() || place->second != payload.bytes) wrong_ = "a payload does not lie in its place";
      if (place != places_.end()) places_.erase(place);
    }
    hook = hook_;
  }
  if (hook && hook(from, head, payload)) return;
  MutexLock lock(mutex_);
  letters_[from].push_back({std::string(head), std::move(payload)});
  changed_.NotifyAll();
}

void Mailbox::Lost(int rank, const Status& status) {
  MutexLock lock(mutex_);
  ++calls_;
  if (!lost_.emplace(rank, status).second) wrong_ = Str("rank ", rank, " was lost twice");
  changed_.NotifyAll();
}

Letter Mailbox::Next(int from) {
  MutexLock lock(mutex_);
  auto& letters = letters_[from];
  const auto end = Clock::now() + kPatience;
  while (letters.empty() && wrong_.empty()) AwaitNews(mutex_, changed_, end, Str("a message of rank ", from));
  if (!wrong_.empty()) throw Internal(wrong_);
  Letter letter = std::move(letters.front());
  letters.pop_front();
  return letter;
}

Status Mailbox::WaitUntilLost(int rank) {
  MutexLock lock(mutex_);
  const auto end = Clock::now() + kPatience;
  while (lost_.count(rank) == 0) AwaitNews(mutex_, changed_, end, Str("the loss of rank ", rank));
  if (!wrong_.empty()) throw Internal(wrong_);
  return lost_[rank];
}

int64_t Mailbox::calls() {
  MutexLock lock(mutex_);
  return calls_;
}

void Mailbox::Hook(Taker hook) {
  MutexLock lock(mutex_);
  hook_ = std::move(hook);
}

Sent SentCount::Counted() {
  MutexLock lock(mutex_);
  ++handed_out_;
  return [this](const Status& status) {
    MutexLock inner(mutex_);
    ++called_;
    if (!status.ok()) ++failed_;
    changed_.NotifyAll();
  };
}

void SentCount::WaitForAll() {
  MutexLock lock(mutex_);
  const auto end = Clock::now() + Mailbox::kPatience;
  while (called_ < handed_out_) AwaitNews(mutex_, changed_, end, "messages to be sent");
}

int64_t SentCount::called() {
  MutexLock lock(mutex_);
  return called_;
}

int64_t SentCount::failed() {
  MutexLock lock(mutex_);
  return failed_;
}

int64_t SentCount::handed_out() {
  MutexLock lock(mutex_);
  return handed_out_;
}

}  // namespace plumb::dist
