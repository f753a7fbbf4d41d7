// The words of fastpath/formulas for vectors that Highway does not have, or not over the whole range of their
// arguments: completed for zeros, infinities, NaN and overflow, which it leaves open. Also loads and stores of less
// than a vector.
#if defined(PLUMB_VECTOR_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_VECTOR_MATH_INL_H
#undef PLUMB_VECTOR_MATH_INL_H
#else
#define PLUMB_VECTOR_MATH_INL_H
#endif

#include <cstring>
#include <limits>

#include "fastpath/cpu/lib/scalar-inl.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
concept Vector = !Scalar<V> && requires {
  typename hn::TFromD<hn::DFromV<V>>;
};
template <class V>
using LaneOf = hn::TFromD<hn::DFromV<V>>;

// All lanes `value`.
template <Vector V>
HWY_INLINE V Like(V, double value) {
  return hn::Set(hn::DFromV<V>(), static_cast<LaneOf<V>>(value));
}
// Of truth values, which are bytes that hold 0 or 1.
template <Vector V>
HWY_INLINE V Opposite(V x) {
  return hn::Xor(x, Like(x, 1));
}
template <Vector V>
HWY_INLINE V ConjOf(V x) {
  return x;
}
template <Vector V>
HWY_INLINE V Infinity(V x) {
  return Like(x, std::numeric_limits<double>::infinity());
}
template <Vector V>
HWY_INLINE V SignOf(V x) {
  const V one = Like(x, 1), zero = Like(x, 0);
  const V signed_one = hn::IfThenElse(hn::Lt(x, zero), hn::Neg(one), one);
  return hn::IfThenElse(hn::Eq(x, zero), zero, hn::IfThenElse(hn::IsNaN(x), x, signed_one));
}
template <Vector V>
HWY_INLINE V QuotientOf(V x, V y) {
  return hn::Div(x, y);
}
template <Vector V>
HWY_INLINE V FloorOfQuotient(V x, V y) {
  return hn::Floor(hn::Div(x, y));
}
template <Vector V>
HWY_INLINE V TruncatedQuotient(V x, V y) {
  return hn::Trunc(hn::Div(x, y));
}

// Above the bound Highway's exponent would wrap around; at it the result is infinite already.
template <Vector V>
HWY_INLINE V ExpOf(V x) {
  const V bound = Like(x, sizeof(LaneOf<V>) == 4 ? 89 : 710);
  const V y = hn::Exp(hn::DFromV<V>(), hn::IfThenElse(hn::Lt(bound, x), bound, x));
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}
// Above the bound the 1 is lost in the power, below the other one the power in the 1.
template <Vector V>
HWY_INLINE V Expm1Of(V x) {
  const V bound = Like(x, sizeof(LaneOf<V>) == 4 ? 88 : 706), least = Like(x, sizeof(LaneOf<V>) == 4 ? -80 : -700);
  const V inside = hn::Max(least, hn::Min(x, bound));
  const V y = hn::Expm1(hn::DFromV<V>(), inside);
  return hn::IfThenElse(hn::IsNaN(x), x, hn::IfThenElse(hn::Lt(bound, x), ExpOf(x), y));
}

// `y` where x is positive and finite, the limit or NaN elsewhere: of log where `pole` is 0, of log1p where it is -1.
template <Vector V>
HWY_INLINE V CompleteLog(V x, V y, V pole) {
  y = hn::IfThenElse(hn::Lt(x, Infinity(x)), y, x);
  y = hn::IfThenElse(hn::Eq(x, pole), hn::Neg(Infinity(x)), y);
  return hn::IfThenElse(hn::Lt(x, pole), Like(x, std::numeric_limits<double>::quiet_NaN()), y);
}
template <Vector V>
HWY_INLINE V LogOf(V x) {
  return CompleteLog(x, hn::Log(hn::DFromV<V>(), x), Like(x, 0));
}
template <Vector V>
HWY_INLINE V Log1pOf(V x) {
  return CompleteLog(x, hn::Log1p(hn::DFromV<V>(), x), Like(x, -1));
}
template <Vector V>
HWY_INLINE V TanhOf(V x) {
  return hn::Tanh(hn::DFromV<V>(), x);
}

// The machine reads and writes some of these lanes and leaves the memory of the others alone.
template <class T>
inline constexpr bool kHasMaskedMoves = (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3) && sizeof(T) >= 4;

// The first `count` lanes at p, the others zero; and the store of so many. count < Lanes(d).
template <class D>
HWY_INLINE hn::Vec<D> LoadTail(D d, const hn::TFromD<D>* p, size_t count) {
  if constexpr (kHasMaskedMoves<hn::TFromD<D>>) {
    return hn::MaskedLoad(hn::FirstN(d, count), d, p);
  } else {
    HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(d)] = {};
    std::memcpy(lanes, p, count * sizeof(*p));
    return hn::Load(d, lanes);
  }
}
template <class D>
HWY_INLINE void StoreTail(hn::Vec<D> v, D d, hn::TFromD<D>* p, size_t count) {
  if constexpr (kHasMaskedMoves<hn::TFromD<D>>) {
    hn::BlendedStore(v, hn::FirstN(d, count), d, p);
  } else {
    HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(d)];
    hn::Store(v, d, lanes);
    std::memcpy(p, lanes, count * sizeof(*p));
  }
}

// Calls body(load) for each vector of n elements and stores what it returns at z; load(p) reads that part of an array.
template <class T, class Body>
HWY_INLINE void MapVectors(T* z, int64_t n, const Body& body) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(body([d, i](const T* p) HWY_ATTR { return hn::LoadU(d, p + i); }), d, z + i);
  }
  if (i == n) return;
  const size_t rest = static_cast<size_t>(n - i);
  StoreTail(body([d, i, rest](const T* p) HWY_ATTR { return LoadTail(d, p + i, rest); }), d, z + i, rest);
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_VECTOR_MATH_INL_H
