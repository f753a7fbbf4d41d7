// Parts of steps that receive nothing and wait for nothing. While such a part is brief it runs where its Start arrives,
// on that thread: nothing is queued, nobody is told, and no step is kept for it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fastpath/execute/executor.h"
#include "mpi/protocol/post.h"
#include "mpi/worker/step_rendezvous.h"

namespace plumb::dist {

// Whether all that the part sends goes to other ranks, and nothing comes from anywhere.
bool OnlySendsAway(const fast::StepGraph& part, const Routes& routes);

// By one thread at a time, as messages arrive.
class PartAtOnce {
 public:
  // Null where a step of the plan might wait, or where it has loops. `executor` has a part that OnlySendsAway.
  static std::unique_ptr<PartAtOnce> Of(std::shared_ptr<fast::Executor> executor, Post& post, const Routes& routes);

  // As its steps took by now.
  bool is_brief() const { return executor_->is_brief(); }
  // Runs it, and sends what it has to send. How that ended.
  Status Run(StepName step);
  // How the part stands after a step of it, whichever that was.
  Standing Stand() const;

 private:
  class Departures;
  PartAtOnce(std::shared_ptr<fast::Executor> executor, Post& post, const Routes& routes);

  const std::shared_ptr<fast::Executor> executor_;
  const std::shared_ptr<Departures> departures_;
};

}  // namespace plumb::dist
