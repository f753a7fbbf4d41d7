#include "mpi/master/own_step.h"

namespace plumb::dist {

Status OwnStep::WithWaits(const Status& status) const {
  constexpr size_t kListed = 20;
  MutexLock lock(mutex_);
  std::string message = status.message();
  size_t count = 0;
  for (const auto& [rank, waits] : waited_) {
    for (const std::string& wait : waits) {
      if (count++ < kListed) message += Str("; on rank ", rank, ": ", wait);
    }
  }
  if (count > kListed) message += Str("; and ", count - kListed, " more wait on other ranks");
  return status.WithMessage(std::move(message));
}

}  // namespace plumb::dist
