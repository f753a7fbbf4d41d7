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

template <class F, class T>
void UpdateVectors(void* const* slots, const void* gradient, const void* scalars, int64_t n) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  T constants[kMaxScalars];
  std::copy_n(static_cast<const T*>(scalars), kMaxScalars, constants);
  if constexpr (requires { F::Prepare(constants); }) F::Prepare(constants);
  if (AreShared(slots, F::kSlots, gradient)) return UpdateShared<F, T>(slots, gradient, constants, n);
  V c[kMaxScalars];
  for (int k = 0; k < kMaxScalars; ++k) c[k] = hn::Set(d, constants[k]);
  const T* const g = static_cast<const T*>(gradient);
  whole_vectors.Chosen(n % lanes == 0);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    V s[F::kSlots];
    for (int k = 0; k < F::kSlots; ++k) s[k] = hn::LoadU(d, static_cast<T*>(slots[k]) + i);
    F::Apply(s, hn::LoadU(d, g + i), c);
    for (int k = 0; k < F::kSlots; ++k) hn::StoreU(s[k], d, static_cast<T*>(slots[k]) + i);
  }
  if (i == n) return;
  const size_t rest = static_cast<size_t>(n - i);
  V s[F::kSlots];
  for (int k = 0; k < F::kSlots; ++k) s[k] = LoadTail(d, static_cast<T*>(slots[k]) + i, rest);
  F::Apply(s, LoadTail(d, g + i, rest), c);
  for (int k = 0; k < F::kSlots; ++k) StoreTail(s[k], d, static_cast<T*>(slots[k]) + i, rest);
}

template <class F>
UpdateLoop VectorLoop(DType type) {
  if (type == DType::kFloat) return UpdateVectors<F, float>;
  if (type == DType::kDouble) return UpdateVectors<F, double>;
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
