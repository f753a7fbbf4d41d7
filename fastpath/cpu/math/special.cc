// Loops, kernels and rows: all follow from the formulas and their words.
#define PLUMB_TOPIC MathSpecial
#define PLUMB_FORMULAS "fastpath/formulas/math/special-inl.h"
#define PLUMB_WORDS "fastpath/cpu/math/special_words-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
