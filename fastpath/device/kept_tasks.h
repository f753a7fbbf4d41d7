// Tasks that a thread schedules for itself.
#pragma once

#include "fastpath/device/thread_pool.h"

namespace plumb::fast {

// While it lives, tasks that this thread schedules on the pool wait for it: no other thread is woken for them. For
// threads that fetch what arrives and then run what came of it, as long as nobody else has. One at a time per thread.
class KeptTasks {
 public:
  explicit KeptTasks(ThreadPool& pool);
  ~KeptTasks();  // what is left is for the others
  KeptTasks(const KeptTasks&) = delete;
  KeptTasks& operator=(const KeptTasks&) = delete;

  // Runs one task, if there is one; the others are woken for those behind it.
  bool RunOne() { return pool_.RunOne(); }

 private:
  ThreadPool& pool_;
};

}  // namespace plumb::fast
