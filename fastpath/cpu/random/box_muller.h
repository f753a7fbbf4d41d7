// Normally distributed numbers out of uniform ones.
#pragma once

#include <cmath>

namespace plumb::fast::cpu {

#define PLUMB_INLINE inline
#include "fastpath/formulas/random/box_muller-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::cpu
