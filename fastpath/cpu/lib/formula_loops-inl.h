// The vector loops of the elementwise formulas, for float32 and float64, for each instruction set.
#include "fastpath/cpu/lib/elementwise.h"
#include "fastpath/cpu/lib/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fastpath/cpu/lib/formula_loops-inl.h"
#include "hwy/foreach_target.h"
//
#include "fastpath/formulas/math/arithmetic-inl.h"
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {
namespace {

template <class F, class T>
void MapUnary(const void* x, void* y, int64_t n) {
  const T* from = static_cast<const T*>(x);
  MapVectors(static_cast<T*>(y), n, [from](auto load) HWY_ATTR { return F()(load(from)); });
}

template <class F, class T>
void MapBinary(const void* x, const void* y, void* z, int64_t n, Operands operands) {
  const T *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
  T* out = static_cast<T*>(z);
  const hn::ScalableTag<T> d;
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
UnaryLoop PickUnary(DType type) {
  if constexpr ((F::kTypes & kFloats) != 0) {
    if (type == DType::kFloat) return MapUnary<F, float>;
    if (type == DType::kDouble) return MapUnary<F, double>;
  }
  return nullptr;
}

template <class F>
BinaryLoop PickBinary(DType type) {
  if constexpr ((F::kTypes & kFloats) != 0) {
    if (type == DType::kFloat) return MapBinary<F, float>;
    if (type == DType::kDouble) return MapBinary<F, double>;
  }
  return nullptr;
}

}  // namespace

UnaryLoop UnaryFor(std::string_view op, DType type) {
#define PLUMB_PICK(name, F) \
  if (op == (name)) return PickUnary<F>(type);
  PLUMB_UNARY_OPS(PLUMB_PICK)
#undef PLUMB_PICK
  return nullptr;
}

BinaryLoop BinaryFor(std::string_view op, DType type) {
#define PLUMB_PICK(name, F) \
  if (op == (name)) return PickBinary<F>(type);
  PLUMB_BINARY_OPS(PLUMB_PICK)
#undef PLUMB_PICK
  return nullptr;
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumb::fast::cpu {

HWY_EXPORT(UnaryFor);
HWY_EXPORT(BinaryFor);

UnaryLoop FindSimdUnary(std::string_view op, DType type) { return HWY_DYNAMIC_DISPATCH(UnaryFor)(op, type); }
BinaryLoop FindSimdBinary(std::string_view op, DType type) { return HWY_DYNAMIC_DISPATCH(BinaryFor)(op, type); }

}  // namespace plumb::fast::cpu
#endif
