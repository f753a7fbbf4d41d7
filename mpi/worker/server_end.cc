// How a run ends for a rank: well, when all have left, or by the first failure that it hears of.
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "mpi/transport/deadline.h"
#include "mpi/worker/server.h"

namespace plumb::dist {

void Server::TakeDeparture(int from) {
  {
    MutexLock lock(mutex_);
    gone_.insert(from);
  }
  exchange_->TakeDeparture(from);
  TellOfDeparture();
}

void Server::GiveUp(const Status& status) {
  FailRun(Status(Code::kAborted, Str("rank ", rank(), " on ", HostOf(rank()), " gave up: ", status.ToString())));
}

// Others are told before anything that comes of it, so that what they say is why the run has failed.
void Server::FailRun(Status status) {
  if (!has_clients()) status = status.WithMessage(status.message() + GuestsWait());
  {
    MutexLock lock(mutex_);
    if (!run_.ok()) return;
    run_ = status;
  }
  for (int other = 0; other < post_.size(); ++other) {
    if (other != rank()) post_.Send(other, Failed{status});
  }
  master_->FailAll(status);
  TellOfDeparture();
}

std::string Server::GuestsWait() {
  constexpr size_t kListed = 3;
  std::string text;
  size_t steps = 0;
  for (int master = 0; master < post_.size(); ++master) {
    for (const std::shared_ptr<Step>& step : steps_.Of(master)) {
      const std::string waits = step->Waits();
      if (!waits.empty() && ++steps <= kListed) text += "; " + waits;
    }
  }
  return steps > kListed ? Str(text, "; and ", steps - kListed, " more steps") : text;
}

Status Server::run() {
  MutexLock lock(mutex_);
  return run_;
}

void Server::TellOfDeparture() {
  departures_.fetch_add(1, std::memory_order_release);
  changed_.NotifyAll();
  transport_->Nudge();
}

Status Server::Leave() {
  {
    MutexLock lock(mutex_);
    if (std::exchange(has_left_, true)) return run_;
  }
  exchange_->TakeDeparture(rank());  // of meetings that are kept here, too
  for (int other = 0; other < post_.size(); ++other) {
    if (other != rank()) post_.Send(other, dist::Leave{});
  }
  AwaitDeparture();
  transport_->Stop();
  return run();
}

bool Server::HaveLeft(bool clients_only) const {
  for (int other = 0; other < post_.size(); ++other) {
    if (other != rank() && (!clients_only || IsClient(other)) && !gone_.contains(other)) return false;
  }
  return true;
}

void Server::AwaitDeparture() {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end;
  const auto are_over = std::make_shared<std::atomic<bool>>(false);  // the last words, where no clock says so
  transport_->AwaitInOwnTime([&] {
    MutexLock lock(mutex_);
    const bool begins = !run_.ok() && !end;
    if (begins && KeepDeadline(options_.last_words, [are_over] { *are_over = true; })) end = Clock::time_point::max();
    return *are_over || MayStop(end);
  });
  if (*are_over) return;
  MutexLock lock(mutex_);
  while (!MayStop(end)) {
    if (end) {
      changed_.WaitUntil(mutex_, *end);
    } else {
      changed_.Wait(mutex_);
    }
  }
}

bool Server::MayStop(std::optional<std::chrono::steady_clock::time_point>& end) const {
  if (HaveLeft(/*clients_only=*/false)) return true;
  if (run_.ok()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!end) end = now + options_.last_words;
  return now >= *end;
}

bool Server::IsClient(int rank) const {
  const auto serves_only = [&](int other) { return cluster_.task(other).job == "ps"; };
  if (options_.clients == Clients::kAllWorkers) return !serves_only(rank);
  int first = 0;
  while (first + 1 < cluster_.size() && serves_only(first)) ++first;
  return rank == first;
}

Status Server::Serve() {
  int64_t seen = -1;
  const bool has_served = attendant_.ServeUntil([&] {
    const int64_t departures = departures_.load(std::memory_order_acquire);
    if (std::exchange(seen, departures) == departures) return false;
    MutexLock lock(mutex_);
    return IsServed();
  });
  MutexLock lock(mutex_);
  while (!has_served && !IsServed()) changed_.Wait(mutex_);
  return run_;
}

}  // namespace plumb::dist
