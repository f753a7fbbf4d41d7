// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathReciprocal
#define PLUMB_FORMULAS "fastpath/formulas/math/reciprocal-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
