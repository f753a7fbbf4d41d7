// Convolution of NDHWC volumes with filters [planes, rows, columns, in, out].
#pragma once

#include "fastpath/cpu/lib/image/patches.h"

namespace plumb::fast::cpu {

struct VolumeConvolution : PatchGrid {
  int64_t batch = 0, out_depth = 0;

  Shape input() const { return axes.Volume(batch, &WindowAxis::input, in_depth); }
  Shape output() const { return axes.Volume(batch, &WindowAxis::output, out_depth); }
  Shape filter() const { return {axes[0].window, axes[1].window, axes[2].window, in_depth, out_depth}; }
};

// No size is zero. T: float, double.
template <class T>
void Convolve(ThreadPool& pool, const VolumeConvolution& size, const T* input, const T* filter, T* output);
template <class T>
void ConvolveToInput(ThreadPool& pool, const VolumeConvolution& size, const T* filter, const T* gradient,
                     T* input_gradient);
template <class T>
void ConvolveToFilter(ThreadPool& pool, const VolumeConvolution& size, const T* input, const T* gradient,
                      T* filter_gradient);

}  // namespace plumb::fast::cpu
