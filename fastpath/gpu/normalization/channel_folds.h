// What batch norm folds of the elements of a channel.
#pragma once

#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

// Σ of a channel's elements, divided by `divisor`.
template <class T>
struct ChannelSum {
  using In = T;
  using Value = float;
  using Out = float;
  float divisor = 1;
  PLUMB_GPU_INLINE float Identity() const { return 0; }
  PLUMB_GPU_INLINE float Load(T element, int64_t /*i*/) const { return Computed<T>::Load(element); }
  PLUMB_GPU_INLINE float Merge(float a, float b) const { return a + b; }
  PLUMB_GPU_INLINE float Store(float sum) const { return sum / divisor; }
};
// Σ (x − mean)².
template <class T>
struct ChannelVariance : ChannelSum<T> {
  Global<const float> mean;
  PLUMB_GPU_INLINE float LoadAt(T element, int64_t /*place*/, int64_t channel) const {
    const float distance = Computed<T>::Load(element) - mean[channel];
    return distance * distance;
  }
};
// Σ dy·(x − mean) and Σ dy.
struct TwoSums {
  float product, sum;
};
template <class T>
struct ChannelProduct {
  using In = T;
  using Value = TwoSums;
  using Out = TwoSums;
  Global<const T> x;
  Global<const float> mean;
  PLUMB_GPU_INLINE TwoSums Identity() const { return {0, 0}; }
  PLUMB_GPU_INLINE TwoSums LoadAt(T element, int64_t place, int64_t channel) const {
    const float dy = Computed<T>::Load(element);
    return {dy * (Computed<T>::Load(x[place]) - mean[channel]), dy};
  }
  PLUMB_GPU_INLINE TwoSums Merge(TwoSums a, TwoSums b) const { return {a.product + b.product, a.sum + b.sum}; }
  PLUMB_GPU_INLINE TwoSums Store(TwoSums sums) const { return sums; }
};

}  // namespace plumb::fast::GPU_NAMESPACE
