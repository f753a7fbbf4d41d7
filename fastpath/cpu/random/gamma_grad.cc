// Loops, kernels and rows: all follow from the formulas and their words.
#define PLUMB_TOPIC RandomGammaGrad
#define PLUMB_FORMULAS "fastpath/formulas/random/gamma_grad-inl.h"
#define PLUMB_WORDS "fastpath/cpu/random/gamma_words.h"
#include "fastpath/cpu/lib/elementwise/elementwise_topic-inl.h"
