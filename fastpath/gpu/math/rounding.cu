// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathRounding
#define PLUMB_FORMULAS "fastpath/formulas/math/rounding-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
