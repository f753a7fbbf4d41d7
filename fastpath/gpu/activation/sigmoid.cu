// Loops, kernels and rows: all follow from the formulas.
#define PLUMB_TOPIC ActivationSigmoid
#define PLUMB_FORMULAS "fastpath/formulas/activation/sigmoid-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
