// A world: steps that run over shared state (rules S3, E2, E7). Any of their enabled events may come next; a driver
// chooses. Nothing here knows of threads or time: who wants those wraps a world (live_world.h).
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "reference/step/step.h"
#include "reference/world/drivers/driver.h"

namespace plumb::reference {

// What became of a step: its fetched values, if it ended well.
struct StepOutcome {
  Status status;
  std::vector<Value> values;
};

class World {
 public:
  World() = default;
  // A fork: from here on, what happens in either does not show in the other.
  std::unique_ptr<World> Clone() const;

  // Steps are numbered from 1, in the order in which they start (rule S8).
  StepId Start(std::shared_ptr<const Program> program);

  // How many events may come next, of all steps. E7: those of the step that has waited longest come first; within a
  // step, those that became ready first (rule E1). E8: where there is none, the ends of waits that have a limit.
  size_t enabled() const;
  // Fires the event that the driver chooses; false when there is none. A step that fails is ended.
  bool Advance(Driver& driver);
  // Advances while an event is enabled. Who still waits then waits for each other, or for a step to come: a deadlock,
  // if none comes. Empty when every step is over.
  std::vector<Waiting> RunAll(Driver& driver);

  // P1, P2: see Step. A step that is over takes no feed and has no fetch here.
  void Feed(StepId step, int slot, Value value);
  std::optional<Value> FetchedSoFar(StepId step, size_t fetch) const;
  // Whether the step can move only when more is fed.
  bool IsIdle(StepId step) const;

  // Who waits for what.
  std::vector<Waiting> waiting() const;
  // E5: ends a step that is not over. Its attempts are dropped, which may let others go on.
  void End(StepId step, Status status);
  void EndAll(const Status& status);

  bool IsOver(StepId step) const { return over_.contains(step); }
  // Whether it runs, or is over and its outcome has not been taken.
  bool IsKnown(StepId step) const { return IsOver(step) || Find(step) != nullptr; }
  // Whether a step is over whose outcome nobody has taken.
  bool HasOutcomes() const { return !over_.empty(); }
  // The outcome of a step that is over; the world forgets it.
  StepOutcome Take(StepId step);
  const StepOutcome& OutcomeOf(StepId step) const { return over_.at(step); }

  // R5: drops what is in the containers; none named: in the default one. Who waits at what was dropped is woken.
  void Reset(std::span<const std::string> containers);
  // What outlives steps; none runs meanwhile. Restore: of a world that has not moved yet.
  void Save(SavedState& state) const;
  void Restore(const SavedState& state);
  // S2: set by whoever closes the session; kernels see it (rule X21).
  std::atomic<bool>& closed() { return shared_.closed; }

 private:
  Step* Find(StepId step) const;
  std::vector<std::shared_ptr<const Attempt>> WithLimit() const;
  bool PassTime(Driver& driver);
  void Finish(size_t index, Status status);
  void WakeServed();

  SharedState shared_;
  std::vector<std::unique_ptr<Step>> steps_;  // that are not over, the one that has waited longest first
  std::map<StepId, StepOutcome> over_;
  StepId next_step_ = 1;
};

}  // namespace plumb::reference
