// The inner loops of pooling, along the channels of one output pixel. Vectors for float; T: any real number type.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "spec/core/dtype.h"

namespace plumb::fast::cpu {

// The pixels of one window: where each begins in the input.
using WindowPixels = std::span<const int64_t>;

// The smallest number of an element type, in the type that is computed in.
template <class T>
T LowestOf(DType dtype) {
  if (dtype == DType::kHalf) return static_cast<T>(-65504);
  if (dtype == DType::kBfloat16) return static_cast<T>(-0x1.fep127);
  return std::numeric_limits<T>::lowest();
}

// out[c] = the largest input[pixel + c], or `lowest` when none is larger than that. NaN is larger than nothing.
template <class T>
void MaxOfWindow(const T* input, WindowPixels pixels, int64_t channels, T lowest, T* out);
// Adds gradient[c] to the first pixel, or to the first whose input is larger than those before it and not exceeded.
template <class T>
void AddToMaxOfWindow(const T* input, WindowPixels pixels, int64_t channels, const T* gradient, T* sums);
// out[c] = the mean of input[pixel + c]; NaN for a window without pixels.
template <class T>
void MeanOfWindow(const T* input, WindowPixels pixels, int64_t channels, T* out);
// sums[pixel + c] += gradient[c] / number of pixels, for each pixel.
template <class T>
void AddMeanToWindow(WindowPixels pixels, int64_t channels, const T* gradient, T* sums);

}  // namespace plumb::fast::cpu
