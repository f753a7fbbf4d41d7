// What the steps of a training run depend on besides variables: where streams of random numbers, queues, readers and
// the data that is fed have got to. It stands in the checkpoint beside the variables, so that a run which goes on from
// there takes the steps that an undisturbed one would have taken, bit for bit.
#pragma once

#include <string>
#include <vector>

#include "spec/core/thread_annotations.h"
#include "tools/train/data/model_data.h"
#include "tools/train/train_replica.h"

namespace plumb::tools {

class TrainState {
 public:
  // `fills_queues`: the graph reads ahead on threads of its own.
  TrainState(const Training& training, const Replica& replica, bool fills_queues);

  // Whether there is a moment between two steps which is the same for all replicas, and nobody works.
  bool travels() const { return travels_; }

  // Of each replica, after so many steps and before its next one: writes its part of the checkpoint of this step, once.
  void Write(Session& session, const TrainedModel& trained, int64_t step);
  // The parts of all replicas, when each has written its own. Throws where one is lost or has given up.
  std::vector<std::string> Gather(int64_t step);
  // This replica takes no more steps: whoever gathers does not wait for its part. The first reason counts.
  void GiveUp(const Status& reason);
  // Of each replica, before its first step: takes up what was written after so many steps, by replicas like these.
  // False where there is none.
  bool Restore(Session& session, const TrainedModel& trained, int64_t step);

  // Of the checkpoint after so many steps.
  std::string Prefix(int64_t step) const;

 private:
  std::string PartOf(int rank, int64_t step) const;
  // Under which this process's part stands; 0 where one client has all.
  int OwnRank() const;

  const Training& training_;
  const Replica& replica_;
  const bool is_one_of_many_, travels_;
  Mutex mutex_;
  CondVar written_;
  int64_t last_written_ PLUMB_GUARDED_BY(mutex_) = -1;
  Status given_up_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::tools
