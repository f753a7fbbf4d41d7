// Colours of pixels, in plain numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::fast::cpu {

#define PLUMB_INLINE inline
#include "fastpath/formulas/image/colors-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::cpu
