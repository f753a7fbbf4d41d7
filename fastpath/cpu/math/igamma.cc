// Loops, kernels and rows: all follow from the formulas and their words.
#define PLUMB_TOPIC MathIgamma
#define PLUMB_FORMULAS "fastpath/formulas/math/igamma-inl.h"
#define PLUMB_WORDS "fastpath/cpu/math/igamma_words.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
