// The thread of a rank that goes on with its members of meetings in shared memory: with all of them in turn, so that
// ranks which began them in different orders never wait for each other.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "mpi/collective/shared_reduce.h"
#include "spec/core/thread_annotations.h"

namespace plumb::dist {

class SharedLane {
 public:
  explicit SharedLane(fast::ThreadPool& pool) : pool_(pool) {}
  ~SharedLane() { Stop(); }

  // `done` is called from the thread when the member is over, unless it is abandoned. Starts the thread when it is
  // first needed.
  void Add(std::shared_ptr<SharedReduce> member, std::function<void()> done);
  // Ends the thread; those that are not over are given up. Not from the thread itself.
  void Stop();

 private:
  struct Work {
    std::shared_ptr<SharedReduce> member;
    std::function<void()> done;
  };
  void Loop();
  // Waits for work, or, with some of which none can go on, a while. False: the thread ends.
  bool TakeNew(std::vector<Work>& works);

  fast::ThreadPool& pool_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<Work> added_ PLUMB_GUARDED_BY(mutex_);
  bool is_stopping_ PLUMB_GUARDED_BY(mutex_) = false;
  std::thread thread_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
