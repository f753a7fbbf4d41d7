#include "reference/world/live_world.h"

#include <algorithm>

namespace plumb::reference {

Deadline::Deadline(int64_t timeout_ms) : timeout_ms_(timeout_ms) {
  // A year is as good as for ever, and is a time that clocks know.
  constexpr int64_t kYear = int64_t{365} * 24 * 3600 * 1000;
  if (timeout_ms > 0) at_ = Clock::now() + std::chrono::milliseconds(std::min(timeout_ms, kYear));
}

Status Deadline::Exceeded(const std::vector<Waiting>& waiting) const {
  return Status(Code::kDeadlineExceeded,
                Str("the step took more than ", timeout_ms_, " ms", waiting.empty() ? "" : "; ", ToString(waiting)));
}

StepOutcome LiveWorld::Run(std::shared_ptr<const Program> program, const Deadline& deadline) {
  Lock lock(mutex_);
  const StepId step = world_.Start(std::move(program));
  while (!world_.IsOver(step)) {
    if (closed_) {
      EndAll();
    } else if (deadline.HasPassed()) {
      world_.End(step, deadline.Exceeded(world_.waiting()));
    } else if (!IsMoved() && world_.enabled() > 0) {
      Move(lock, first_, [&] { return world_.IsOver(step) || deadline.HasPassed(); });
    } else if (deadline.at()) {
      changed_.wait_until(lock, *deadline.at());
    } else {
      changed_.wait(lock);
    }
  }
  changed_.notify_all();
  return world_.Take(step);
}

Together LiveWorld::RunTogether(std::span<const std::shared_ptr<const Program>> programs, Driver& driver) {
  Lock lock(mutex_);
  std::vector<StepId> steps;
  for (const auto& program : programs) steps.push_back(world_.Start(program));
  Together together;
  while (!AreOver(steps)) {
    if (closed_) {
      EndAll();
    } else if (IsMoved()) {
      changed_.wait(lock);
    } else if (world_.enabled() > 0) {
      Move(lock, driver, [&] { return AreOver(steps); });
    } else {
      together.stuck = world_.waiting();
      const Status stuck(Code::kDeadlineExceeded, "nothing can move any more; " + ToString(together.stuck));
      for (const StepId step : steps) world_.End(step, stuck);
    }
  }
  changed_.notify_all();
  for (const StepId step : steps) together.outcomes.push_back(world_.Take(step));
  return together;
}

StepId LiveWorld::Begin(std::shared_ptr<const Program> program) {
  const Lock lock(mutex_);
  return world_.Start(std::move(program));
}

void LiveWorld::BeginPiece(StepId step, std::vector<std::pair<int, Value>> feeds) {
  const Lock lock(mutex_);
  ++pieces_[step].here;
  for (auto& [slot, value] : feeds) world_.Feed(step, slot, std::move(value));
  changed_.notify_all();
}

StepOutcome LiveWorld::RunPiece(StepId step, const Piece& piece) {
  Lock lock(mutex_);
  const auto first_missing = [&] {
    return std::find_if_not(piece.fetches.begin(), piece.fetches.end(),
                            [&](size_t fetch) { return world_.FetchedSoFar(step, fetch).has_value(); });
  };
  const auto is_there = [&] { return !piece.is_last && first_missing() == piece.fetches.end(); };
  if (!world_.IsKnown(step)) {  // another piece has ended it meanwhile
    if (--pieces_[step].here == 0) pieces_.erase(step);
    return {InvalidArgument("Must run 'setup' before performing partial runs: the step is over").status(), {}};
  }
  while (!world_.IsOver(step) && !is_there()) {
    if (closed_) {
      EndAll();
    } else if (world_.IsIdle(step)) {
      const auto missing = first_missing() - piece.fetches.begin();
      world_.End(step,
                 Status(Code::kInvalidArgument, Str("Retval[", missing, "] of this piece does not have value: the ",
                                                    "tensor is on a branch that was not taken")));
    } else if (!IsMoved() && world_.enabled() > 0) {
      Move(lock, first_, [&] { return world_.IsOver(step) || is_there() || world_.IsIdle(step); });
    } else {
      changed_.wait(lock);
    }
  }
  changed_.notify_all();
  return EndPiece(step, piece);
}

// The last of the pieces that wait takes the outcome, when no other is to come.
StepOutcome LiveWorld::EndPiece(StepId step, const Piece& piece) {
  Pieces& pieces = pieces_[step];
  const bool is_alone = --pieces.here == 0;
  StepOutcome outcome;
  if (!world_.IsOver(step)) {
    for (const size_t fetch : piece.fetches) outcome.values.push_back(*world_.FetchedSoFar(step, fetch));
    if (is_alone) pieces_.erase(step);
    return outcome;
  }
  const StepOutcome whole = world_.OutcomeOf(step);
  outcome.status = whole.status;
  if (whole.status.ok()) {
    for (const size_t fetch : piece.fetches) outcome.values.push_back(whole.values[fetch]);
  }
  pieces.is_done = pieces.is_done || piece.is_last || !whole.status.ok();
  if (!is_alone) return outcome;
  if (pieces.is_done) world_.Take(step);
  pieces_.erase(step);
  return outcome;
}

// Moves the world until `enough`, or nothing can move. Between events, others may come in: to start a step, or because
// theirs is over.
template <class Enough>
void LiveWorld::Move(Lock& lock, Driver& driver, const Enough& enough) {
  struct Turn {
    explicit Turn(LiveWorld& world) : world(world) { world.mover_ = std::this_thread::get_id(); }
    ~Turn() {
      world.mover_ = std::thread::id();
      world.changed_.notify_all();
    }
    LiveWorld& world;
  } turn(*this);
  while (!closed_ && !enough() && world_.Advance(driver)) {
    if (world_.HasOutcomes()) changed_.notify_all();
    if (mutex_.waiters() == 0) continue;
    lock.unlock();
    lock.lock();
  }
}

bool LiveWorld::AreOver(const std::vector<StepId>& steps) const {
  return std::all_of(steps.begin(), steps.end(), [&](StepId step) { return world_.IsOver(step); });
}

void LiveWorld::EndAll() {
  world_.EndAll(Status(Code::kCancelled, "Run call was cancelled"));  // S2
  changed_.notify_all();
}

void LiveWorld::Reset(std::span<const std::string> containers) {
  const Lock lock(mutex_);
  world_.Reset(containers);
  changed_.notify_all();
}

void LiveWorld::Save(SavedState& state) {
  const Lock lock(mutex_);
  world_.Save(state);
}

void LiveWorld::Restore(const SavedState& state) {
  const Lock lock(mutex_);
  world_.Restore(state);
}

void LiveWorld::Close() {
  closed_ = true;
  if (mover_ == std::this_thread::get_id()) return;  // the mutex is held: Move sees it next
  const Lock lock(mutex_);
  EndAll();
}

}  // namespace plumb::reference
