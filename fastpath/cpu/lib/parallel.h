// How much work one chunk of a parallel loop holds. Chunks depend on sizes only, so results do not depend on threads.
#pragma once

#include <algorithm>
#include <cstdint>

namespace plumb::fast::cpu {

// Work that pays for handing a chunk to another thread, in units of about a third of a nanosecond (one simple element).
constexpr int64_t kChunkWork = int64_t{64} * 1024;

// Items per chunk when one item costs `work` units.
inline int64_t GrainFor(int64_t work) { return std::max<int64_t>(1, kChunkWork / std::max<int64_t>(1, work)); }

}  // namespace plumb::fast::cpu
