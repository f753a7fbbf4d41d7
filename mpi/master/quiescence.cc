#include "mpi/master/quiescence.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace plumb::dist {
namespace {

constexpr auto kTick = std::chrono::milliseconds(2);
constexpr int kMostPatience = 32;  // ticks
constexpr int kTicksAwake = 100;   // without a step

}  // namespace

bool IsQuiescent(const std::map<int, Standing>& standings) {
  for (const auto& [rank, standing] : standings) {
    if (!standing.is_idle) return false;
  }
  for (const auto& [sender, out] : standings) {
    for (const auto& [receiver, in] : standings) {
      const auto to = static_cast<size_t>(receiver), from = static_cast<size_t>(sender);
      if (to >= out.sent.size() || from >= in.received.size() || out.sent[to] != in.received[from]) return false;
    }
  }
  return true;
}

QuiescenceWatch::QuiescenceWatch(Post& post) : post_(post) {
  sleeps_ = post_.transport().HasOwnTime();
  if (!sleeps_) thread_ = std::thread([this] { Loop(); });
}

QuiescenceWatch::~QuiescenceWatch() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

void QuiescenceWatch::Stop() {
  MutexLock lock(mutex_);
  is_over_ = true;
  changed_.NotifyAll();
}

void QuiescenceWatch::Begin(const std::shared_ptr<OwnStep>& step) {
  const bool has_own_time = post_.transport().HasOwnTime();
  bool wake;
  {
    MutexLock lock(mutex_);
    watched_[step->number()].step = step;
    wake = has_own_time ? std::exchange(sleeps_, false) : sleeps_;
  }
  if (!wake) return;
  if (has_own_time) {
    post_.transport().After(kTick, [this] { TickOnce(); });
  } else {
    changed_.NotifyAll();
  }
}

void QuiescenceWatch::End(int64_t step) {
  Watched ended;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  const auto found = watched_.find(step);
  if (found == watched_.end()) return;
  ended = std::move(found->second);
  watched_.erase(found);
}

std::vector<std::pair<std::shared_ptr<OwnStep>, int64_t>> QuiescenceWatch::Tick() {
  std::vector<std::pair<std::shared_ptr<OwnStep>, int64_t>> due;
  for (auto& [number, watched] : watched_) {
    if (watched.is_asked || --watched.ticks_left >= 0) continue;
    watched.is_asked = true;
    watched.answers.clear();
    due.emplace_back(watched.step, ++watched.round);
  }
  return due;
}

void QuiescenceWatch::Loop() {
  int ticks_without_step = 0;
  while (true) {
    std::vector<std::pair<std::shared_ptr<OwnStep>, int64_t>> due;
    {
      MutexLock lock(mutex_);
      ticks_without_step = watched_.empty() ? ticks_without_step + 1 : 0;
      if (ticks_without_step > kTicksAwake) {
        sleeps_ = true;
        while (watched_.empty() && !is_over_) changed_.Wait(mutex_);
        sleeps_ = false;
        ticks_without_step = 0;
      }
      const auto next = std::chrono::steady_clock::now() + kTick;
      while (!is_over_ && std::chrono::steady_clock::now() < next) changed_.WaitUntil(mutex_, next);
      if (is_over_) return;
      due = Tick();
    }
    Probe(due);
  }
}

void QuiescenceWatch::TickOnce() {
  std::vector<std::pair<std::shared_ptr<OwnStep>, int64_t>> due;
  {
    MutexLock lock(mutex_);
    sleeps_ = watched_.empty();
    if (sleeps_) return;
    due = Tick();
  }
  post_.transport().After(kTick, [this] { TickOnce(); });
  Probe(due);
}

void QuiescenceWatch::Probe(const std::vector<std::pair<std::shared_ptr<OwnStep>, int64_t>>& due) {
  for (const auto& [step, round] : due) {
    for (const int rank : step->ranks()) post_.Send(rank, dist::Probe{step->number(), round});
  }
}

void QuiescenceWatch::Take(int from, const Probed& answer) {
  std::shared_ptr<OwnStep> step;
  std::map<int, Standing> standings;
  {
    MutexLock lock(mutex_);
    const auto found = watched_.find(answer.step);
    if (found == watched_.end() || found->second.round != answer.round || !found->second.is_asked) return;
    Watched& watched = found->second;
    watched.answers[from] = answer.standing;
    if (watched.answers.size() < watched.step->ranks().size()) return;
    watched.is_asked = false;
    watched.patience = std::min(2 * watched.patience, kMostPatience);
    watched.ticks_left = watched.patience;
    step = watched.step;
    standings.swap(watched.answers);
  }
  standings[post_.rank()] = step->rendezvous().Stand();
  if (IsQuiescent(standings)) CloseReceivers(*step, standings);
}

void QuiescenceWatch::CloseReceivers(OwnStep& step, const std::map<int, Standing>& standings) {
  const bool are_kept =
      std::any_of(standings.begin(), standings.end(), [](const auto& each) { return each.second.keeps_aliases; });
  for (const int rank : step.ranks()) post_.Send(rank, Close{step.number(), standings.at(rank).stirred, are_kept});
  if (are_kept) return;  // the client's part has the fetches, and keeps none
  step.rendezvous().CloseIfUnstirred(standings.at(post_.rank()).stirred);
}

}  // namespace plumb::dist
