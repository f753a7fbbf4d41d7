// The loops of batch normalization over the part [begin, end) of a tensor's outer dimension, in vectors along whichever
// of channels and inner dimensions is contiguous. Pointers named mean, … hold one number per channel.
#pragma once

#include "fastpath/cpu/lib/channels.h"

namespace plumb::fast::cpu {

// sum[c] += Σ x[c].
void AddChannelSums(const ChannelView& view, int64_t begin, int64_t end, const float* x, float* sum);
// sum[c] += Σ y·(x − mean[c]); y null: Σ (x − mean[c])².
void AddChannelProducts(const ChannelView& view, int64_t begin, int64_t end, const float* y, const float* x,
                        const float* mean, float* sum);
// y = (x − mean[c])·factor[c] + offset[c].
void NormalizeChannels(const ChannelView& view, int64_t begin, int64_t end, const float* x, const float* mean,
                       const float* factor, const float* offset, float* y);
// dx = (dy − shift[c] − (x − mean[c])·slope[c])·factor[c].
void NormalizeChannelGradients(const ChannelView& view, int64_t begin, int64_t end, const float* dy, const float* x,
                               const float* mean, const float* shift, const float* slope, const float* factor,
                               float* dx);

}  // namespace plumb::fast::cpu
