// The words of division towards zero whose refusal is INTERNAL (N9).
#if defined(PLUMB_ROUNDING_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_ROUNDING_WORDS_INL_H
#undef PLUMB_ROUNDING_WORDS_INL_H
#else
#define PLUMB_ROUNDING_WORDS_INL_H
#endif

#include <type_traits>

#include "fastpath/cpu/lib/vector_math-inl.h"
#include "spec/core/status.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

template <class T>
void RefuseZero([[maybe_unused]] T divisor) {
  if constexpr (std::is_integral_v<T>) {
    if (divisor == 0) throw Internal("integer division by zero");
  }
}
template <class T>
T CutQuotient(T a, T b) {
  RefuseZero(b);
  return TruncatedQuotient(a, b);
}
template <class T>
T CutRemainderOf(T a, T b) {
  RefuseZero(b);
  return RemainderOf(a, b);
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
