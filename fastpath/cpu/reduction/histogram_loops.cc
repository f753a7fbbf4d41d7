#include "fastpath/cpu/reduction/histogram_loops.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/reduction/histogram_loops.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

using Wide = hn::ScalableTag<double>;

HWY_INLINE hn::Vec<Wide> Widened(Wide /*d*/, hn::Vec<Wide> x) { return x; }
template <class V>
HWY_INLINE hn::Vec<Wide> Widened(Wide d, V x) {
  return hn::PromoteTo(d, x);
}

// Of as many values as there are doubles in a vector; the distance is taken in the values' own type.
template <class T>
HWY_INLINE void PartsOfVector(const EqualParts<T>& parts, const T* x, int32_t* part) {
  const Wide d;
  const hn::Rebind<T, Wide> own;
  const hn::Rebind<int32_t, Wide> whole;
  const auto value = hn::LoadU(own, x), low = hn::Set(own, parts.low);
  const auto above = hn::Sub(hn::IfThenElse(hn::Lt(value, low), low, value), low);
  const auto place = hn::Div(Widened(d, above), hn::Set(d, parts.step));
  const auto last = hn::Set(d, static_cast<double>(parts.parts - 1));
  const auto nearest = hn::IfThenElse(hn::Lt(place, last), place, last);
  hn::StoreU(hn::DemoteTo(whole, hn::IfThenElse(hn::IsNaN(place), hn::Set(d, -1), nearest)), whole, part);
}

template <class T>
HWY_INLINE void PartsOfAll(const EqualParts<T>& parts, const T* x, int64_t n, int32_t* part) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(Wide()));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) PartsOfVector(parts, x + i, part + i);
  for (; i < n; ++i) part[i] = static_cast<int32_t>(parts.PartOf(x[i]));
}

template <class T>
HWY_INLINE bool HasNaN(const T* x, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto found = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto value = hn::LoadU(d, x + i);
    found = hn::IfThenElse(hn::IsNaN(value), value, found);
  }
  if (i < n) {
    const auto value = LoadTail(d, x + i, static_cast<size_t>(n - i));
    found = hn::IfThenElse(hn::IsNaN(value), value, found);
  }
  return !hn::AllFalse(d, hn::IsNaN(found));
}

}  // namespace

void PartsOfFloats(const EqualParts<float>& parts, const float* x, int64_t n, int32_t* part) {
  PartsOfAll(parts, x, n, part);
}
void PartsOfDoubles(const EqualParts<double>& parts, const double* x, int64_t n, int32_t* part) {
  PartsOfAll(parts, x, n, part);
}
bool FloatsHaveNaN(const float* x, int64_t n) { return HasNaN(x, n); }
bool DoublesHaveNaN(const double* x, int64_t n) { return HasNaN(x, n); }

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {
namespace {

HWY_EXPORT(PartsOfFloats);
HWY_EXPORT(PartsOfDoubles);
HWY_EXPORT(FloatsHaveNaN);
HWY_EXPORT(DoublesHaveNaN);

template <class T>
void PartsOneByOne(const EqualParts<T>& parts, const T* x, int64_t n, int32_t* part) {
  for (int64_t i = 0; i < n; ++i) part[i] = static_cast<int32_t>(parts.PartOf(x[i]));
}

template <class T>
bool HasStrayOneByOne(const EqualParts<T>& parts, const T* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (parts.PartOf(x[i]) < 0) return true;
  }
  return false;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void PartsOf(const EqualParts<float>& parts, const float* x, int64_t n, int32_t* part) {
  HWY_DYNAMIC_DISPATCH(PartsOfFloats)(parts, x, n, part);
}
void PartsOf(const EqualParts<double>& parts, const double* x, int64_t n, int32_t* part) {
  HWY_DYNAMIC_DISPATCH(PartsOfDoubles)(parts, x, n, part);
}
void PartsOf(const EqualParts<int32_t>& parts, const int32_t* x, int64_t n, int32_t* part) {
  PartsOneByOne(parts, x, n, part);
}
void PartsOf(const EqualParts<int64_t>& parts, const int64_t* x, int64_t n, int32_t* part) {
  PartsOneByOne(parts, x, n, part);
}

// A finite step means finite limits, and then only NaN is nowhere.
bool HasStray(const EqualParts<float>& parts, const float* x, int64_t n) {
  if (parts.step == kInfinity) return HasStrayOneByOne(parts, x, n);
  return HWY_DYNAMIC_DISPATCH(FloatsHaveNaN)(x, n);
}
bool HasStray(const EqualParts<double>& parts, const double* x, int64_t n) {
  if (parts.step == kInfinity) return HasStrayOneByOne(parts, x, n);
  return HWY_DYNAMIC_DISPATCH(DoublesHaveNaN)(x, n);
}

}  // namespace plumb::fast::cpu
#endif
