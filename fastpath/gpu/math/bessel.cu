// Kernels and rows: all follow from the formulas and their words.
#include <cmath>
#include <limits>

#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/math/bessel_words-inl.h"
#undef PLUMB_INLINE
PLUMB_GPU_WORD float BesselJ0Of(float x) { return static_cast<float>(BesselJ0Of(double{x})); }
PLUMB_GPU_WORD float BesselJ1Of(float x) { return static_cast<float>(BesselJ1Of(double{x})); }
PLUMB_GPU_WORD float BesselY0Of(float x) { return static_cast<float>(BesselY0Of(double{x})); }
PLUMB_GPU_WORD float BesselY1Of(float x) { return static_cast<float>(BesselY1Of(double{x})); }
PLUMB_GPU_WORD float BesselK0Of(float x) { return static_cast<float>(BesselK0Of(double{x})); }
PLUMB_GPU_WORD float BesselK1Of(float x) { return static_cast<float>(BesselK1Of(double{x})); }
PLUMB_GPU_WORD float BesselK0eOf(float x) { return static_cast<float>(BesselK0eOf(double{x})); }
PLUMB_GPU_WORD float BesselK1eOf(float x) { return static_cast<float>(BesselK1eOf(double{x})); }

}  // namespace plumb::fast::GPU_NAMESPACE

#define PLUMB_TOPIC MathBessel
#define PLUMB_FORMULAS "fastpath/formulas/math/bessel-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
