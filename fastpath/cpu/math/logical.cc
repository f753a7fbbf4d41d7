// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathLogical
#define PLUMB_FORMULAS "fastpath/formulas/math/logical-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
