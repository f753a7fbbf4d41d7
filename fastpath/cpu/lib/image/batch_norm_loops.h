// The loops of batch normalization over the part [begin, end) of a tensor's outer dimension, in vectors along whichever
// of channels and inner dimensions is contiguous. Pointers named mean, … hold one number per channel.
#pragma once

#include "fastpath/cpu/lib/image/channels.h"

namespace plumb::fast::cpu {

// sum[c] += Σ x[c].
void AddChannelSums(const ChannelView& view, int64_t begin, int64_t end, const float* x, float* sum);
// sum[c] += Σ (x − mean[c])².
void AddChannelSquares(const ChannelView& view, int64_t begin, int64_t end, const float* x, const float* mean,
                       float* sum);
// sum[c] += Σ y·((x − mean[c])·factor[c]): the product with the factor comes first, as it keeps numbers in range.
void AddChannelProducts(const ChannelView& view, int64_t begin, int64_t end, const float* y, const float* x,
                        const float* mean, const float* factor, float* sum);
// y = (x − mean[c])·factor[c] + offset[c].
void NormalizeChannels(const ChannelView& view, int64_t begin, int64_t end, const float* x, const float* mean,
                       const float* factor, const float* offset, float* y);
// What NormalizeChannelGradients takes besides images: dx = (dy − shift[c] − ((x −
// mean[c])·inverse[c])·slope[c])·factor[c].
struct ChannelGradients {
  const float *mean, *inverse, *shift, *slope, *factor;
};
void NormalizeChannelGradients(const ChannelView& view, int64_t begin, int64_t end, const float* dy, const float* x,
                               const ChannelGradients& k, float* dx);

}  // namespace plumb::fast::cpu
