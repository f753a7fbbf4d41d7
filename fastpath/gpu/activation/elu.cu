// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC ActivationElu
#define PLUMB_FORMULAS "fastpath/formulas/activation/elu-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
