// Sorting by the threads of a block.
#pragma once

#include "gpu_language.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {

template <class K, class IsBefore>
PLUMB_GPU_INLINE void PutInOrder(Global<K> keys, int64_t low, int64_t high, const IsBefore& is_before) {
  if (high <= low || high >= keys.size || !is_before(keys[high], keys[low])) return;
  const K lower = keys[high];
  keys[high] = keys[low];
  keys[low] = lower;
}

// Sorts keys, no two of which are equal, so that is_before(keys[i], keys[i + 1]). All threads of the block call it. A
// bitonic network whose comparisons all point the same way, so that what is missing to a power of two, as if it came
// last, stays where it is.
template <class K, class IsBefore>
PLUMB_GPU_INLINE void SortByBlock(Global<K> keys, const IsBefore& is_before) {
  SyncBlock();
  for (int64_t run = 2; run < 2 * keys.size; run *= 2) {
    for (int64_t i = ThreadNumber(); i < keys.size; i += Threads()) PutInOrder(keys, i, i ^ (run - 1), is_before);
    SyncBlock();
    for (int64_t step = run / 4; step > 0; step /= 2) {
      for (int64_t i = ThreadNumber(); i < keys.size; i += Threads()) PutInOrder(keys, i, i ^ step, is_before);
      SyncBlock();
    }
  }
}

inline constinit ChoicePoint wide_sorts("keys on GPUs: sorted by a warp, or by a block of eight");

// For blocks that sort about so many keys each.
inline GridSize SortingBlocks(int64_t blocks, int64_t keys) {
  return {blocks, wide_sorts.Chosen(keys > 64) ? 256 : 32, true};
}

}  // namespace plumb::fast::GPU_NAMESPACE
