// The mean of each window of images or volumes, and its gradient.
#pragma once

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/pooling.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

// How many elements of the input output o sees.
PLUMB_GPU_INLINE int64_t SeenAlong(const WindowAxis& axis, int64_t o) {
  int64_t count = 0;
  for (int64_t k = 0; k < axis.window; ++k) count += axis.At(o, k) >= 0 ? 1 : 0;
  return count;
}

template <class T>
PLUMB_GPU_KERNEL MeanOfWindows(Global<const T> x, Global<T> y, PoolingSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < y.size; i += Stride()) {
    const Pixel at = size.to.PixelOf(i);
    V sum = 0, count = 0;
    for (int64_t j = 0; j < size.planes.window; ++j) {
      const int64_t plane = size.planes.At(at.plane, j);
      for (int64_t k = 0; plane >= 0 && k < size.rows.window; ++k) {
        const int64_t row = size.rows.At(at.row, k);
        for (int64_t l = 0; row >= 0 && l < size.columns.window; ++l) {
          const int64_t column = size.columns.At(at.column, l);
          if (column < 0) continue;
          sum += Computed<T>::Load(x[size.from.At(at.image, plane, row, column, at.channel)]);
          count += 1;
        }
      }
    }
    y[i] = Computed<T>::Store(sum / count);
  }
}

// Each pixel collects its part of the windows that see it.
template <class T>
PLUMB_GPU_KERNEL CollectParts(Global<const T> dy, Global<T> dx, PoolingSize size) {
  using V = typename Computed<T>::Type;
  for (int64_t i = First(); i < dx.size; i += Stride()) {
    const Pixel at = size.from.PixelOf(i);
    V sum = 0;
    for (int64_t j = size.planes.window - 1; j >= 0; --j) {
      const int64_t plane = size.planes.SeenBy(at.plane, j);
      const int64_t deep = plane < 0 ? 0 : SeenAlong(size.planes, plane);
      for (int64_t k = size.rows.window - 1; plane >= 0 && k >= 0; --k) {
        const int64_t row = size.rows.SeenBy(at.row, k);
        if (row < 0) continue;
        const int64_t high = deep * SeenAlong(size.rows, row);
        for (int64_t l = size.columns.window - 1; l >= 0; --l) {
          const int64_t column = size.columns.SeenBy(at.column, l);
          if (column < 0) continue;
          const V part = Computed<T>::Load(dy[size.to.At(at.image, plane, row, column, at.channel)]);
          sum += part / static_cast<V>(high * SeenAlong(size.columns, column));
        }
      }
    }
    dx[i] = Computed<T>::Store(sum);
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
