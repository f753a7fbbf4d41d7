#include "fastpath/cpu/lib/row_loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/row_loops.cc"
#include "fastpath/cpu/lib/simd_targets.h"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

template <class T>
HWY_INLINE void AddQuotientsOf(const T* from, T divisor, int64_t n, T* to) {
  const auto by = hn::Set(hn::ScalableTag<T>(), divisor);
  MapVectors(to, n, [=](auto load) HWY_ATTR { return hn::Add(load(to), hn::Div(load(from), by)); });
}

template <class T>
HWY_INLINE void PutQuotientsOf(const T* from, T divisor, int64_t n, T* to) {
  const auto by = hn::Set(hn::ScalableTag<T>(), divisor);
  MapVectors(to, n, [=](auto load) HWY_ATTR { return hn::Div(load(from), by); });
}

template <class T>
HWY_INLINE void AddMultipleOf(const T* from, T factor, int64_t n, T* to) {
  const auto by = hn::Set(hn::ScalableTag<T>(), factor);
  MapVectors(to, n, [=](auto load) HWY_ATTR { return hn::Add(load(to), hn::Mul(by, load(from))); });
}

// In four sums, so that no addition waits for the one before it.
HWY_INLINE float DotOf(const float* a, const float* b, int64_t n) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  const auto add = [=](int64_t i, auto& sum)
                       HWY_ATTR { sum = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), sum); };
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    add(i, s0);
    add(i + lanes, s1);
    add(i + 2 * lanes, s2);
    add(i + 3 * lanes, s3);
  }
  for (; i + lanes <= n; i += lanes) add(i, s0);
  if (i < n) {
    const auto rest = static_cast<size_t>(n - i);
    s1 = hn::MulAdd(LoadTail(d, a + i, rest), LoadTail(d, b + i, rest), s1);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

template <class T>
HWY_INLINE void TakeQuotientsOf(T divisor, int64_t n, T* row) {
  const auto by = hn::Set(hn::ScalableTag<T>(), divisor);
  MapVectors(row, n, [=](auto load) HWY_ATTR { return hn::Div(load(row), by); });
}

template <class T>
HWY_INLINE void DivideRowOf(T divisor, int64_t n, T* row) {
  const hn::ScalableTag<T> d;
  const auto by = hn::Set(d, divisor), zero = hn::Zero(d);
  MapVectors(row, n, [=](auto load) HWY_ATTR { return hn::Div(hn::Add(load(row), zero), by); });
}

HWY_INLINE void ShrinkRowBy(float by, int64_t n, float* row) {
  const hn::ScalableTag<float> d;
  const auto shrinkage = hn::Set(d, by), zero = hn::Zero(d);
  MapVectors(row, n, [=](auto load) HWY_ATTR {
    const auto x = load(row), left = hn::Sub(hn::Abs(x), shrinkage);
    const auto size = hn::IfThenElse(hn::Lt(left, zero), zero, left);
    return hn::IfThenElse(hn::IsNaN(x), x, hn::IfThenElse(hn::Lt(x, zero), hn::Neg(size), size));
  });
}

template <class T>
HWY_INLINE void TakeLargerOf(const T* a, const T* b, int64_t n, T* out) {
  MapVectors(out, n, [=](auto load) HWY_ATTR {
    const auto x = load(a), y = load(b);
    return hn::IfThenElse(hn::Lt(y, x), x, y);
  });
}

template <class T>
HWY_INLINE void TakeSmallerOf(const T* a, const T* b, int64_t n, T* out) {
  MapVectors(out, n, [=](auto load) HWY_ATTR {
    const auto x = load(a), y = load(b);
    return hn::IfThenElse(hn::Lt(x, y), x, y);
  });
}

}  // namespace

void PutQuotientsFloats(const float* from, float divisor, int64_t n, float* to) {
  PutQuotientsOf(from, divisor, n, to);
}
void AddQuotientsFloats(const float* from, float divisor, int64_t n, float* to) {
  AddQuotientsOf(from, divisor, n, to);
}
float DotOfFloats(const float* a, const float* b, int64_t n) { return DotOf(a, b, n); }
void ShrinkRowFloats(float by, int64_t n, float* row) { ShrinkRowBy(by, n, row); }
void AddMultipleFloats(const float* from, float factor, int64_t n, float* to) { AddMultipleOf(from, factor, n, to); }
void TakeQuotientsFloats(float divisor, int64_t n, float* row) { TakeQuotientsOf(divisor, n, row); }
void DivideRowFloats(float divisor, int64_t n, float* row) { DivideRowOf(divisor, n, row); }
void TakeLargerFloats(const float* a, const float* b, int64_t n, float* out) { TakeLargerOf(a, b, n, out); }
void TakeSmallerFloats(const float* a, const float* b, int64_t n, float* out) { TakeSmallerOf(a, b, n, out); }
void PutQuotientsDoubles(const double* from, double divisor, int64_t n, double* to) {
  PutQuotientsOf(from, divisor, n, to);
}
void AddQuotientsDoubles(const double* from, double divisor, int64_t n, double* to) {
  AddQuotientsOf(from, divisor, n, to);
}
void AddMultipleDoubles(const double* from, double factor, int64_t n, double* to) {
  AddMultipleOf(from, factor, n, to);
}
void TakeQuotientsDoubles(double divisor, int64_t n, double* row) { TakeQuotientsOf(divisor, n, row); }
void DivideRowDoubles(double divisor, int64_t n, double* row) { DivideRowOf(divisor, n, row); }
void TakeLargerDoubles(const double* a, const double* b, int64_t n, double* out) { TakeLargerOf(a, b, n, out); }
void TakeSmallerDoubles(const double* a, const double* b, int64_t n, double* out) { TakeSmallerOf(a, b, n, out); }

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(AddQuotientsFloats);
HWY_EXPORT(PutQuotientsFloats);
HWY_EXPORT(DotOfFloats);
HWY_EXPORT(ShrinkRowFloats);
HWY_EXPORT(AddMultipleFloats);
HWY_EXPORT(TakeQuotientsFloats);
HWY_EXPORT(DivideRowFloats);
HWY_EXPORT(TakeLargerFloats);
HWY_EXPORT(TakeSmallerFloats);
HWY_EXPORT(AddQuotientsDoubles);
HWY_EXPORT(PutQuotientsDoubles);
HWY_EXPORT(AddMultipleDoubles);
HWY_EXPORT(TakeQuotientsDoubles);
HWY_EXPORT(DivideRowDoubles);
HWY_EXPORT(TakeLargerDoubles);
HWY_EXPORT(TakeSmallerDoubles);

void PutQuotients(const float* from, float divisor, int64_t n, float* to) {
  HWY_DYNAMIC_DISPATCH(PutQuotientsFloats)(from, divisor, n, to);
}
void AddQuotients(const float* from, float divisor, int64_t n, float* to) {
  HWY_DYNAMIC_DISPATCH(AddQuotientsFloats)(from, divisor, n, to);
}
float DotOfRows(const float* a, const float* b, int64_t n) { return HWY_DYNAMIC_DISPATCH(DotOfFloats)(a, b, n); }
void ShrinkRow(float by, int64_t n, float* row) { HWY_DYNAMIC_DISPATCH(ShrinkRowFloats)(by, n, row); }
void AddMultiple(const float* from, float factor, int64_t n, float* to) {
  HWY_DYNAMIC_DISPATCH(AddMultipleFloats)(from, factor, n, to);
}
void TakeQuotients(float divisor, int64_t n, float* row) { HWY_DYNAMIC_DISPATCH(TakeQuotientsFloats)(divisor, n, row); }
void DivideRow(float divisor, int64_t n, float* row) { HWY_DYNAMIC_DISPATCH(DivideRowFloats)(divisor, n, row); }
void TakeLarger(const float* a, const float* b, int64_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(TakeLargerFloats)(a, b, n, out);
}
void TakeSmaller(const float* a, const float* b, int64_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(TakeSmallerFloats)(a, b, n, out);
}
void PutQuotients(const double* from, double divisor, int64_t n, double* to) {
  HWY_DYNAMIC_DISPATCH(PutQuotientsDoubles)(from, divisor, n, to);
}
void AddQuotients(const double* from, double divisor, int64_t n, double* to) {
  HWY_DYNAMIC_DISPATCH(AddQuotientsDoubles)(from, divisor, n, to);
}
void AddMultiple(const double* from, double factor, int64_t n, double* to) {
  HWY_DYNAMIC_DISPATCH(AddMultipleDoubles)(from, factor, n, to);
}
void TakeQuotients(double divisor, int64_t n, double* row) {
  HWY_DYNAMIC_DISPATCH(TakeQuotientsDoubles)(divisor, n, row);
}
void DivideRow(double divisor, int64_t n, double* row) { HWY_DYNAMIC_DISPATCH(DivideRowDoubles)(divisor, n, row); }
void TakeLarger(const double* a, const double* b, int64_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(TakeLargerDoubles)(a, b, n, out);
}
void TakeSmaller(const double* a, const double* b, int64_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(TakeSmallerDoubles)(a, b, n, out);
}

}  // namespace plumb::fast::cpu
#endif
