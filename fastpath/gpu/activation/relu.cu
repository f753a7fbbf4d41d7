// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC ActivationRelu
#define PLUMB_FORMULAS "fastpath/formulas/activation/relu-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
