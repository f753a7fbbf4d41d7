// Loops, kernels and rows: all follow from the formulas and their words.
#define PLUMB_TOPIC MathBessel
#define PLUMB_FORMULAS "fastpath/formulas/math/bessel-inl.h"
#define PLUMB_WORDS "fastpath/cpu/math/bessel_words-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
