#include "fastpath/device/rendezvous.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace plumb::fast {
namespace {

// FNV-1a.
uint64_t Mix(uint64_t hash, std::string_view bytes) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// Numbers that follow a key's channel have at most so many digits, and a sign.
constexpr size_t kDigits = std::numeric_limits<uint64_t>::digits10 + 2;

char* Append(char* at, auto number) { return std::to_chars(at, at + kDigits, number).ptr; }

}  // namespace

uint64_t FrameIdOf(const FrameIteration& place) {
  if (place.outer == nullptr) return 0;
  char path[2 * kDigits + 2];
  char* end = Append(path, FrameIdOf(*place.outer));
  *end++ = ':';
  end = Append(end, place.outer->number);
  *end++ = ':';
  return Mix(Mix(0xcbf29ce484222325, {path, static_cast<size_t>(end - path)}), place.frame);
}

std::string RendezvousKey(const std::string& channel, const FrameIteration& place) {
  char iteration[2 * kDigits + 2];
  char* end = iteration;
  *end++ = ';';
  end = Append(end, FrameIdOf(place));
  *end++ = ':';
  end = Append(end, place.number);
  std::string key;
  key.reserve(channel.size() + static_cast<size_t>(end - iteration));
  key.append(channel).append(iteration, end);
  return key;
}

Status LocalRendezvous::Send(const std::string& key, Message message) {
  Waiting first;
  {
    MutexLock lock(mutex_);
    if (!aborted_.ok()) return aborted_;
    Queue& queue = queues_[key];
    if (queue.waiting.empty()) {
      queue.messages.push_back(std::move(message));
      return OkStatus();
    }
    first = std::move(queue.waiting.front());
    queue.waiting.pop_front();
    if (first.may_close) BeginWork(1);
    if (queue.waiting.empty()) queues_.erase(key);
  }
  first.receiver({OkStatus(), std::move(message)});
  return OkStatus();
}

void LocalRendezvous::Receive(const std::string& key, const void* who, bool may_close, Receiver receiver) {
  Outcome outcome;
  {
    MutexLock lock(mutex_);
    outcome.status = aborted_;
    if (aborted_.ok()) {
      Queue& queue = queues_[key];
      if (queue.messages.empty()) {
        queue.waiting.push_back({who, may_close, std::move(receiver)});
        if (!may_close) return;
      } else {
        outcome.message = std::move(queue.messages.front());
        queue.messages.pop_front();
        if (queue.messages.empty()) queues_.erase(key);
        may_close = false;
      }
    } else {
      may_close = false;
    }
  }
  if (may_close) return EndWork(1);
  receiver(std::move(outcome));
}

bool LocalRendezvous::Withdraw(const std::string& key, const void* who) {
  Waiting withdrawn;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  const auto queue = queues_.find(key);
  if (queue == queues_.end()) return false;
  auto& waiting = queue->second.waiting;
  const auto found = std::find_if(waiting.begin(), waiting.end(), [&](const Waiting& each) { return each.who == who; });
  if (found == waiting.end()) return false;
  withdrawn = std::move(*found);
  waiting.erase(found);
  if (withdrawn.may_close) BeginWork(1);
  if (waiting.empty()) queues_.erase(queue);
  return true;
}

std::vector<LocalRendezvous::Waiting> LocalRendezvous::TakeWaiting(bool only_closable) {
  std::vector<Waiting> taken;
  for (auto at = queues_.begin(); at != queues_.end();) {
    auto& waiting = at->second.waiting;
    for (auto each = waiting.begin(); each != waiting.end();) {
      if (only_closable && !each->may_close) {
        ++each;
        continue;
      }
      if (each->may_close) BeginWork(1);
      taken.push_back(std::move(*each));
      each = waiting.erase(each);
    }
    at = waiting.empty() && at->second.messages.empty() ? queues_.erase(at) : std::next(at);
  }
  return taken;
}

void LocalRendezvous::Abort(const Status& status) {
  std::map<std::string, Queue> dropped;
  std::vector<Waiting> waiting;
  {
    MutexLock lock(mutex_);
    if (!aborted_.ok()) return;
    aborted_ = status;
    waiting = TakeWaiting(false);
    dropped.swap(queues_);
  }
  for (Waiting& each : waiting) each.receiver({status, {}});
}

void LocalRendezvous::EndWork(int64_t count) {
  if (work_.fetch_sub(count, std::memory_order_acq_rel) == count) WhenIdle();
}

void LocalRendezvous::CloseReceivers() {
  std::vector<Waiting> waiting;
  {
    MutexLock lock(mutex_);
    waiting = TakeWaiting(true);
  }
  for (Waiting& each : waiting) each.receiver({OkStatus(), {}, true});
}

}  // namespace plumb::fast
