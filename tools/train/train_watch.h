// Who is slow in a training run, and what its steps look like: samples the steps of this rank, tells the chief, and
// gathers for it what the others tell.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/core/thread_annotations.h"
#include "spec/formats/event_file.h"
#include "spec/session/session.h"
#include "tools/train/progress.h"
#include "tools/train/train_pace.h"
#include "tools/train/train_replica.h"
#include "tools/train/train_trace.h"

namespace plumb::tools {

class TrainingWatch {
 public:
  // For the client of a run whose session is open. `training` and `replica` outlive this.
  TrainingWatch(const Training& training, const Replica& replica);

  // One step, traced where that is due. From one thread.
  Status Run(Session& session, const std::vector<Feed>& feeds, const std::vector<std::string>& fetches,
             std::vector<Tensor>* outputs);

  // By rank, as far as it is known here: of the chief all that run steps, or, where it is the only client, all that
  // compute for it.
  std::map<int, Pace> Paces() const;

  // Of the chief, after a step: a line of progress where that is due, and --events.
  void Tell(Progress& progress, int64_t before, int64_t step, float loss);

  // Of the chief, after a checkpoint, from any thread: the events up to it are in their file.
  void Saved();

  // After the last step. The chief writes --trace, when it has what the others tell, or has waited long enough.
  void Finish();

 private:
  bool IsTraced() const;
  void Sample(const RunMetadata& metadata, int64_t begin_ns, int64_t end_ns);
  void Keep(RunMetadata metadata, int64_t begin_ns, int64_t end_ns);
  void TellTrace();
  void WriteTrace();
  // What another rank has told of its steps, by the clock here.
  void TakeTrace(int rank, const std::string& told);

  const Training& training_;
  const Replica& replica_;
  const bool is_one_of_many_;
  int rank_ = 0;
  std::map<int, TracedRank> ranks_;
  PaceSampling sampling_;
  std::map<int, Pace> own_;  // what is known without being told
  int64_t steps_ = 0, last_end_ns_ = 0;
  std::chrono::steady_clock::time_point told_ = {};
  Mutex events_mutex_;  // whoever saves may be another thread than the one that takes steps
  std::optional<EventWriter> events_ PLUMB_GUARDED_BY(events_mutex_);
  RunMetadata trace_;
  bool has_told_trace_ = false;
};

// "--straggler W:MS": how long this replica is to sleep before each step. Throws kInvalidArgument for another text, and
// for a worker that runs no steps.
std::chrono::milliseconds StragglingOf(const Training& training, const Replica& replica);

}  // namespace plumb::tools
