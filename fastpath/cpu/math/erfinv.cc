// Loops, kernels and rows: all follow from the formulas and their words.
#define PLUMB_TOPIC MathErfinv
#define PLUMB_FORMULAS "fastpath/formulas/math/erfinv-inl.h"
#define PLUMB_WORDS "fastpath/cpu/math/erfinv_words-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
