// Loops, kernels and rows: all follow from the formulas and their words.
#define PLUMB_TOPIC MathRounding
#define PLUMB_FORMULAS "fastpath/formulas/math/rounding-inl.h"
#define PLUMB_WORDS "fastpath/cpu/math/rounding_words-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
