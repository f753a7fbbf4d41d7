// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathTrigonometric
#define PLUMB_FORMULAS "fastpath/formulas/math/trigonometric-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
