// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathElementary
#define PLUMB_FORMULAS "fastpath/formulas/math/elementary-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
