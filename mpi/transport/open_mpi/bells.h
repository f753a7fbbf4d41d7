// Memory that the ranks of one host share: who sleeps and is to be woken, who is alive, chutes from each to each, and
// an area of each rank.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/transport/open_mpi/chute.h"

namespace plumb::dist {

struct Bell {
  alignas(64) std::atomic<uint32_t> is_asleep;
  std::atomic<uint32_t> has_chutes;  // whether others may put something into those that lead to it
  std::atomic<uint64_t> mail;        // bits of those who did since it looked last, by their index on this host
  std::atomic<int32_t> process;      // its id, 0 until it is there
  std::atomic<int64_t> pulse;        // when it was last known to be alive, in milliseconds of the host's steady clock
};

int64_t SteadyMilliseconds();

// It stays mapped until the process ends.
class HostMemory {
 public:
  static constexpr size_t kAreaBytes = size_t{16} << 20;

  HostMemory() = default;
  // Memory of that name for `count` ranks, all zero at first. Throws kFailedPrecondition.
  HostMemory(const std::string& name, int count);
  // Whose mail has a bit: more ranks of one host have no chutes.
  static constexpr int kMostWithChutes = 64;

  // No process finds the name any more; those that mapped it keep the memory.
  static void Unlink(const std::string& name);

  Bell& bell(int index) const { return bells_[index]; }
  Chute& chute(int from, int to) const { return chutes_[static_cast<size_t>(to) * count_ + from]; }
  // Whether there is memory for the chutes that lead to this index. They take none before they are used.
  bool ReserveChutes(int to) const;
  std::byte* area(int index) const { return areas_ + kAreaBytes * static_cast<size_t>(index); }
  // Whether there is memory for the first bytes of an area. An area takes none before it is used, and where there is
  // none then, whoever uses it is killed.
  bool Reserve(int index, size_t bytes) const;

 private:
  int file_ = -1;
  size_t count_ = 0;
  size_t chutes_at_ = 0, areas_at_ = 0;  // in the file
  Bell* bells_ = nullptr;
  Chute* chutes_ = nullptr;
  std::byte* areas_ = nullptr;
};

// Wakes the owner's threads if they sleep. What the caller did before is seen by the owner before it sleeps again.
void Ring(Bell& bell);
// The same for threads that sleep beside one that is awake, which only the owner itself knows of.
void WakeBeside(Bell& bell);
// Sleeps until somebody rings, or so long; returns at once where `is_asleep` is no longer `seen`. Whoever is the last
// to sleep set it to 1 and then looked once more for what is to be done.
void SleepOn(Bell& bell, uint32_t seen, std::chrono::microseconds longest);

}  // namespace plumb::dist
