#include "fastpath/cpu/lib/optimizer.h"

#include <algorithm>
#include <complex>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/update_loops-inl.h"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/formulas/optimizer/ftrl-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

template <class F, class T>
void UpdateOneByOne(void* const* slots, const void* gradient, const void* scalars, int64_t n) {
  T constants[kMaxScalars];
  std::copy_n(static_cast<const T*>(scalars), kMaxScalars, constants);
  F::Prepare(constants);
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
  F::Prepare(constants);
  V c[kMaxScalars];
  for (int k = 0; k < kMaxScalars; ++k) c[k] = hn::Set(d, constants[k]);
  const T* const g = static_cast<const T*>(gradient);
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
template <class F>
UpdateLoop PlainLoop(DType type) {
  if (type == DType::kFloat) return UpdateOneByOne<F, float>;
  if (type == DType::kDouble) return UpdateOneByOne<F, double>;
  return nullptr;
}

UpdateLoop LoopOf(UpdateFormula formula, DType type) {
  switch (formula) {
    case UpdateFormula::kGradientDescent:
      return AnalyticLoop<GradientDescent>(type);
    case UpdateFormula::kMomentum:
      return AnalyticLoop<Momentum<false>>(type);
    case UpdateFormula::kNesterovMomentum:
      return AnalyticLoop<Momentum<true>>(type);
    case UpdateFormula::kAdagrad:
      return AnalyticLoop<Adagrad<true>>(type);
    case UpdateFormula::kAdagradFixedSlots:
      return AnalyticLoop<Adagrad<false>>(type);
    case UpdateFormula::kRmsProp:
      return AnalyticLoop<RmsProp>(type);
    case UpdateFormula::kAdam:
      return AnalyticLoop<Adam<false>>(type);
    case UpdateFormula::kNesterovAdam:
      return AnalyticLoop<Adam<true>>(type);
    case UpdateFormula::kFtrl:
      return PlainLoop<Ftrl<PowerOf, false>>(type);
    case UpdateFormula::kFtrlRoot:
      return VectorLoop<Ftrl<RootOf, false>>(type);
    case UpdateFormula::kFtrlByLr:
      return PlainLoop<Ftrl<PowerOf, true>>(type);
    case UpdateFormula::kFtrlRootByLr:
      return VectorLoop<Ftrl<RootOf, true>>(type);
  }
  return nullptr;
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(LoopOf);

UpdateLoop FindUpdateLoop(UpdateFormula formula, DType type) { return HWY_DYNAMIC_DISPATCH(LoopOf)(formula, type); }

}  // namespace plumb::fast::cpu
#endif
