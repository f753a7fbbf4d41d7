#include "fastpath/cpu/lib/image/convolution.h"

namespace plumb::fast::cpu {

void LibraryConvolution(ThreadPool& pool, const ConvolutionSize& size, const float* input, const float* filter,
                        float* output) {
  PlainConvolution(pool, size, input, filter, output);
}

void LibraryConvolutionInputGradient(ThreadPool& pool, const ConvolutionSize& size, const float* filter,
                                     const float* gradient, float* input_gradient) {
  PlainConvolutionInputGradient(pool, size, filter, gradient, input_gradient);
}

void LibraryConvolutionFilterGradient(ThreadPool& pool, const ConvolutionSize& size, const float* input,
                                      const float* gradient, float* filter_gradient) {
  PlainConvolutionFilterGradient(pool, size, input, gradient, filter_gradient);
}

}  // namespace plumb::fast::cpu
