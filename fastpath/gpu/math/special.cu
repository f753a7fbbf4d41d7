// Kernels and rows: all follow from the formulas and their words.
#include "fastpath/gpu/math/special_words.h"

#define PLUMB_TOPIC MathSpecial
#define PLUMB_FORMULAS "fastpath/formulas/math/special-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
