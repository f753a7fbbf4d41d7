// Memory that the ranks of one host share: who sleeps and is to be woken, and who is alive.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace plumb::dist {

struct Bell {
  alignas(64) std::atomic<uint32_t> is_asleep;
  std::atomic<int32_t> process;  // its id, 0 until it is there
  std::atomic<int64_t> pulse;    // when it was last known to be alive, in milliseconds of the host's steady clock
};

int64_t SteadyMilliseconds();

// Memory of that name with `count` bells, all zero at first; it stays mapped until the process ends. Throws
// kFailedPrecondition.
Bell* MapBells(const std::string& name, int count);
// No process finds the name any more; those that mapped it keep the memory.
void UnlinkBells(const std::string& name);

// Wakes the owner if it sleeps. What the caller did before is seen by the owner before it sleeps again.
void Ring(Bell& bell);
// Sleeps until somebody rings, or so long. The owner set is_asleep and then looked once more for what is to be done.
void SleepOn(Bell& bell, std::chrono::microseconds longest);

}  // namespace plumb::dist
