// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC ActivationSoftplus
#define PLUMB_FORMULAS "fastpath/formulas/activation/softplus-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
