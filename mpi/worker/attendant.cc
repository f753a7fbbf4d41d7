#include "mpi/worker/attendant.h"

#include "fastpath/device/kept_tasks.h"

namespace plumb::dist {

bool Attendant::Attend(const std::function<bool()>& holds, bool rests) {
  fast::KeptTasks tasks(pool_);
  return transport_.Attend(
      holds, [&tasks] { return tasks.RunOne(); }, rests);
}

}  // namespace plumb::dist
