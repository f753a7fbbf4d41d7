// The words of the trigonometric formulas: Highway's functions where they hold, and for the lanes beyond (large angles,
// infinities, NaN) the C++ library's.
#if defined(PLUMB_TRIGONOMETRIC_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_TRIGONOMETRIC_WORDS_INL_H
#undef PLUMB_TRIGONOMETRIC_WORDS_INL_H
#else
#define PLUMB_TRIGONOMETRIC_WORDS_INL_H
#endif

#include <cmath>
#include <complex>

#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

template <Scalar T>
T SinOf(T a) {
  return std::sin(a);
}
template <Scalar T>
T CosOf(T a) {
  return std::cos(a);
}
template <Scalar T>
T TanOf(T a) {
  return std::tan(a);
}
template <Scalar T>
T AsinOf(T a) {
  return std::asin(a);
}
template <Scalar T>
T AcosOf(T a) {
  return std::acos(a);
}
template <Scalar T>
T AtanOf(T a) {
  return std::atan(a);
}
template <Scalar T>
T Atan2Of(T y, T x) {
  return std::atan2(y, x);
}

// y where `holds`, and f(x), lane by lane, elsewhere.
template <Vector V, class Holds, class F>
HWY_INLINE V Completed(V x, V y, Holds holds, const F& f) {
  const hn::DFromV<V> d;
  if (HWY_LIKELY(hn::AllTrue(d, holds))) return y;
  HWY_ALIGN LaneOf<V> lanes[hn::MaxLanes(d)];
  hn::Store(x, d, lanes);
  for (size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = f(lanes[i]);
  return hn::IfThenElse(holds, y, hn::Load(d, lanes));
}

// Up to here Highway's reduction of angles is exact enough, near multiples of pi too.
template <Vector V>
HWY_INLINE auto IsSmallAngle(V x) {
  return hn::Le(hn::Abs(x), Like(x, sizeof(LaneOf<V>) == 4 ? 100 : 30000));
}
template <Vector V>
HWY_INLINE V SinOf(V x) {
  return Completed(x, hn::Sin(hn::DFromV<V>(), x), IsSmallAngle(x), [](auto t) { return std::sin(t); });
}
template <Vector V>
HWY_INLINE V CosOf(V x) {
  return Completed(x, hn::Cos(hn::DFromV<V>(), x), IsSmallAngle(x), [](auto t) { return std::cos(t); });
}
template <Vector V>
HWY_INLINE V AsinOf(V x) {
  const auto holds = hn::Le(hn::Abs(x), Like(x, 1));
  return Completed(x, hn::Asin(hn::DFromV<V>(), x), holds, [](auto t) { return std::asin(t); });
}
template <Vector V>
HWY_INLINE V AcosOf(V x) {
  const auto holds = hn::Le(hn::Abs(x), Like(x, 1));
  return Completed(x, hn::Acos(hn::DFromV<V>(), x), holds, [](auto t) { return std::acos(t); });
}
template <Vector V>
HWY_INLINE V AtanOf(V x) {
  const auto holds = hn::Lt(hn::Abs(x), Infinity(x));
  return Completed(x, hn::Atan(hn::DFromV<V>(), x), holds, [](auto t) { return std::atan(t); });
}

// The angle within the first eighth of a turn, which is the arc of a quotient up to 1, and from there by reflections:
// at the diagonal, the y axis and the x axis. Halves of turns are two numbers, so that these cost no accuracy.
template <Vector V>
HWY_INLINE V Atan2Of(V y, V x) {
  constexpr bool kIsFloat = sizeof(LaneOf<V>) == 4;
  const V quarter = Like(x, M_PI_2), zero = Like(x, 0), one = Like(x, 1);
  const V rest = Like(x, kIsFloat ? M_PI_2 - double{static_cast<float>(M_PI_2)} : 6.123233995736766e-17);
  const V height = hn::Abs(y), width = hn::Abs(x);
  const V large = hn::Max(height, width), small = hn::Min(height, width);
  // Equal ones, two zeros aside, are on the diagonal, infinite ones too.
  const V ratio =
      hn::IfThenElse(hn::Eq(large, zero), zero, hn::IfThenElse(hn::Eq(small, large), one, hn::Div(small, large)));
  V angle = hn::Atan(hn::DFromV<V>(), ratio);
  angle = hn::IfThenElse(hn::Lt(width, height), hn::Add(hn::Sub(quarter, angle), rest), angle);
  const auto is_left = hn::Lt(hn::CopySign(one, x), zero);
  angle = hn::IfThenElse(is_left, hn::Add(hn::Sub(hn::Add(quarter, quarter), angle), hn::Add(rest, rest)), angle);
  return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::Add(x, y), hn::CopySign(angle, y));
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_TRIGONOMETRIC_WORDS_INL_H
