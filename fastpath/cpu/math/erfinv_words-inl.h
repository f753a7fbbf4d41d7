// The words of erfinv-inl.h's formulas, for vectors.
#if defined(PLUMB_ERFINV_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_ERFINV_WORDS_INL_H
#undef PLUMB_ERFINV_WORDS_INL_H
#else
#define PLUMB_ERFINV_WORDS_INL_H
#endif

#include "fastpath/cpu/math/real_words-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

#include "fastpath/formulas/math/erfinv_words-inl.h"

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_ERFINV_WORDS_INL_H
