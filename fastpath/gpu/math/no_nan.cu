// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathNoNan
#define PLUMB_FORMULAS "fastpath/formulas/math/no_nan-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
