// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathArithmetic
#define PLUMB_FORMULAS "fastpath/formulas/math/arithmetic-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
