// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathRounding
#define PLUMB_FORMULAS "fastpath/formulas/math/rounding-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
