// Convolution of NDHWC volumes with filters [planes, rows, columns, in, out].
#pragma once

#include "fastpath/cpu/lib/image/volumes.h"

namespace plumb::fast::cpu {

struct VolumeConvolution {
  int64_t batch = 0, in_depth = 0, out_depth = 0;
  VolumeAxes axes;

  Shape input() const { return axes.Volume(batch, &WindowAxis::input, in_depth); }
  Shape output() const { return axes.Volume(batch, &WindowAxis::output, out_depth); }
  Shape filter() const { return {axes[0].window, axes[1].window, axes[2].window, in_depth, out_depth}; }
  // Elements of one window, of one volume, and of a line: the output pixels that differ in their column alone.
  int64_t patch() const { return axes.Count(&WindowAxis::window) * in_depth; }
  int64_t volume() const { return axes.Count(&WindowAxis::input) * in_depth; }
  int64_t lines() const { return axes[0].output * axes[1].output; }
  int64_t columns() const { return axes[2].output; }
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
