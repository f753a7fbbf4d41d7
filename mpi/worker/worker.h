// What a rank does for others: it runs parts of their steps. Resources belong to the rank, so that all masters mean the
// same variable by the same container and name (rule R1); kernels with state belong to the session (rule S6).
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "fastpath/compile/compile.h"
#include "fastpath/execute/executor.h"
#include "fastpath/session/kernel_cache.h"
#include "mpi/collective/rank_exchange.h"
#include "mpi/protocol/post.h"
#include "mpi/worker/part_at_once.h"
#include "mpi/worker/step_table.h"

namespace plumb::dist {

class Worker {
 public:
  // `clock_ahead_ns` is added to what the clock says.
  Worker(Post& post, const fast::DeviceSet& devices, const Routes& routes, fast::StepEnvironment& environment,
         StepTable& steps, RankExchange& exchange, int64_t clock_ahead_ns)
      : post_(post),
        devices_(devices),
        routes_(routes),
        environment_(environment),
        steps_(steps),
        exchange_(exchange),
        clock_ahead_ns_(clock_ahead_ns),
        ran_at_once_(static_cast<size_t>(post.size())) {}

  // Messages of other ranks, which are masters here. What they ask for is answered later.
  void Take(int from, const Register& message, Payload graph);
  void Take(int from, const Forget& message);
  void Take(int from, const Start& message);
  void Take(int from, const Stop& message);
  void Take(int from, const Probe& message);
  void Take(int from, const Close& message);
  void Take(int from, const Reset& message);
  void Take(int from, const Time& message);
  void Take(int from, const Save& message);
  void Take(int from, const Restore& message, Payload state);
  // Parts that masters may start.
  size_t parts() {
    MutexLock lock(mutex_);
    return parts_.size();
  }

 private:
  struct GuestSession;
  struct Part {
    std::shared_ptr<GuestSession> session;
    std::shared_ptr<fast::Executor> executor;
    std::vector<CollectiveMember> members;  // collective ops in it
    std::unique_ptr<PartAtOnce> at_once;    // null: it is no such part
  };
  using SharedPart = std::shared_ptr<const Part>;
  // The number of the part; -1 for one that has nothing to do.
  int64_t Add(int from, const Register& message, std::string_view graph);
  std::shared_ptr<GuestSession> SessionOf(int from, const Register& message);
  std::shared_ptr<GuestSession> Find(int from, int64_t session);  // or null
  // Devices are numbered as they are here.
  void Settle(fast::StepGraph& part) const;
  SharedPart PartOf(int from, int64_t number);
  // Those that the master says are over.
  void ForgetSteps(int from, const Start& message);
  // False: the step is to be run as others are.
  bool RunsAtOnce(int from, const Start& message, const SharedPart& part);
  // Says that a part is over, and, where `traced` is not null, what ran.
  void EndPart(int from, Step& step, const Part& part, const Status& status, RunMetadata* traced);

  Post& post_;
  const fast::DeviceSet& devices_;
  const Routes& routes_;
  fast::StepEnvironment& environment_;
  StepTable& steps_;
  RankExchange& exchange_;
  const int64_t clock_ahead_ns_;
  // By master: steps that ran at once, and may still be asked about. Of whoever brings messages.
  std::vector<std::vector<std::pair<int64_t, SharedPart>>> ran_at_once_;
  Mutex mutex_;
  int64_t parts_made_ PLUMB_GUARDED_BY(mutex_) = 0;
  std::map<std::pair<int, int64_t>, SharedPart> parts_ PLUMB_GUARDED_BY(mutex_);                        // by master
  std::map<std::pair<int, int64_t>, std::shared_ptr<GuestSession>> sessions_ PLUMB_GUARDED_BY(mutex_);  // by master
};

}  // namespace plumb::dist
