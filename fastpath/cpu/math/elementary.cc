// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC MathElementary
#define PLUMB_FORMULAS "fastpath/formulas/math/elementary-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
