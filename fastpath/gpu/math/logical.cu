// Loops, kernels and rows: all follow from the formulas and their words.
#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

PLUMB_GPU_WORD bool Opposite(bool x) { return !x; }

}  // namespace plumb::fast::GPU_NAMESPACE

#define PLUMB_TOPIC MathLogical
#define PLUMB_FORMULAS "fastpath/formulas/math/logical-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
