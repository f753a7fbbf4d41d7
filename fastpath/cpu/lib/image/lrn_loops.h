// Local response normalization of one pixel: norm = bias + alpha·Σ x² over the channels within `radius`.
#pragma once

#include <cstdint>

namespace plumb::fast::cpu {

struct LrnSize {
  int64_t depth = 0, radius = 0;  // radius < depth, unless depth is 0
  float bias = 1, alpha = 1, beta = 0.5;
  // Floats of scratch memory that one call needs.
  int64_t scratch() const { return 3 * depth + 2 * radius; }
};

// y = x·norm^−beta.
void NormalizePixel(const LrnSize& size, const float* x, float* scratch, float* y);
// dx = dy·norm^−beta − 2·alpha·beta·x·Σ dy·y/norm, the sum over the channels within `radius`.
void NormalizePixelGradient(const LrnSize& size, const float* dy, const float* x, const float* y, float* scratch,
                            float* dx);

}  // namespace plumb::fast::cpu
