// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathClassify
#define PLUMB_FORMULAS "fastpath/formulas/math/classify-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
