// Lists of element types, and what is made for one type of a list.
#pragma once

#include <complex>
#include <memory>
#include <utility>

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

template <class... T>
struct Types {};
template <class... A, class... B>
constexpr Types<A..., B...> operator+(Types<A...> /*first*/, Types<B...> /*then*/) {
  return {};
}

using FloatTypes = Types<float, double, Half, BFloat16>;
using IndexTypes = Types<int32_t, int64_t>;
// Those that matrices are multiplied in.
using MatrixTypes =
    Types<float, double, Half, BFloat16, int16_t, int32_t, int64_t, std::complex<float>, std::complex<double>>;
using ComplexTypes = Types<std::complex<float>, std::complex<double>>;
using IntegerTypes = Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;

template <class T>
inline constexpr bool kIsFloat16 = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// f(TypeTag<T>()) for the T of the list that `type` names; `none` when there is no such T.
template <class R, class F, class... T>
R VisitOneOf(Types<T...> /*list*/, DType type, R none, const F& f) {
  R result = std::move(none);
  (void)((type == DTypeOf<T> && (result = f(TypeTag<T>()), true)) || ...);
  return result;
}

// The factory of K<T>, where T is the type of the node's first output one of `List` by its row.
template <template <class> class K, class List>
std::unique_ptr<Kernel> MakeFor(const Node& node) {
  return VisitOneOf(List(), OutputType(node, 0), std::unique_ptr<Kernel>(), [&](auto tag) {
    return std::unique_ptr<Kernel>(std::make_unique<K<typename decltype(tag)::Type>>(node));
  });
}

}  // namespace plumb::fast::cpu
