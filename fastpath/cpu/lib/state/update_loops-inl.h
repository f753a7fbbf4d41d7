// The loops of an optimizer's formula (fastpath/formulas/optimizer/). Included again for each target by
// foreach_target.h.
#if defined(PLUMB_UPDATE_LOOPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_UPDATE_LOOPS_INL_H
#undef PLUMB_UPDATE_LOOPS_INL_H
#else
#define PLUMB_UPDATE_LOOPS_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <complex>

#include "fastpath/cpu/lib/state/optimizer.h"
#include "fastpath/cpu/lib/vector_math-inl.h"
#include "spec/core/choice_point.h"

#undef PLUMB_INLINE
#define PLUMB_INLINE HWY_INLINE

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

#include "fastpath/formulas/optimizer/numbers-inl.h"

// What a 16-bit type holds of a float.
template <class T>
struct RoundedAs {
  static HWY_INLINE float Rounded(float exact) { return static_cast<float>(T(exact)); }
  template <Vector V>
  static HWY_INLINE V Rounded(V exact) {
    const hn::DFromV<V> d;
    const hn::RebindToUnsigned<decltype(d)> bits;
    const V kept = hn::BitCast(d, WithoutLastBits(hn::BitCast(bits, exact)));
    return hn::IfThenElse(hn::IsNaN(exact), exact, std::is_same_v<T, Half> ? WithinHalf(exact, kept) : kept);
  }

 private:
  // Of the bits that the type lacks, to nearest even.
  template <class B>
  static HWY_INLINE B WithoutLastBits(B bits) {
    constexpr int kLost = std::is_same_v<T, Half> ? 13 : 16;
    const hn::DFromV<B> d;
    const B last = hn::And(hn::ShiftRight<kLost>(bits), hn::Set(d, 1));
    const B carried = hn::Add(hn::Add(bits, hn::Set(d, (1U << (kLost - 1)) - 1)), last);
    return hn::And(carried, hn::Set(d, ~((1U << kLost) - 1)));
  }
  // Numbers below half's normal ones are multiples of 2^-24, which are the units of floats from ½ on.
  template <class V>
  static HWY_INLINE V WithinHalf(V exact, V kept) {
    const V size = hn::Abs(exact), half = Like(exact, 0.5);
    const V small = hn::CopySign(hn::Sub(hn::Add(size, half), half), exact);
    const V unbounded = hn::IfThenElse(hn::Lt(size, Like(exact, 0x1p-14)), small, kept);
    return hn::IfThenElse(hn::Lt(Like(exact, 65504), hn::Abs(unbounded)), hn::CopySign(Infinity(exact), exact),
                          unbounded);
  }
};

// How the numbers of a formula lie in memory and in vectors. Those in steps lie there as their floats do.
template <class N>
struct Layout {
  using Lane = N;
  template <class V>
  static HWY_INLINE V Numbers(V lanes) {
    return lanes;
  }
  template <class V>
  static HWY_INLINE V Lanes(V numbers) {
    return numbers;
  }
};
template <class Format>
struct Layout<InSteps<float, Format>> {
  using Lane = float;
  template <class V>
  static HWY_INLINE InSteps<V, Format> Numbers(V lanes) {
    return Held<Format>(lanes);
  }
  template <class V>
  static HWY_INLINE V Lanes(InSteps<V, Format> numbers) {
    return numbers.number;
  }
};
using HalfSteps = InSteps<float, RoundedAs<Half>>;
using BFloat16Steps = InSteps<float, RoundedAs<BFloat16>>;
static_assert(sizeof(HalfSteps) == sizeof(float) && sizeof(BFloat16Steps) == sizeof(float));

// A power of another number than two (fastpath/formulas/optimizer/ftrl-inl.h).
template <Scalar T>
T PowerTo(T number, T power) {
  return std::pow(number, power);
}
template <class Format>
InSteps<float, Format> PowerTo(InSteps<float, Format> number, InSteps<float, Format> power) {
  return InSteps<float, Format>(std::pow(number.number, power.number));
}

namespace {

constinit ChoicePoint whole_vectors("update of slots: a tail, or whole vectors");

// R59: whether one variable has two roles, among them that of the gradient.
inline bool AreShared(void* const* slots, int count, const void* gradient) {
  for (int k = 0; k < count; ++k) {
    if (slots[k] == gradient || std::find(slots, slots + k, slots[k]) != slots + k) return true;
  }
  return false;
}

// One element of each slot, in its place.
template <class T>
struct SlotsInPlace {
  void* const* slots;
  int64_t i;

  T& operator[](int k) const { return static_cast<T*>(slots[k])[i]; }
};

// R59: each statement of the formula sees what those before it wrote.
template <class F, class T>
void UpdateShared(void* const* slots, const void* gradient, const T* constants, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    F::Apply(SlotsInPlace<T>{slots, i}, static_cast<const T*>(gradient)[i], constants);
  }
}

template <class F, class T>
void UpdateOneByOne(void* const* slots, const void* gradient, const void* scalars, int64_t n) {
  T constants[kMaxScalars];
  std::copy_n(static_cast<const T*>(scalars), kMaxScalars, constants);
  if constexpr (requires { F::Prepare(constants); }) F::Prepare(constants);
  if (AreShared(slots, F::kSlots, gradient)) return UpdateShared<F, T>(slots, gradient, constants, n);
  for (int64_t i = 0; i < n; ++i) {
    T s[F::kSlots];
    for (int k = 0; k < F::kSlots; ++k) s[k] = static_cast<T*>(slots[k])[i];
    F::Apply(s, static_cast<const T*>(gradient)[i], constants);
    for (int k = 0; k < F::kSlots; ++k) static_cast<T*>(slots[k])[i] = s[k];
  }
}

template <class F, class N>
void UpdateVectors(void* const* slots, const void* gradient, const void* scalars, int64_t n) {
  using T = typename Layout<N>::Lane;
  const hn::ScalableTag<T> d;
  using V = decltype(Layout<N>::Numbers(hn::Zero(d)));
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  N constants[kMaxScalars];
  std::copy_n(static_cast<const N*>(scalars), kMaxScalars, constants);
  if constexpr (requires { F::Prepare(constants); }) F::Prepare(constants);
  if (AreShared(slots, F::kSlots, gradient)) return UpdateShared<F, N>(slots, gradient, constants, n);
  V c[kMaxScalars];
  for (int k = 0; k < kMaxScalars; ++k) {
    c[k] = Layout<N>::Numbers(hn::Set(d, Layout<N>::Lanes(constants[k])));
  }
  const T* const g = static_cast<const T*>(gradient);
  whole_vectors.Chosen(n % lanes == 0);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    V s[F::kSlots];
    for (int k = 0; k < F::kSlots; ++k) s[k] = Layout<N>::Numbers(hn::LoadU(d, static_cast<T*>(slots[k]) + i));
    F::Apply(s, Layout<N>::Numbers(hn::LoadU(d, g + i)), c);
    for (int k = 0; k < F::kSlots; ++k) hn::StoreU(Layout<N>::Lanes(s[k]), d, static_cast<T*>(slots[k]) + i);
  }
  if (i == n) return;
  const size_t rest = static_cast<size_t>(n - i);
  V s[F::kSlots];
  for (int k = 0; k < F::kSlots; ++k) s[k] = Layout<N>::Numbers(LoadTail(d, static_cast<T*>(slots[k]) + i, rest));
  F::Apply(s, Layout<N>::Numbers(LoadTail(d, g + i, rest)), c);
  for (int k = 0; k < F::kSlots; ++k) StoreTail(Layout<N>::Lanes(s[k]), d, static_cast<T*>(slots[k]) + i, rest);
}

template <class F>
UpdateLoop VectorLoop(DType type) {
  if (type == DType::kFloat) return UpdateVectors<F, float>;
  if (type == DType::kDouble) return UpdateVectors<F, double>;
  if (type == DType::kHalf) return UpdateVectors<F, HalfSteps>;
  if (type == DType::kBfloat16) return UpdateVectors<F, BFloat16Steps>;
  return nullptr;
}
template <class F>
UpdateLoop AnalyticLoop(DType type) {
  if (type == DType::kComplex64) return UpdateOneByOne<F, std::complex<float>>;
  if (type == DType::kComplex128) return UpdateOneByOne<F, std::complex<double>>;
  return VectorLoop<F>(type);
}

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_UPDATE_LOOPS_INL_H
