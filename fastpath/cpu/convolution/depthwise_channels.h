// Images as deep as what depthwise convolution makes of them: each channel as often as it has filters, and back.
#pragma once

#include <cstdint>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// Writes n elements, each `times` over; `known` is that number, or 0.
template <int known, class T>
void Repeat(const T* from, int64_t n, int64_t times, T* to) {
  const int64_t copies = known > 0 ? known : times;
  for (int64_t i = 0; i < n; ++i, to += copies) {
    const T value = from[i];
    for (int64_t q = 0; q < copies; ++q) to[q] = value;
  }
}

// Each element `times` over.
template <class T>
Tensor Repeated(ThreadPool& pool, const Tensor& image, int64_t times) {
  if (times == 1) return image;
  Shape shape = image.shape();
  Tensor result = Allocate(image.dtype(), {shape[0], shape[1], shape[2], shape[3] * times});
  const T* const from = image.data<T>().data();
  T* const to = result.mutable_data<T>().data();
  pool.ParallelFor(image.elements(), GrainFor(times), [&](int64_t begin, int64_t end) {
    const auto repeat = times == 2   ? Repeat<2, T>
                        : times == 3 ? Repeat<3, T>
                        : times == 4 ? Repeat<4, T>
                                     : Repeat<0, T>;
    repeat(from + begin, end - begin, times, to + begin * times);
  });
  return result;
}

// Each `times` elements as their sum.
template <class T>
void SumNeighbours(ThreadPool& pool, const T* from, int64_t times, int64_t count, T* to) {
  pool.ParallelFor(count, GrainFor(times), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      T sum = from[i * times];
      for (int64_t q = 1; q < times; ++q) sum += from[i * times + q];
      to[i] = sum;
    }
  });
}

}  // namespace plumb::fast::cpu
