// Elements taken several at a time, as wide as a card reads and writes at once, by loops whose threads do not meet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "fastpath/gpu/lib/grid.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int kBytesAtOnce = 16;
inline constexpr int kMostInRun = 8;  // so that a thread keeps them in registers

// How many elements of the widest of these types are taken at a time: a power of two.
template <class... T>
inline constexpr int kRunOf = std::min({kMostInRun, kBytesAtOnce / static_cast<int>(sizeof(T))...});

// Whether runs of `n` elements may begin where this does.
template <class T>
PLUMB_GPU_WORD bool BeginsRun(const T* place, int n) {
  return reinterpret_cast<uintptr_t>(place) % (static_cast<uintptr_t>(n) * sizeof(T)) == 0;
}
// How many whole runs of n there are among `count` elements that all of these views have; 0 where a view begins amid
// one.
template <int n, class... T>
int64_t WholeRuns(int64_t count, const Global<T>&... views) {
  return (BeginsRun(views.data, n) && ...) ? count / n : 0;
}

// For ForRuns over `count` elements.
inline GridSize LoopOverRuns(int64_t runs, int64_t count) { return LoopOver(runs > 0 ? runs : count); }

// Calls body(std::integral_constant<int, n>, i) for each of the first `runs` runs, which begin at i, and the same with
// 1 for each element behind them.
template <int n, class Body>
PLUMB_GPU_INLINE void ForRuns(int64_t runs, int64_t count, const Body& body) {
  for (int64_t run = First(); run < runs; run += Stride()) body(std::integral_constant<int, n>(), run * n);
  for (int64_t i = runs * n + First(); i < count; i += Stride()) body(std::integral_constant<int, 1>(), i);
}

// n elements from `place` on. Where they do not lie as packs do, they are read one by one.
template <int n, class T>
PLUMB_GPU_INLINE Pack<T, n> LoadOneByOne(const Global<const T>& x, int64_t place) {
  Pack<T, n> pack;
  PLUMB_GPU_UNROLL
  for (int k = 0; k < n; ++k) pack.at[k] = x[place + k];
  return pack;
}

}  // namespace plumb::fast::GPU_NAMESPACE
