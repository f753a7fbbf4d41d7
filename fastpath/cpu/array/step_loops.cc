#include "fastpath/cpu/array/step_loops.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/array/step_loops.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

HWY_INLINE auto NumbersOf(hn::ScalableTag<float> d, hn::Vec<hn::Rebind<int32_t, hn::ScalableTag<float>>> places) {
  return hn::ConvertTo(d, places);
}
HWY_INLINE auto NumbersOf(hn::ScalableTag<double> d, hn::Vec<hn::Rebind<int32_t, hn::ScalableTag<double>>> places) {
  return hn::PromoteTo(d, places);
}

// Places that an int32 holds are converted from it.
template <class T>
HWY_INLINE void RoundedSteps(T start, T step, int64_t first, int64_t n, T* to) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<int32_t, decltype(d)> whole;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t short_places = std::min(n, std::numeric_limits<int32_t>::max() - first);
  const auto from = hn::Set(d, start), by = hn::Set(d, step);
  int64_t i = 0;
  for (; i + lanes <= short_places; i += lanes) {
    const auto places = NumbersOf(d, hn::Iota(whole, static_cast<int32_t>(first + i)));
    hn::StoreU(hn::Add(from, hn::Mul(places, by)), d, to + i);
  }
  for (; i < n; ++i) to[i] = start + static_cast<T>(first + i) * step;
}

template <class T>
HWY_INLINE void WrappingSteps(T start, T step, int64_t first, int64_t n, T* to) {
  using U = std::make_unsigned_t<T>;
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto at = [=](int64_t i) {
    return static_cast<T>(static_cast<U>(start) + static_cast<U>(first + i) * static_cast<U>(step));
  };
  HWY_ALIGN T begin[hn::MaxLanes(d)];
  for (int64_t i = 0; i < lanes; ++i) begin[i] = at(i);
  const auto more = hn::Set(d, static_cast<T>(static_cast<U>(lanes) * static_cast<U>(step)));
  auto numbers = hn::Load(d, begin);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes, numbers = hn::Add(numbers, more)) hn::StoreU(numbers, d, to + i);
  for (; i < n; ++i) to[i] = at(i);
}

}  // namespace

void FloatSteps(float start, float step, int64_t first, int64_t n, float* to) {
  RoundedSteps(start, step, first, n, to);
}
void DoubleSteps(double start, double step, int64_t first, int64_t n, double* to) {
  RoundedSteps(start, step, first, n, to);
}
void Int32Steps(int32_t start, int32_t step, int64_t first, int64_t n, int32_t* to) {
  WrappingSteps(start, step, first, n, to);
}
void Int64Steps(int64_t start, int64_t step, int64_t first, int64_t n, int64_t* to) {
  WrappingSteps(start, step, first, n, to);
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(FloatSteps);
HWY_EXPORT(DoubleSteps);
HWY_EXPORT(Int32Steps);
HWY_EXPORT(Int64Steps);

template <>
void PutSteps(float start, float step, int64_t first, int64_t n, float* to) {
  HWY_DYNAMIC_DISPATCH(FloatSteps)(start, step, first, n, to);
}
template <>
void PutSteps(double start, double step, int64_t first, int64_t n, double* to) {
  HWY_DYNAMIC_DISPATCH(DoubleSteps)(start, step, first, n, to);
}
template <>
void PutSteps(int32_t start, int32_t step, int64_t first, int64_t n, int32_t* to) {
  HWY_DYNAMIC_DISPATCH(Int32Steps)(start, step, first, n, to);
}
template <>
void PutSteps(int64_t start, int64_t step, int64_t first, int64_t n, int64_t* to) {
  HWY_DYNAMIC_DISPATCH(Int64Steps)(start, step, first, n, to);
}

}  // namespace plumb::fast::cpu
#endif
