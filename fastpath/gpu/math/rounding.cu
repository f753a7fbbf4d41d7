// Loops, kernels and rows: all follow from the formulas and their words.
#include "fastpath/gpu/lib/cut_words.h"

#define CutQuotient(x, y) CutQuotient(x, y, complaint)
#define CutRemainderOf(x, y) CutRemainderOf(x, y, complaint)
#define PLUMB_TOPIC MathRounding
#define PLUMB_FORMULAS "fastpath/formulas/math/rounding-inl.h"
#include "fastpath/gpu/lib/elementwise-inl.h"
