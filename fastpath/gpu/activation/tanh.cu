// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC ActivationTanh
#define PLUMB_FORMULAS "fastpath/formulas/activation/tanh-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
