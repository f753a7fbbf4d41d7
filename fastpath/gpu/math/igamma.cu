// Kernels and rows: all follow from the formulas and their words.
#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/random/gamma_words-inl.h"
// After the word that it uses.
#include "fastpath/formulas/math/igamma_words-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::GPU_NAMESPACE

#define PLUMB_TOPIC MathIgamma
#define PLUMB_FORMULAS "fastpath/formulas/math/igamma-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
