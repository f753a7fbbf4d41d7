// Loops, kernels and rows: all follow from the formulas and their words.
#define PLUMB_TOPIC MathIntegrals
#define PLUMB_FORMULAS "fastpath/formulas/math/integrals-inl.h"
#define PLUMB_WORDS "fastpath/cpu/math/integrals_words-inl.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
