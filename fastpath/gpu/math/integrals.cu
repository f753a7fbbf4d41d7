// Kernels and rows: all follow from the formulas and their words.
#include <cmath>
#include <limits>

#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/math/integrals_words-inl.h"
#undef PLUMB_INLINE
PLUMB_GPU_WORD float DawsnOf(float x) { return static_cast<float>(DawsnOf(double{x})); }
PLUMB_GPU_WORD float ExpintOf(float x) { return static_cast<float>(ExpintOf(double{x})); }
PLUMB_GPU_WORD float SpenceOf(float x) { return static_cast<float>(SpenceOf(double{x})); }
PLUMB_GPU_WORD float FresnelCosOf(float x) { return static_cast<float>(FresnelCosOf(double{x})); }
PLUMB_GPU_WORD float FresnelSinOf(float x) { return static_cast<float>(FresnelSinOf(double{x})); }

}  // namespace plumb::fast::GPU_NAMESPACE

#define PLUMB_TOPIC MathIntegrals
#define PLUMB_FORMULAS "fastpath/formulas/math/integrals-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
