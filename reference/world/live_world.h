// A world in which client threads run steps (rules S2–S4): one of them at a time moves it, for all.
#pragma once

#include <chrono>
#include <condition_variable>
#include <optional>
#include <thread>
#include <vector>

#include "reference/world/drivers/first.h"
#include "reference/world/fair_mutex.h"
#include "reference/world/world.h"

namespace plumb::reference {

// S4: when a step's time is up.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  // Counted from now; none when timeout_ms is not positive.
  explicit Deadline(int64_t timeout_ms);
  const std::optional<Clock::time_point>& at() const { return at_; }
  bool HasPassed() const { return at_ && Clock::now() > *at_; }
  // What the step ends with: the message says who waits for what.
  Status Exceeded(const std::vector<Waiting>& waiting) const;

 private:
  int64_t timeout_ms_;
  std::optional<Clock::time_point> at_;
};

// What became of steps that ran together, in the order in which they were given.
struct Together {
  std::vector<StepOutcome> outcomes;
  std::vector<Waiting> stuck;  // not empty: these waited, and nothing could move any more
};

class LiveWorld {
 public:
  // Runs one step. Moves the world as long as nobody else does; while nothing can move, waits for another thread's
  // step, for the deadline or for Close.
  StepOutcome Run(std::shared_ptr<const Program> program, const Deadline& deadline);
  // Runs steps beside each other which, with those under way, are all there will be: when nothing can move any more,
  // those that are left end at once, as a deadline of any length would have ended them.
  Together RunTogether(std::span<const std::shared_ptr<const Program>> programs, Driver& driver);

  // P1: starts a step in pieces. P2, P4: a piece feeds it, by slot, and then runs until its fetches are there, or all
  // of the step is over; ends it when that cannot be. Several may run at once.
  StepId Begin(std::shared_ptr<const Program> program);
  struct Piece {
    std::vector<size_t> fetches;
    bool is_last = false;
  };
  void BeginPiece(StepId step, std::vector<std::pair<int, Value>> feeds);
  StepOutcome RunPiece(StepId step, const Piece& piece);

  // R5, between two events.
  void Reset(std::span<const std::string> containers);
  // As World::Save and World::Restore.
  void Save(SavedState& state);
  void Restore(const SavedState& state);
  // Ends all steps, those to come as well. May be called by an observer.
  void Close();
  bool IsClosed() const { return closed_; }

 private:
  using Lock = std::unique_lock<FairMutex>;
  template <class Enough>
  void Move(Lock& lock, Driver& driver, const Enough& enough);
  bool IsMoved() const { return mover_ != std::thread::id(); }
  bool AreOver(const std::vector<StepId>& steps) const;
  StepOutcome EndPiece(StepId step, const Piece& piece);
  void EndAll();

  FairMutex mutex_;  // held for each event
  std::condition_variable_any changed_;
  World world_;
  std::atomic<bool>& closed_ = world_.closed();
  std::atomic<std::thread::id> mover_;  // who moves the world
  struct Pieces {
    int here = 0;          // that have begun and not ended
    bool is_done = false;  // no other is to come
  };
  std::map<StepId, Pieces> pieces_;  // of steps in pieces
  FirstDriver first_;
};

}  // namespace plumb::reference
