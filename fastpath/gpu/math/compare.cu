// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathCompare
#define PLUMB_FORMULAS "fastpath/formulas/math/compare-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
