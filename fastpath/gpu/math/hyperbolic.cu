// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathHyperbolic
#define PLUMB_FORMULAS "fastpath/formulas/math/hyperbolic-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
