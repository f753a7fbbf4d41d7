// The largest or least of a segment's column that holds NaN: of NaN and a number whichever comes later (N12).
#pragma once

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/rows/segment_folds.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {

// A column with NaN is NaN after a fold in any order, and is folded again in its own.
template <class T, bool is_largest>
PLUMB_GPU_KERNEL RefoldNaN(Global<const T> x, SegmentEntries<int64_t> entries, Global<T> y, int64_t width) {
  for (int64_t i = First(); i < y.size; i += Stride()) {
    auto best = Computed<T>::Load(y[i]);
    if (best == best) continue;
    const int64_t begin = entries.begins[i / width], end = begin + entries.counts[i / width];
    for (int64_t k = begin; k < end; ++k) {
      const auto value = Computed<T>::Load(x[entries.RowOf(k) * width + i % width]);
      const bool stays = is_largest ? best > value : best < value;
      if (!stays) best = value;
    }
    y[i] = Computed<T>::Store(best);
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
