// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathLogical
#define PLUMB_FORMULAS "fastpath/formulas/math/logical-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
