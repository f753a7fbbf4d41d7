// Kernels and rows: all follow from the formulas and their words.
#include "fastpath/gpu/math/real_words.h"

namespace plumb::fast::GPU_NAMESPACE {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/math/erfinv_words-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::GPU_NAMESPACE

#define PLUMB_TOPIC MathErfinv
#define PLUMB_FORMULAS "fastpath/formulas/math/erfinv-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
