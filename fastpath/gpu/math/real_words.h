// What the words of special functions are written in, for a number that is a double on a GPU.
#pragma once

#include <cmath>
#include <limits>

#include "fastpath/gpu/lib/words.h"
#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

struct SinCos {
  double sin, cos;
};
PLUMB_GPU_WORD SinCos SinCosOf(double x) { return {std::sin(x), std::cos(x)}; }
PLUMB_GPU_WORD double CopySignOf(double size, double sign) { return std::copysign(size, sign); }
PLUMB_GPU_WORD double MulAddOf(double a, double b, double c) { return a * b + c; }

// yes() where it holds, and no() elsewhere.
template <class Yes, class No>
PLUMB_GPU_WORD double Choose(bool holds, const Yes& yes, const No& no) {
  return holds ? yes() : no();
}

#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/math/chebyshev-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::GPU_NAMESPACE

// What formulas of other files say of expansions, before the body of a lambda, and of float, which goes by way of
// double.
#define PLUMB_EXPANSION(narrow, low, high, terms, x) ChebyshevOn(low, high, terms, x)
#define PLUMB_LAMBDA
#define PLUMB_REAL_WORD(word) \
  PLUMB_GPU_WORD float word(float x) { return static_cast<float>(word(static_cast<double>(x))); }
