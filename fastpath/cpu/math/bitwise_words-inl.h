// The words of bits for vectors of whole numbers.
#if defined(PLUMB_BITWISE_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_BITWISE_WORDS_INL_H
#undef PLUMB_BITWISE_WORDS_INL_H
#else
#define PLUMB_BITWISE_WORDS_INL_H
#endif

#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

template <Vector V>
HWY_INLINE V BitsAnd(V x, V y) {
  return hn::And(x, y);
}
template <Vector V>
HWY_INLINE V BitsOr(V x, V y) {
  return hn::Or(x, y);
}
template <Vector V>
HWY_INLINE V BitsXor(V x, V y) {
  return hn::Xor(x, y);
}
template <Vector V>
HWY_INLINE V BitsNot(V x) {
  return hn::Not(x);
}
// Bytes.
template <Vector V>
HWY_INLINE auto BitsIn(V x) {
  const hn::DFromV<V> d;
  const hn::RebindToUnsigned<decltype(d)> whole;
  const auto counts = hn::PopulationCount(hn::BitCast(whole, x));
  if constexpr (sizeof(LaneOf<V>) == 1) {
    return counts;
  } else {
    return hn::TruncateTo(hn::Rebind<uint8_t, decltype(d)>(), counts);
  }
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_BITWISE_WORDS_INL_H
