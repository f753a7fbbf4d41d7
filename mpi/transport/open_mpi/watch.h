// Who is alive. Ranks of this host are watched by their processes and by the pulse in shared memory, others by what
// comes from them, a pulse at least. Of one thread.
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "mpi/transport/open_mpi/process.h"
#include "spec/core/status.h"

namespace plumb::dist {

class Watch {
 public:
  static constexpr int64_t kPeriod = 100;  // milliseconds between looks

  Watch(const MpiProcess& process, std::chrono::milliseconds patience);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Something came from that rank.
  void Heard(int from) { heard_[from] = now_; }
  // That rank is gone, and nobody asks how it is.
  void Forget(int rank);
  // Once a period: shows that this rank lives, and says who does not.
  bool IsDue();
  std::vector<std::pair<int, Status>> Look();
  // Ranks that see no pulse unless one is sent.
  const std::vector<int>& far() const { return far_; }

 private:
  Status StateOf(int rank) const;

  const MpiProcess& process_;
  const int64_t patience_;
  int64_t now_;
  int64_t looked_ = 0;
  std::vector<int> far_;
  std::vector<int64_t> heard_;  // by rank, when
  std::vector<int> handles_;    // by rank, of processes of this host; -1: none
  std::vector<bool> is_gone_;   // by rank
};

}  // namespace plumb::dist
