#include "fastpath/cpu/quantization/unit_loops.h"

#include <algorithm>

#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/quantization/unit_loops.cc"
#include "hwy/foreach_target.h"
//
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

template <class T>
HWY_INLINE RangeEnds<T> EndsOneByOne(const T* x, int64_t n) {
  RangeEnds<T> ends;
  for (int64_t i = 0; i < n; ++i) ends.Add(x[i], x[i]);
  return ends;
}

// Vectors lose which of a negative and a positive zero was the first, and say nothing of NaN.
template <class T>
RangeEnds<T> EndsOf(const T* x, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  RangeEnds<T> ends;
  auto low0 = hn::Set(d, ends.min), low1 = low0, high0 = hn::Set(d, ends.max), high1 = high0;
  auto is_nan = hn::IsNaN(low0);
  int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto a = hn::LoadU(d, x + i), b = hn::LoadU(d, x + i + lanes);
    low0 = hn::Min(a, low0);
    low1 = hn::Min(b, low1);
    high0 = hn::Max(a, high0);
    high1 = hn::Max(b, high1);
    is_nan = hn::Or(is_nan, hn::Or(hn::IsNaN(a), hn::IsNaN(b)));
  }
  if (!hn::AllFalse(d, is_nan)) return EndsOneByOne(x, n);
  if (i > 0) {
    ends.Add(hn::GetLane(hn::MinOfLanes(d, hn::Min(low0, low1))),
             hn::GetLane(hn::MaxOfLanes(d, hn::Max(high0, high1))));
  }
  for (; i < n; ++i) ends.Add(x[i], x[i]);
  if (ends.min == 0) ends.min = *std::find(x, x + n, T(0));
  if (ends.max == 0) ends.max = *std::find(x, x + n, T(0));
  return ends;
}

template <class T, bool is_within, bool goes_up>
void RoundTrip(const UnitSteps<T>& unit, const T* x, T* y, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto min = hn::Set(d, unit.min), max = hn::Set(d, unit.max), half = hn::Set(d, T(0.5));
  const auto scale = hn::Set(d, unit.scale), inverse = hn::Set(d, unit.inverse);
  MapVectors(y, n, [=](auto load) HWY_ATTR {
    auto number = load(x);
    if constexpr (is_within) {
      number = hn::IfThenElse(hn::Lt(max, number), max, number);
      number = hn::IfThenElse(hn::Lt(number, min), min, number);
    }
    const auto place = hn::Mul(number, scale);
    return hn::Mul(goes_up ? hn::Floor(hn::Add(place, half)) : hn::Round(place), inverse);
  });
}

template <class T>
UnitLoops<T> LoopsOfUnit() {
  return {EndsOf<T>, RoundTrip<T, false, false>, RoundTrip<T, true, false>, RoundTrip<T, false, true>,
          RoundTrip<T, true, true>};
}

}  // namespace

UnitLoops<float> LoopsOfFloatUnit() { return LoopsOfUnit<float>(); }
UnitLoops<double> LoopsOfDoubleUnit() { return LoopsOfUnit<double>(); }

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(LoopsOfFloatUnit);
HWY_EXPORT(LoopsOfDoubleUnit);

template <>
UnitLoops<float> FindUnitLoops() {
  return HWY_DYNAMIC_DISPATCH(LoopsOfFloatUnit)();
}
template <>
UnitLoops<double> FindUnitLoops() {
  return HWY_DYNAMIC_DISPATCH(LoopsOfDoubleUnit)();
}

}  // namespace plumb::fast::cpu
#endif
