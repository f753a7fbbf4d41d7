#include "mpi/transport/open_mpi/watch.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace plumb::dist {

Watch::Watch(const MpiProcess& process, std::chrono::milliseconds patience)
    : process_(process),
      patience_(patience.count()),
      now_(SteadyMilliseconds()),
      heard_(process.size(), now_),
      handles_(process.size(), -1),
      is_gone_(process.size(), false) {
  is_gone_[process_.rank()] = true;  // of itself a rank need not be told
  for (int rank = 0; rank < process_.size(); ++rank) {
    const Bell* bell = process_.BellOf(rank);
    if (bell == nullptr) {
      far_.push_back(rank);
    } else if (rank != process_.rank()) {
      handles_[rank] = static_cast<int>(syscall(SYS_pidfd_open, bell->process.load(), 0));
    }
  }
}

Watch::~Watch() {
  for (const int handle : handles_) {
    if (handle >= 0) close(handle);
  }
}

void Watch::Forget(int rank) {
  is_gone_[rank] = true;
  far_.erase(std::remove(far_.begin(), far_.end(), rank), far_.end());
}

bool Watch::IsDue() {
  now_ = SteadyMilliseconds();
  return now_ - looked_ >= kPeriod;
}

std::vector<std::pair<int, Status>> Watch::Look() {
  process_.BellOf(process_.rank())->pulse = now_;
  // Whoever slept himself cannot blame others for what he did not hear.
  if (now_ - looked_ > patience_ / 2) std::fill(heard_.begin(), heard_.end(), now_);
  looked_ = now_;
  std::vector<std::pair<int, Status>> gone;
  for (int rank = 0; rank < process_.size(); ++rank) {
    if (is_gone_[rank]) continue;
    Status state = StateOf(rank);
    if (!state.ok()) gone.emplace_back(rank, std::move(state));
  }
  return gone;
}

Status Watch::StateOf(int rank) const {
  if (handles_[rank] >= 0) {
    pollfd handle{handles_[rank], POLLIN, 0};
    if (poll(&handle, 1, 0) == 1) {
      return Status(Code::kUnavailable, Str("rank ", rank, " on ", process_.HostOf(rank), " died (process ",
                                            process_.BellOf(rank)->process.load(), ")"));
    }
  }
  const Bell* bell = process_.BellOf(rank);
  const int64_t last = std::max(heard_[rank], bell == nullptr ? 0 : bell->pulse.load());
  if (now_ - last <= patience_) return OkStatus();
  return Status(Code::kUnavailable,
                Str("rank ", rank, " on ", process_.HostOf(rank), " has been silent for ", now_ - last,
                    " ms: it is stopped, its host is out of reach, or a callback does not return"));
}

}  // namespace plumb::dist
