// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathComplex
#define PLUMB_FORMULAS "fastpath/formulas/math/complex-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
