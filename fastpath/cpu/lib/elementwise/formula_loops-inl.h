// The vector loops of a formula, for float32, float64 and truth values. Included again for each target by
// foreach_target.h.
#if defined(PLUMB_FORMULA_LOOPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_FORMULA_LOOPS_INL_H
#undef PLUMB_FORMULA_LOOPS_INL_H
#else
#define PLUMB_FORMULA_LOOPS_INL_H
#endif

#include "fastpath/cpu/lib/elementwise/elementwise.h"
#include "fastpath/cpu/lib/elementwise/formula_structs.h"
#include "fastpath/cpu/lib/vector_math-inl.h"
#include "fastpath/formulas/traits.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

// Asked once for a chunk, outside of the loop.
template <class T>
HWY_INLINE void NoteTail(int64_t n) {
  whole_vectors.Chosen(n % static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>())) == 0);
}

template <class F, class T>
void MapUnary(const void* x, void* y, int64_t n) {
  const T* from = static_cast<const T*>(x);
  NoteTail<T>(n);
  MapVectors(static_cast<T*>(y), n, [from](auto load) HWY_ATTR { return F()(load(from)); });
}

template <class F, class T>
void MapBinary(const void* x, const void* y, void* z, int64_t n, Operands operands) {
  const T *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
  T* out = static_cast<T*>(z);
  const hn::ScalableTag<T> d;
  NoteTail<T>(n);
  if (operands == Operands::kBoth) {
    MapVectors(out, n, [a, b](auto load) HWY_ATTR { return F()(load(a), load(b)); });
  } else if (operands == Operands::kScalarX) {
    const auto value = hn::Set(d, *a);
    MapVectors(out, n, [value, b](auto load) HWY_ATTR { return F()(value, load(b)); });
  } else {
    const auto value = hn::Set(d, *b);
    MapVectors(out, n, [value, a](auto load) HWY_ATTR { return F()(load(a), value); });
  }
}

template <class F>
inline constexpr bool kHasVectors = (F::kTraits & kFloats) != 0 && (F::kTraits & kPlain) == 0;
template <class F>
inline constexpr bool kHasTruths = (F::kTraits & kBool) != 0 && (F::kTraits & kPlain) == 0;

// Null where the formula has no vectors for the type.
template <class F>
UnaryLoop VectorUnary(DType type) {
  if constexpr (kHasVectors<F>) {
    if (type == DType::kFloat) return MapUnary<F, float>;
    if (type == DType::kDouble) return MapUnary<F, double>;
  }
  if constexpr (kHasTruths<F>) {
    if (type == DType::kBool) return MapUnary<F, uint8_t>;
  }
  return nullptr;
}
template <class F>
BinaryLoop VectorBinary(DType type) {
  if constexpr (kHasVectors<F>) {
    if (type == DType::kFloat) return MapBinary<F, float>;
    if (type == DType::kDouble) return MapBinary<F, double>;
  }
  if constexpr (kHasTruths<F>) {
    if (type == DType::kBool) return MapBinary<F, uint8_t>;
  }
  return nullptr;
}

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_FORMULA_LOOPS_INL_H
