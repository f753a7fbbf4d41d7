// Who lets the next thing happen in a simulated world, and what that is.
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "mpi/transport/deadline.h"
#include "mpi/transport/simulated/world.h"

namespace plumb::dist {
namespace {

using Clock = std::chrono::steady_clock;

// Threads that are none of the world's may give a rank work, or end somebody's wait: how often a driver that has
// nothing to do looks.
constexpr std::chrono::microseconds kLook{200};
// The same while something is always under way, such as the next question of somebody who waits for long.
constexpr int64_t kLookEvery = 256;  // things that happened

}  // namespace

thread_local const SimulatedWorld::Program* SimulatedWorld::this_program_ = nullptr;

SimulatedWorld::SimulatedWorld(int ranks, const SimulatedOptions& options)
    : size_(ranks),
      options_(options),
      areas_(options.shares_memory ? ranks : 0),
      network_(ranks, options.links),
      random_(options.links.seed ^ 0x5ca1ab1e),
      ends_(static_cast<size_t>(ranks)) {
  if (is_moved_by_those_who_wait()) return;
  thread_ = std::thread([this] {
    while (!is_over()) Drive();
  });
}

SimulatedWorld::~SimulatedWorld() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

bool SimulatedWorld::is_over() {
  MutexLock lock(mutex_);
  return is_over_;
}

void SimulatedWorld::Stop() {
  MutexLock lock(mutex_);
  is_over_ = true;
  changed_.NotifyAll();
}

double SimulatedWorld::Elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

void SimulatedWorld::PassTime() {
  if (options_.hands == Hands::kOwnInTime) network_.ReachTime(Elapsed());
}

void SimulatedWorld::Stir(int rank) {
  if (!is_moved_by_those_who_wait()) return;
  MutexLock lock(mutex_);
  stirred_.insert(rank);
}

void SimulatedWorld::StirAll() {
  for (int rank = 0; rank < size_; ++rank) stirred_.insert(stirred_.end(), rank);
}

void SimulatedWorld::Await(int rank, const Asked& is_over) {
  Stir(rank);
  MutexLock lock(mutex_);
  Waiter self{&is_over, this_program_};
  waiters_.push_back(&self);
  ++news_;
  if (self.program != nullptr && turn_ == self.program) turn_ = nullptr;
  changed_.NotifyAll();
  AwaitRelease(self);
}

void SimulatedWorld::AwaitRelease(Waiter& self) {
  while (!self.is_released) {
    if (!is_moved_by_those_who_wait() || has_driver_ || turn_ != nullptr) {
      changed_.Wait(mutex_);
      continue;
    }
    has_driver_ = true;
    while (!self.is_released && turn_ == nullptr) {
      MutexUnlock unlocked(mutex_);
      Drive();
    }
    has_driver_ = false;
    changed_.NotifyAll();
  }
}

void SimulatedWorld::RunTogether(const std::vector<Then>& programs) {
  const Asked begins = [] { return true; };
  std::vector<Program> own(programs.size(), Program{*this});
  std::vector<Waiter> first(programs.size());
  {
    MutexLock lock(mutex_);
    for (size_t i = 0; i < programs.size(); ++i) {
      first[i] = {&begins, &own[i]};
      waiters_.push_back(&first[i]);
    }
    programs_ += programs.size();
  }
  std::vector<std::thread> threads;
  for (size_t i = 0; i < programs.size(); ++i) {
    threads.emplace_back([&, i] {
      this_program_ = &own[i];
      {
        MutexLock lock(mutex_);
        AwaitRelease(first[i]);
      }
      programs[i]();
      {
        MutexLock lock(mutex_);
        turn_ = nullptr;
      }
      changed_.NotifyAll();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::multimap<double, Then> over;  // nobody is left to whom they matter; destroyed after the lock is released
  MutexLock lock(mutex_);
  programs_ -= programs.size();
  if (programs_ == 0) over.swap(deadlines_);
}

bool SimulatedWorld::KeepDeadline(double seconds, Then late) {
  if (this_program_ == nullptr) return false;
  SimulatedWorld& world = this_program_->world;
  MutexLock lock(world.mutex_);
  world.deadlines_.emplace(world.network_.now() + seconds, std::move(late));
  ++world.news_;
  return true;
}

bool KeepDeadline(std::chrono::nanoseconds time, std::function<void()> late) {
  return SimulatedWorld::KeepDeadline(std::chrono::duration<double>(time).count(), std::move(late));
}

void SimulatedWorld::Drive() {
  int64_t seen = 0;
  for (const Choice& choice : Choices(seen)) {
    if (!Try(choice)) continue;
    MutexLock lock(mutex_);
    idle_since_.reset();
    return;
  }
  Idle(seen);
}

// In the order in which they are tried.
std::vector<SimulatedWorld::Choice> SimulatedWorld::Choices(int64_t& seen) {
  MutexLock lock(mutex_);
  seen = news_;
  const bool is_last_chance = IsDeadlineNext();
  if (is_moved_by_those_who_wait() && (is_last_chance || ++driven_ % kLookEvery == 0)) StirAll();
  std::vector<Choice> choices;
  if (!is_last_chance) choices.emplace_back();  // what is under way
  for (const int rank : stirred_) choices.push_back({rank, nullptr});
  for (Waiter* const waiter : waiters_) choices.push_back({std::nullopt, waiter});
  std::shuffle(choices.begin(), choices.end(), random_);
  if (is_last_chance) choices.push_back({std::nullopt, nullptr, true});
  return choices;
}

bool SimulatedWorld::Try(const Choice& choice) {
  if (choice.waiter != nullptr) {
    if (!(*choice.waiter->is_over)()) return false;
    MutexLock lock(mutex_);
    choice.waiter->is_released = true;
    std::erase(waiters_, choice.waiter);
    turn_ = choice.waiter->program;
    changed_.NotifyAll();
    return true;
  }
  if (choice.rank) {
    Asked work;
    {
      MutexLock lock(mutex_);
      work = ends_[*choice.rank].work;
      stirred_.erase(*choice.rank);
    }
    if (!work || !work()) return false;
    MutexLock lock(mutex_);
    if (options_.shares_memory) {
      StirAll();  // it may have written what others look for
    } else {
      stirred_.insert(*choice.rank);
    }
    return true;
  }
  std::optional<Then> due = NextDue(choice.ends_deadlines);
  if (due) (*due)();
  return due.has_value();
}

std::optional<SimulatedWorld::Then> SimulatedWorld::NextDue(bool ends_deadlines) {
  MutexLock lock(mutex_);
  const double until = options_.hands == Hands::kOwnInTime ? Elapsed() : std::numeric_limits<double>::max();
  while (due_.empty() && !IsDeadlineNext() && network_.next() <= until) network_.Step();
  if (ends_deadlines && IsDeadlineNext()) {
    const auto first = deadlines_.begin();
    network_.ReachTime(first->first);
    due_.push_back(std::move(first->second));
    deadlines_.erase(first);
  }
  if (due_.empty()) return std::nullopt;
  Then next = std::move(due_.front());
  due_.pop_front();
  return next;
}

bool SimulatedWorld::IsDeadlineNext() const {
  return due_.empty() && !deadlines_.empty() && deadlines_.begin()->first <= network_.next();
}

void SimulatedWorld::Idle(int64_t seen) {
  MutexLock lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (is_moved_by_those_who_wait()) {
    StirAll();
    if (!idle_since_) idle_since_ = now;
    if (now - *idle_since_ > options_.patience) DeclareStuck();
    return changed_.WaitUntil(mutex_, now + kLook);
  }
  while (news_ == seen && !is_over_) {
    const double next = network_.next();
    if (next < Elapsed()) return;
    if (next == std::numeric_limits<double>::infinity()) {
      changed_.Wait(mutex_);
    } else {
      const std::chrono::duration<double> from_the_beginning(next);
      changed_.WaitUntil(mutex_, began_ + std::chrono::duration_cast<Clock::duration>(from_the_beginning));
    }
  }
}

// Whoever waits learns of it by the loss of all others.
void SimulatedWorld::DeclareStuck() {
  const Status stuck(Code::kInternal, "nothing is under way between the ranks, none has work, and somebody waits");
  for (int at = 0; at < size_; ++at) {
    for (int other = 0; other < size_; ++other) {
      if (at != other) due_.push_back([this, at, other, stuck] { TellLost(at, other, stuck); });
    }
  }
  idle_since_.reset();
}

}  // namespace plumb::dist
