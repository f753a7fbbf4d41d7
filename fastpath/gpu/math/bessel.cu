// Kernels and rows: all follow from the formulas and their words.
#include "fastpath/gpu/math/real_words.h"

namespace plumb::fast::GPU_NAMESPACE {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/math/bessel_words-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::GPU_NAMESPACE

#define PLUMB_TOPIC MathBessel
#define PLUMB_FORMULAS "fastpath/formulas/math/bessel-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
