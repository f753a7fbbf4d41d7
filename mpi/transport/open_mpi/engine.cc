#include "mpi/transport/open_mpi/engine.h"

#include <algorithm>
#include <utility>

namespace plumb::dist {

Engine::Engine(MpiProcess& process, const MpiOptions& options)
    : process_(process),
      rank_(process.rank()),
      comm_((process.BellOf(rank_)->pulse = SteadyMilliseconds(), process.NewCommunicator())),
      inbox_(process, comm_, options.uses_shared_memory),
      outbox_(process, comm_, options.uses_shared_memory),
      watch_(process, options.patience),
      gone_(process.size()) {
  inbox_.heard = [this](int from) { watch_.Heard(from); };
  inbox_.left = [this](int from) {
    Lose(from, Status(Code::kCancelled, Str("rank ", from, " on ", process_.HostOf(from), " has stopped")));
  };
  inbox_.copied = [this](size_t bytes) {
    payloads_copied_.fetch_add(1, std::memory_order_relaxed);
    largest_copy_ = std::max(largest_copy_.load(), static_cast<int64_t>(bytes));
  };
}

bool Engine::Queue(Outgoing& message) {
  MutexLock lock(mutex_);
  if (is_closed_) return false;
  queue_.push_back(std::move(message));
  queued_.store(queue_.size(), std::memory_order_seq_cst);
  return true;
}

Traffic Engine::traffic() const {
  return {messages_sent_, messages_arrived_, payload_bytes_sent_, payloads_copied_, largest_copy_};
}

bool Engine::Turn(bool thorough) {
  bool any = TakeQueue();
  if (outbox_.Progress(ended_)) any = true;
  Receiver* receiver = receiver_;
  if (receiver != nullptr) {
    for (const int rank : std::exchange(untold_, {})) receiver->Lost(rank, gone_[rank]);
    for (; !to_itself_.empty(); any = true) {
      Outgoing message = std::move(to_itself_.front());
      to_itself_.pop_front();
      receiver->Arrive(rank_, message.head, std::move(message.payload));
    }
    if (inbox_.Poll(*receiver, thorough)) any = true;
    messages_arrived_.store(inbox_.arrived(), std::memory_order_relaxed);
  }
  const bool reads_clock = thorough || ++turns_ >= kTurnsPerClock;
  if (reads_clock) turns_ = 0;
  if (reads_clock && watch_.IsDue()) LookAround();
  if (!ended_.empty()) Tell();
  return any;
}

bool Engine::SendQueued() {
  TakeQueue();
  return is_busy() || !to_itself_.empty() || !ended_.empty();
}

bool Engine::TakeQueue() {
  if (!has_queued()) return false;
  {
    MutexLock lock(mutex_);
    taken_.swap(queue_);
    queued_.store(0, std::memory_order_seq_cst);
  }
  for (Outgoing& message : taken_) Launch(std::move(message));
  taken_.clear();
  outbox_.Flush(ended_);
  return true;
}

void Engine::Launch(Outgoing message) {
  if (!gone_[message.to].ok()) {
    if (message.sent) ended_.push_back({std::move(message.sent), gone_[message.to]});
    return;
  }
  const auto bytes = static_cast<int64_t>(message.payload.bytes);
  bool is_copied = false;
  if (message.to == rank_) {
    if (message.sent) ended_.push_back({std::exchange(message.sent, nullptr), {}});
    to_itself_.push_back(std::move(message));
  } else {
    is_copied = outbox_.Launch(Kind::kMessage, std::move(message), ended_);
  }
  messages_sent_.fetch_add(1, std::memory_order_relaxed);
  payload_bytes_sent_.fetch_add(bytes, std::memory_order_relaxed);
  if (!is_copied) return;
  payloads_copied_.fetch_add(1, std::memory_order_relaxed);
  largest_copy_ = std::max(largest_copy_.load(), bytes);
}

void Engine::Tell() {
  std::vector<Ended> ended;
  ended.swap(ended_);
  for (Ended& one : ended) one.sent(one.status);
}

void Engine::LookAround() {
  for (const auto& [lost, status] : watch_.Look()) {
    process_.LeaveUnfinished();
    Lose(lost, status);
  }
  for (const int to : watch_.far()) outbox_.Launch(Kind::kPulse, {to, {}, {}, nullptr}, ended_);
  outbox_.Flush(ended_);
}

void Engine::Lose(int rank, const Status& status) {
  if (!gone_[rank].ok()) return;
  gone_[rank] = status;
  watch_.Forget(rank);
  outbox_.Abandon(rank, status, ended_);
  inbox_.Abandon(rank);
  if (rank == rank_) return;
  Receiver* receiver = receiver_;
  if (receiver == nullptr) return untold_.push_back(rank);
  receiver->Lost(rank, status);
}

void Engine::SayGoodbye() {
  for (int to = 0; to < process_.size(); ++to) {
    if (to != rank_ && gone_[to].ok()) outbox_.Launch(Kind::kGoodbye, {to, {}, {}, nullptr}, ended_);
  }
  outbox_.Flush(ended_);
}

void Engine::LoseAll(const Status& status) {
  process_.LeaveUnfinished();
  for (int to = 0; to < process_.size(); ++to) Lose(to, status);
}

void Engine::Close() {
  const Status stopped(Code::kCancelled, "the transport was stopped");
  {
    MutexLock lock(mutex_);
    is_closed_ = true;
    for (Outgoing& message : queue_) {
      if (message.sent) ended_.push_back({std::move(message.sent), stopped});
    }
    queue_.clear();
    queued_.store(0, std::memory_order_seq_cst);
  }
  for (int to = 0; to < process_.size(); ++to) outbox_.Abandon(to, stopped, ended_);
  inbox_.Close();
  Tell();
}

}  // namespace plumb::dist
