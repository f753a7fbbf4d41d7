#include <algorithm>

#include "fastpath/cpu/lib/image/convolution.h"

namespace plumb::fast::cpu {
namespace {

// Calls visit(filter place, input pixel) for the places of the window of output pixel (o, p) that are inside an image.
template <class F>
void ForEachInside(const ConvolutionSize& size, int64_t o, int64_t p, const F& visit) {
  for (int64_t k = size.rows.First(o); k < size.rows.Last(o); ++k) {
    const int64_t row = size.rows.Start(o) + k * size.rows.dilation;
    for (int64_t l = size.columns.First(p); l < size.columns.Last(p); ++l) {
      visit(k * size.columns.window + l, row * size.columns.input + size.columns.Start(p) + l * size.columns.dilation);
    }
  }
}

// Calls visit(input pixel offset, filter place offset, output pixel offset) for every meeting of the image.
template <class F>
void ForEachMeeting(const ConvolutionSize& size, int64_t image, const F& visit) {
  const int64_t first_input = image * size.rows.input * size.columns.input;
  const int64_t first_output = image * size.rows.output * size.columns.output;
  for (int64_t o = 0; o < size.rows.output; ++o) {
    for (int64_t p = 0; p < size.columns.output; ++p) {
      const int64_t output = (first_output + o * size.columns.output + p) * size.out_depth;
      ForEachInside(size, o, p, [&](int64_t place, int64_t pixel) {
        visit((first_input + pixel) * size.in_depth, place * size.in_depth * size.out_depth, output);
      });
    }
  }
}

}  // namespace

template <class T>
void DirectConvolution(ThreadPool& pool, const ConvolutionSize& size, const T* input, const T* filter, T* output) {
  std::fill_n(output, size.output().elements(), T());
  pool.ParallelFor(size.batch, 1, [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; ++image) {
      ForEachMeeting(size, image, [&](int64_t x, int64_t w, int64_t y) {
        for (int64_t c = 0; c < size.in_depth; ++c) {
          for (int64_t d = 0; d < size.out_depth; ++d) {
            output[y + d] += input[x + c] * filter[w + c * size.out_depth + d];
          }
        }
      });
    }
  });
}

template <class T>
void DirectConvolutionFilterGradient(ThreadPool&, const ConvolutionSize& size, const T* input, const T* gradient,
                                     T* filter_gradient) {
  std::fill_n(filter_gradient, size.filter().elements(), T());
  for (int64_t image = 0; image < size.batch; ++image) {
    ForEachMeeting(size, image, [&](int64_t x, int64_t w, int64_t y) {
      for (int64_t c = 0; c < size.in_depth; ++c) {
        for (int64_t d = 0; d < size.out_depth; ++d) {
          filter_gradient[w + c * size.out_depth + d] += input[x + c] * gradient[y + d];
        }
      }
    });
  }
}

// Integers have no infinities; the instances for them are never called.
#define PLUMB_INSTANTIATE(T)                                                                       \
  template void DirectConvolution<T>(ThreadPool&, const ConvolutionSize&, const T*, const T*, T*); \
  template void DirectConvolutionFilterGradient<T>(ThreadPool&, const ConvolutionSize&, const T*, const T*, T*);
PLUMB_INSTANTIATE(float)
PLUMB_INSTANTIATE(double)
PLUMB_INSTANTIATE(int32_t)
#undef PLUMB_INSTANTIATE

}  // namespace plumb::fast::cpu
