// Loops, kernels and rows: all follow from the formulas and their words.
#define PLUMB_TOPIC MathBitwise
#define PLUMB_FORMULAS "fastpath/formulas/math/bitwise-inl.h"
#define PLUMB_WORDS "fastpath/cpu/math/bitwise_words-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
