// The largest element of each window of images or volumes, and what stands there.
#pragma once

#include <limits>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/pooling.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

// The least number of the element type, in the type that is computed in: padding never wins.
template <class T>
PLUMB_GPU_INLINE typename Computed<T>::Type LeastOf() {
  if constexpr (std::is_same_v<T, Half>) return -65504.0F;
  if constexpr (std::is_same_v<T, BFloat16>) return -0x1.fep127F;
  if constexpr (!kIsHalf<T>) return std::numeric_limits<T>::lowest();
}

template <class T>
PLUMB_GPU_KERNEL MaxOfWindows(Global<const T> x, Global<T> y, PoolingSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const Pixel at = size.to.PixelOf(i);
    V best = LeastOf<T>();
    for (int64_t j = 0; j < size.planes.window; ++j) {
      const int64_t plane = size.planes.At(at.plane, j);
      for (int64_t k = 0; plane >= 0 && k < size.rows.window; ++k) {
        const int64_t row = size.rows.At(at.row, k);
        for (int64_t l = 0; row >= 0 && l < size.columns.window; ++l) {
          const int64_t column = size.columns.At(at.column, l);
          for (int64_t m = 0; column >= 0 && m < size.channels.window; ++m) {
            const int64_t channel = size.channels.At(at.channel, m);
            const V value = Computed<T>::Load(x[size.from.At(at.image, plane, row, column, channel)]);
            if (best < value) best = value;
          }
        }
      }
    }
    y[i] = Computed<T>::Store(best);
  }
}

// Of each window, what stands in `values` where x first equals `largest`; 0 where it never does.
template <class T>
PLUMB_GPU_KERNEL TakeAtMax(Global<const T> x, Global<const T> largest, Global<const T> values, Global<T> out,
                           PoolingSize size) {
  for (int64_t i = First(); i < out.size; i += Stride()) {
    const Pixel at = size.to.PixelOf(i);
    const auto wanted = Computed<T>::Load(largest[i]);
    int64_t found = -1;
    for (int64_t j = 0; found < 0 && j < size.planes.window; ++j) {
      const int64_t plane = size.planes.At(at.plane, j);
      for (int64_t k = 0; plane >= 0 && found < 0 && k < size.rows.window; ++k) {
        const int64_t row = size.rows.At(at.row, k);
        for (int64_t l = 0; row >= 0 && found < 0 && l < size.columns.window; ++l) {
          const int64_t column = size.columns.At(at.column, l);
          if (column < 0) continue;
          const int64_t place = size.from.At(at.image, plane, row, column, at.channel);
          if (Computed<T>::Load(x[place]) == wanted) found = place;
        }
      }
    }
    out[i] = found < 0 ? Computed<T>::Store(0) : values[found];
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
