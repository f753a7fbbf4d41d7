// Convolution of NHWC images with filters [rows, columns, in, out]: the sizes, and who computes them.
#pragma once

#include "fastpath/cpu/lib/image/windows.h"

namespace plumb::fast::cpu {

struct ConvolutionSize {
  int64_t batch = 0;
  WindowAxis rows, columns;
  int64_t in_depth = 0, out_depth = 0;
  bool operator==(const ConvolutionSize&) const = default;

  Shape input() const { return {batch, rows.input, columns.input, in_depth}; }
  Shape filter() const { return {rows.window, columns.window, in_depth, out_depth}; }
  Shape output() const { return {batch, rows.output, columns.output, out_depth}; }
  // Multiplications for one image, about.
  double Work() const {
    return static_cast<double>(rows.output * columns.output) * static_cast<double>(rows.window * columns.window) *
           static_cast<double>(in_depth) * static_cast<double>(out_depth);
  }
  bool IsPadded() const { return rows.before > 0 || rows.after > 0 || columns.before > 0 || columns.after > 0; }
  // Images per piece of work: enough to pay for handing it over, and at most kMostPieces of them (shape only).
  int64_t ImagesPerPiece() const;
};
constexpr int64_t kMostPieces = 8;

// No size is zero. T: float (where oneDNN is absent), double, int32.
template <class T>
void PlainConvolution(ThreadPool& pool, const ConvolutionSize& size, const T* input, const T* filter, T* output);
template <class T>
void PlainConvolutionInputGradient(ThreadPool& pool, const ConvolutionSize& size, const T* filter, const T* gradient,
                                   T* input_gradient);
template <class T>
void PlainConvolutionFilterGradient(ThreadPool& pool, const ConvolutionSize& size, const T* input, const T* gradient,
                                    T* filter_gradient);

// The same place by place (convolution_direct.cc): slow, but a zero of the padding meets nothing. The above need it
// where the other operand holds infinities or NaN, whose product with a padded zero would be NaN.
template <class T>
void DirectConvolution(ThreadPool& pool, const ConvolutionSize& size, const T* input, const T* filter, T* output);
template <class T>
void DirectConvolutionFilterGradient(ThreadPool& pool, const ConvolutionSize& size, const T* input, const T* gradient,
                                     T* filter_gradient);

// By oneDNN (../onednn), or as above where it is absent (../onednn_absent).
void LibraryConvolution(ThreadPool& pool, const ConvolutionSize& size, const float* input, const float* filter,
                        float* output);
void LibraryConvolutionInputGradient(ThreadPool& pool, const ConvolutionSize& size, const float* filter,
                                     const float* gradient, float* input_gradient);
void LibraryConvolutionFilterGradient(ThreadPool& pool, const ConvolutionSize& size, const float* input,
                                      const float* gradient, float* filter_gradient);

// sum[i] = Σ over parts of parts[p·n + i], in the order of the parts.
template <class T>
void SumParts(ThreadPool& pool, const T* parts, int64_t count, int64_t n, T* sum);

}  // namespace plumb::fast::cpu
