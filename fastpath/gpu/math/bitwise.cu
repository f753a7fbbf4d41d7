// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathBitwise
#define PLUMB_FORMULAS "fastpath/formulas/math/bitwise-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
