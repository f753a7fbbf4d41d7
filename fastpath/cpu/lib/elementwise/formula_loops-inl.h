// The vector loops of a formula, for float32, float64 and truth values, and for whole numbers where it is for nothing
// else. Included again for each target by foreach_target.h.
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

// The result may be of another type.
template <class F, class T>
void MapWhole(const void* x, void* y, int64_t n) {
  const hn::ScalableTag<T> d;
  using Result = LaneOf<decltype(F()(hn::Zero(d)))>;
  const hn::Rebind<Result, decltype(d)> result;
  const T* const from = static_cast<const T*>(x);
  Result* const to = static_cast<Result*>(y);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  NoteTail<T>(n);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(F()(hn::LoadU(d, from + i)), result, to + i);
  if (i == n) return;
  const auto rest = static_cast<size_t>(n - i);
  StoreTail(F()(LoadTail(d, from + i, rest)), result, to + i, rest);
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

// Of formulas for whole numbers alone.
template <class F>
inline constexpr bool kHasWhole = F::kTraits == kIntegers;

// Calls pick(TypeTag<T>) for a type of whole numbers; the result, or null.
template <class Pick>
auto ForWholeTypes(DType type, const Pick& pick) -> decltype(pick(TypeTag<int>())) {
  switch (type) {
    case DType::kInt8:
      return pick(TypeTag<int8_t>());
    case DType::kInt16:
      return pick(TypeTag<int16_t>());
    case DType::kInt32:
      return pick(TypeTag<int32_t>());
    case DType::kInt64:
      return pick(TypeTag<int64_t>());
    case DType::kUint8:
      return pick(TypeTag<uint8_t>());
    case DType::kUint16:
      return pick(TypeTag<uint16_t>());
    case DType::kUint32:
      return pick(TypeTag<uint32_t>());
    case DType::kUint64:
      return pick(TypeTag<uint64_t>());
    default:
      return nullptr;
  }
}

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
  if constexpr (kHasWhole<F>) {
    return ForWholeTypes(type, [](auto tag) -> UnaryLoop { return MapWhole<F, typename decltype(tag)::Type>; });
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
  if constexpr (kHasWhole<F>) {
    return ForWholeTypes(type, [](auto tag) -> BinaryLoop { return MapBinary<F, typename decltype(tag)::Type>; });
  }
  return nullptr;
}

}  // namespace
}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_FORMULA_LOOPS_INL_H
