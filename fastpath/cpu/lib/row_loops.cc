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
HWY_INLINE void DivideRowOf(T divisor, int64_t n, T* row) {
  const hn::ScalableTag<T> d;
  const auto by = hn::Set(d, divisor), zero = hn::Zero(d);
  MapVectors(row, n, [=](auto load) HWY_ATTR { return hn::Div(hn::Add(load(row), zero), by); });
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

void AddQuotientsFloats(const float* from, float divisor, int64_t n, float* to) {
  AddQuotientsOf(from, divisor, n, to);
}
void DivideRowFloats(float divisor, int64_t n, float* row) { DivideRowOf(divisor, n, row); }
void TakeLargerFloats(const float* a, const float* b, int64_t n, float* out) { TakeLargerOf(a, b, n, out); }
void TakeSmallerFloats(const float* a, const float* b, int64_t n, float* out) { TakeSmallerOf(a, b, n, out); }
void AddQuotientsDoubles(const double* from, double divisor, int64_t n, double* to) {
  AddQuotientsOf(from, divisor, n, to);
}
void DivideRowDoubles(double divisor, int64_t n, double* row) { DivideRowOf(divisor, n, row); }
void TakeLargerDoubles(const double* a, const double* b, int64_t n, double* out) { TakeLargerOf(a, b, n, out); }
void TakeSmallerDoubles(const double* a, const double* b, int64_t n, double* out) { TakeSmallerOf(a, b, n, out); }

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(AddQuotientsFloats);
HWY_EXPORT(DivideRowFloats);
HWY_EXPORT(TakeLargerFloats);
HWY_EXPORT(TakeSmallerFloats);
HWY_EXPORT(AddQuotientsDoubles);
HWY_EXPORT(DivideRowDoubles);
HWY_EXPORT(TakeLargerDoubles);
HWY_EXPORT(TakeSmallerDoubles);

void AddQuotients(const float* from, float divisor, int64_t n, float* to) {
  HWY_DYNAMIC_DISPATCH(AddQuotientsFloats)(from, divisor, n, to);
}
void DivideRow(float divisor, int64_t n, float* row) { HWY_DYNAMIC_DISPATCH(DivideRowFloats)(divisor, n, row); }
void TakeLarger(const float* a, const float* b, int64_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(TakeLargerFloats)(a, b, n, out);
}
void TakeSmaller(const float* a, const float* b, int64_t n, float* out) {
  HWY_DYNAMIC_DISPATCH(TakeSmallerFloats)(a, b, n, out);
}
void AddQuotients(const double* from, double divisor, int64_t n, double* to) {
  HWY_DYNAMIC_DISPATCH(AddQuotientsDoubles)(from, divisor, n, to);
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
