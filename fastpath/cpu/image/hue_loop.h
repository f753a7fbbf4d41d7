// Hues of many pixels moved, in vectors.
#pragma once

#include <cstdint>

namespace plumb::fast::cpu {

// MoveHue (fastpath/formulas/image/colors-inl.h) of n pixels of three channels. `to` may be `from`.
void MoveHues(const float* from, float delta, int64_t n, float* to);

}  // namespace plumb::fast::cpu
