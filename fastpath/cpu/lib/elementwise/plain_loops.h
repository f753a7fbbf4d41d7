// The loops of a formula over plain values: for the types without vectors, and for formulas without a vector form.
#pragma once

#include <complex>
#include <string>
#include <string_view>
#include <utility>

#include "fastpath/cpu/lib/elementwise/elementwise.h"
#include "fastpath/formulas/traits.h"

namespace plumb::fast::cpu {

// What a formula gets of an element: strings are looked at, not copied.
template <class T>
using Seen = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;

template <class F, class T>
void MapPlainUnary(const void* x, void* y, int64_t n) {
  using Result = decltype(F()(std::declval<T>()));
  const T* from = static_cast<const T*>(x);
  Result* to = static_cast<Result*>(y);
  for (int64_t i = 0; i < n; ++i) to[i] = F()(from[i]);
}

template <class F, class T>
void MapPlainBinary(const void* x, const void* y, void* z, int64_t n, Operands operands) {
  using V = Seen<T>;
  using Result = decltype(F()(std::declval<V>(), std::declval<V>()));
  const T *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
  Result* out = static_cast<Result*>(z);
  if (operands == Operands::kBoth) {
    for (int64_t i = 0; i < n; ++i) out[i] = F()(V(a[i]), V(b[i]));
  } else if (operands == Operands::kScalarX) {
    const V value(*a);
    for (int64_t i = 0; i < n; ++i) out[i] = F()(value, V(b[i]));
  } else {
    const V value(*b);
    for (int64_t i = 0; i < n; ++i) out[i] = F()(V(a[i]), value);
  }
}

// Calls pick(TypeTag<T>) for the plain type T of `type` if a formula with these traits has a plain loop for it; the
// result, or null.
template <int traits, class Pick>
auto ForPlainTypes(DType type, const Pick& pick) -> decltype(pick(TypeTag<int>())) {
#define PLUMB_PLAIN_TYPE(name, T) \
  if (type == DType::name) return pick(TypeTag<T>());
  if constexpr ((traits & kFloats) != 0 && (traits & kPlain) != 0) {
    PLUMB_PLAIN_TYPE(kFloat, float)
    PLUMB_PLAIN_TYPE(kDouble, double)
  }
  if constexpr ((traits & kHalves) != 0) {
    PLUMB_PLAIN_TYPE(kHalf, Half)
    PLUMB_PLAIN_TYPE(kBfloat16, BFloat16)
  }
  if constexpr ((traits & kWideInts) != 0) {
    PLUMB_PLAIN_TYPE(kInt32, int32_t)
    PLUMB_PLAIN_TYPE(kInt64, int64_t)
  }
  if constexpr ((traits & kNarrowInts) != 0) {
    PLUMB_PLAIN_TYPE(kInt8, int8_t)
    PLUMB_PLAIN_TYPE(kInt16, int16_t)
  }
  if constexpr ((traits & kUnsigned) != 0) {
    PLUMB_PLAIN_TYPE(kUint8, uint8_t)
    PLUMB_PLAIN_TYPE(kUint16, uint16_t)
    PLUMB_PLAIN_TYPE(kUint32, uint32_t)
    PLUMB_PLAIN_TYPE(kUint64, uint64_t)
  }
  if constexpr ((traits & kComplex) != 0) {
    PLUMB_PLAIN_TYPE(kComplex64, std::complex<float>)
    PLUMB_PLAIN_TYPE(kComplex128, std::complex<double>)
  }
  if constexpr ((traits & kBool) != 0) {
    PLUMB_PLAIN_TYPE(kBool, bool)
  }
  if constexpr ((traits & kStrings) != 0) {
    PLUMB_PLAIN_TYPE(kString, std::string)
  }
  if constexpr ((traits & kQuantized) != 0) {
    PLUMB_PLAIN_TYPE(kQint8, int8_t)
    PLUMB_PLAIN_TYPE(kQuint8, uint8_t)
    PLUMB_PLAIN_TYPE(kQint16, int16_t)
    PLUMB_PLAIN_TYPE(kQuint16, uint16_t)
    PLUMB_PLAIN_TYPE(kQint32, int32_t)
  }
#undef PLUMB_PLAIN_TYPE
  return nullptr;
}

// Null where the formula has no plain loop for the type.
template <class F>
UnaryLoop PlainUnary(DType type) {
  return ForPlainTypes<F::kTraits>(
      type, [](auto tag) -> UnaryLoop { return MapPlainUnary<F, typename decltype(tag)::Type>; });
}
template <class F>
BinaryLoop PlainBinary(DType type) {
  return ForPlainTypes<F::kTraits>(
      type, [](auto tag) -> BinaryLoop { return MapPlainBinary<F, typename decltype(tag)::Type>; });
}

}  // namespace plumb::fast::cpu
