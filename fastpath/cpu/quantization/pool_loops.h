// The inner loops of quantised pooling, along the channels of one output pixel.
#pragma once

#include <cstdint>

#include "fastpath/cpu/lib/image/pooling_loops.h"

namespace plumb::fast::cpu {

// out[c] = the largest input[pixel + c].
void MaxOfCodes(const int8_t* input, WindowPixels pixels, int64_t channels, int8_t* out);
void MaxOfCodes(const uint8_t* input, WindowPixels pixels, int64_t channels, uint8_t* out);
// out[c] = the mean of input[pixel + c], towards zero.
void MeanOfCodes(const int8_t* input, WindowPixels pixels, int64_t channels, int8_t* out);
void MeanOfCodes(const uint8_t* input, WindowPixels pixels, int64_t channels, uint8_t* out);

}  // namespace plumb::fast::cpu
