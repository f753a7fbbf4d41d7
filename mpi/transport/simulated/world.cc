#include "mpi/transport/simulated/world.h"

#include <utility>

namespace plumb::dist {
namespace {

constexpr double kEnvelopeBytes = 64;  // that each letter has besides

Status HasStopped(int rank) { return Status(Code::kCancelled, Str("rank ", rank, " on this process has stopped")); }

uint64_t Mixed(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 29); }

uint64_t HashOf(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace

// By the driver, so that nothing is in its hands that comes after what has come before.
void SimulatedWorld::Start(int rank, Receiver* receiver) {
  Await(rank, [this, rank, receiver] {
    MutexLock lock(mutex_);
    End& end = ends_[rank];
    end.receiver = receiver;
    std::deque<Then> first;
    for (Letter& letter : std::exchange(end.early, {})) {
      const int64_t number = ++letters_made_;
      ++ends_[letter.from].unsettled;
      letters_.emplace(number, std::move(letter));
      first.push_back([this, number] { Arrive(number); });
    }
    for (const auto& [other, status] : std::exchange(end.lost, {})) {
      first.push_back([this, rank, other = other, status = status] { TellLost(rank, other, status); });
    }
    due_.insert(due_.begin(), first.begin(), first.end());
    return true;
  });
}

void SimulatedWorld::Employ(int rank, Asked work) {
  MutexLock lock(mutex_);
  ends_[rank].work = std::move(work);
}

Status SimulatedWorld::Refusal(const End& end, int other) {
  if (!end.gone.ok()) return end.gone;
  const auto lost = end.lost.find(other);
  return lost == end.lost.end() ? OkStatus() : lost->second;
}

void SimulatedWorld::Send(int from, int to, std::string head, Payload payload, Sent sent) {
  Require(to >= 0 && to < size_, "there is no rank ", to, ": the run has ranks 0 to ", size_ - 1);
  Status refused;
  {
    MutexLock lock(mutex_);
    End& end = ends_[from];
    refused = Refusal(end, to);
    if (refused.ok() && end.is_leaving) refused = Status(Code::kCancelled, "the transport was stopped");
    if (refused.ok()) {
      ++end.traffic.messages_sent;
      end.traffic.payload_bytes_sent += static_cast<int64_t>(payload.bytes);
      return Post({from, to, false, std::move(head), std::move(payload), std::move(sent)});
    }
    if (sent && end.gone.ok()) {
      ++end.unsettled;
      ++news_;
      due_.push_back([this, from, sent = std::move(sent), refused] { Settle(from, sent, refused); });
      return changed_.NotifyAll();
    }
  }
  if (sent) sent(refused);
}

void SimulatedWorld::Post(Letter letter) {
  const int64_t number = ++letters_made_;
  const int from = letter.from, to = letter.to;
  const double bytes = kEnvelopeBytes + static_cast<double>(letter.head.size() + letter.payload.bytes);
  ++ends_[from].unsettled;
  letters_.emplace(number, std::move(letter));
  PassTime();
  const int losses = network_.Send(from, to, bytes, [this, number]() PLUMB_NO_THREAD_SAFETY_ANALYSIS {
    due_.push_back([this, number] { Arrive(number); });
  });
  if (losses > options_.most_losses && from != to) CutOffNow(from);
  ++news_;
  if (!is_moved_by_those_who_wait()) changed_.NotifyAll();
}

void SimulatedWorld::Happens(double seconds, Then then) {
  PassTime();
  network_.After(seconds, [this, then = std::move(then)]() PLUMB_NO_THREAD_SAFETY_ANALYSIS { due_.push_back(then); });
  ++news_;
  if (!is_moved_by_those_who_wait()) changed_.NotifyAll();
}

void SimulatedWorld::After(int rank, double seconds, Then then) {
  MutexLock lock(mutex_);
  Happens(seconds, [this, rank, then = std::move(then)] {
    {
      MutexLock inner(mutex_);
      if (!ends_[rank].gone.ok()) return;
    }
    then();
  });
}

void SimulatedWorld::Arrive(int64_t number) {
  Letter letter;
  Receiver* receiver = nullptr;
  Status status;
  {
    MutexLock lock(mutex_);
    const auto found = letters_.find(number);
    if (found == letters_.end()) return;
    const int from = found->second.from;
    End& end = ends_[found->second.to];
    if (from != found->second.to && (end.is_cut_off || ends_[from].is_cut_off)) return;  // until that is noticed
    letter = std::move(found->second);
    letters_.erase(found);
    status = Refusal(end, from);
    if (status.ok() && end.receiver == nullptr) {
      end.early.push_back({from, letter.to, letter.is_goodbye, std::move(letter.head), std::move(letter.payload), {}});
    } else if (status.ok()) {
      receiver = end.receiver;
      if (!letter.is_goodbye) ++end.traffic.messages_arrived;
      ++arrivals_;
      for (const uint64_t part : {static_cast<uint64_t>(from * size_ + letter.to), HashOf(letter.head),
                                  static_cast<uint64_t>(letter.payload.bytes)}) {
        fingerprint_ = Mixed(fingerprint_, part);
      }
    }
  }
  const int from = letter.from;
  const Sent sent = std::move(letter.sent);
  if (receiver != nullptr) Hand(letter, *receiver);
  Settle(from, sent, status);
  LoseWhoIsDue();
}

void SimulatedWorld::Hand(Letter& letter, Receiver& receiver) {
  if (letter.is_goodbye) {
    TellLost(letter.to, letter.from, HasStopped(letter.from));
  } else {
    receiver.Arrive(letter.from, letter.head, std::move(letter.payload));
  }
  Stir(letter.to);
}

void SimulatedWorld::Settle(int from, const Sent& sent, const Status& status) {
  if (sent) sent(status);
  MutexLock lock(mutex_);
  --ends_[from].unsettled;
}

// The rank does what is left to do for it, and says goodbye; it is gone when all that it has sent has arrived.
void SimulatedWorld::Stop(int rank) {
  Await(rank, [this, rank] {
    Asked work;
    {
      MutexLock lock(mutex_);
      work = ends_[rank].work;
    }
    while (work && work()) {
    }
    MutexLock lock(mutex_);
    End& end = ends_[rank];
    end.work = nullptr;
    if (!end.gone.ok() || std::exchange(end.is_leaving, true)) return true;
    for (int other = 0; other < size_; ++other) {
      if (other != rank && !end.lost.contains(other)) Post({rank, other, true, {}, {}, {}});
    }
    return true;
  });
  Await(rank, [this, rank] {
    MutexLock lock(mutex_);
    End& end = ends_[rank];
    if (end.gone.ok() && end.unsettled > 0) return false;
    if (end.gone.ok()) end.gone = HasStopped(rank);
    return true;
  });
}

Traffic SimulatedWorld::traffic(int rank) const {
  MutexLock lock(mutex_);
  return ends_[rank].traffic;
}

double SimulatedWorld::now() const {
  MutexLock lock(mutex_);
  return network_.now();
}

int64_t SimulatedWorld::arrivals() const {
  MutexLock lock(mutex_);
  return arrivals_;
}

uint64_t SimulatedWorld::fingerprint() const {
  MutexLock lock(mutex_);
  return fingerprint_;
}

}  // namespace plumb::dist
