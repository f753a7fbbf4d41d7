// The words of bessel-inl.h's formulas, for vectors.
#if defined(PLUMB_BESSEL_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_BESSEL_WORDS_INL_H
#undef PLUMB_BESSEL_WORDS_INL_H
#else
#define PLUMB_BESSEL_WORDS_INL_H
#endif

#include "fastpath/cpu/math/real_words-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

#include "fastpath/formulas/math/bessel_words-inl.h"

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_BESSEL_WORDS_INL_H
