// Colours of pixels, on a GPU.
#pragma once

#include <array>
#include <cmath>

#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/image/colors-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::GPU_NAMESPACE
