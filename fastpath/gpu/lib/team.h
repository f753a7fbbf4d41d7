// Threads that work on one row together: the lanes of a warp, or all threads of a block.
#pragma once

#include <cstring>
#include <type_traits>

#include "gpu_language.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int kLanesOfWarp = 32;
inline constexpr int kThreadsOfTeams = 256;  // of a block, whether it is one team or eight
inline constexpr int kWarpsOfTeams = kThreadsOfTeams / kLanesOfWarp;
inline constexpr int64_t kLongestRowOfWarp = 1024;  // a longer one is worth a block

inline constinit ChoicePoint rows_by_blocks("rows on GPUs: a warp each, or a block each");

// For a kernel whose teams take a row each.
struct Teams {
  int lanes = kLanesOfWarp;  // of one team

  static Teams ForRowsOf(int64_t length) {
    return {rows_by_blocks.Chosen(length > kLongestRowOfWarp) ? kThreadsOfTeams : kLanesOfWarp};
  }
  GridSize Grid(int64_t rows) const {
    const int teams = kThreadsOfTeams / lanes;
    return {(rows + teams - 1) / teams, kThreadsOfTeams, true};
  }
  // The row of this thread, which may be beyond the last one: all threads have to meet all the same.
  PLUMB_GPU_INLINE int64_t Row() const { return BlockNumber() * (Threads() / lanes) + ThreadNumber() / lanes; }
  PLUMB_GPU_INLINE int Lane() const { return ThreadNumber() % lanes; }
};

// The value of the lane whose number differs in the bits of `mask`, of any type.
template <class V>
PLUMB_GPU_INLINE V OtherLanes(V value, int mask) {
  if constexpr (std::is_arithmetic_v<V> && sizeof(V) >= sizeof(int)) {
    return ShuffleXor(value, mask);
  } else {
    uint64_t words[(sizeof(V) + sizeof(uint64_t) - 1) / sizeof(uint64_t)] = {};
    memcpy(words, &value, sizeof(V));
    for (uint64_t& word : words) word = ShuffleXor(word, mask);
    memcpy(&value, words, sizeof(V));
    return value;
  }
}

// All lanes' values merged, for every lane of the team. `merge` is commutative; `shared` has kWarpsOfTeams elements.
template <class V, class Merge>
PLUMB_GPU_INLINE V MergeTeam(const Teams& teams, V value, Shared<V> shared, Merge merge) {
  for (int mask = kLanesOfWarp / 2; mask > 0; mask /= 2) value = merge(value, OtherLanes(value, mask));
  if (teams.lanes == kLanesOfWarp) return value;
  SyncBlock();
  if (ThreadNumber() % kLanesOfWarp == 0) shared[ThreadNumber() / kLanesOfWarp] = value;
  SyncBlock();
  value = shared[0];
  for (int warp = 1; warp < kWarpsOfTeams; ++warp) {
    const V other = shared[warp];
    value = merge(value, other);
  }
  return value;
}

struct SumOf {
  template <class V>
  PLUMB_GPU_INLINE V operator()(V a, V b) const {
    return a + b;
  }
};
// NaN where one is NaN.
struct LargerOf {
  template <class V>
  PLUMB_GPU_INLINE V operator()(V a, V b) const {
    return a != a || b < a ? a : b;
  }
};

}  // namespace plumb::fast::GPU_NAMESPACE
