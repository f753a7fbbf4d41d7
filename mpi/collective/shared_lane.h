// Goes on with a rank's members of meetings in shared memory: with all of them in turn, so that ranks which began them
// in different orders never wait for each other. By a thread of its own; or, where the rank's transport has its own
// time, by whoever moves that, since it would pass while a thread is at work.
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
  SharedLane(fast::ThreadPool& pool, bool has_thread) : pool_(pool), has_thread_(has_thread) {}
  ~SharedLane() { Stop(); }

  // `done` is called from the thread, or by Advance, when the member is over, unless it is abandoned. Starts the thread
  // when it is first needed.
  void Add(std::shared_ptr<SharedReduce> member, std::function<void()> done);
  // Where there is no thread: goes on with each member as far as the others allow; false where that is nowhere. By one
  // thread at a time.
  bool Advance();
  // Ends the thread; those that are not over are given up. Not from the thread itself, nor during Advance.
  void Stop();

 private:
  struct Work {
    std::shared_ptr<SharedReduce> member;
    std::function<void()> done;
  };
  void Loop();
  // Waits where there is no work. False: the thread ends.
  bool TakeNew();
  void TakeAdded() PLUMB_REQUIRES(mutex_);
  bool AdvanceAll();

  fast::ThreadPool& pool_;
  const bool has_thread_;
  std::vector<Work> works_;  // touched by whoever goes on with them
  Mutex mutex_;
  CondVar changed_;
  std::vector<Work> added_ PLUMB_GUARDED_BY(mutex_);
  bool is_stopping_ PLUMB_GUARDED_BY(mutex_) = false;
  std::thread thread_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
