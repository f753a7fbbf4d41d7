// From the type of a node's argument to a type of C++.
#pragma once

#include <memory>

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

template <class T>
struct TypeTag {
  using Type = T;
};
template <class... T>
struct TypeList {};

using Floats = TypeList<float, double, Half, BFloat16>;
using Reals = TypeList<float, double, Half, BFloat16, int64_t>;
using AllIntegers = TypeList<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
// Elements that are moved and not looked into, by their size.
struct Bytes16 {
  uint64_t words[2];
};
using Movable = TypeList<uint8_t, uint16_t, uint32_t, uint64_t, Bytes16>;

template <class... Ts, class... Us>
TypeList<Ts..., Us...> Joined(TypeList<Ts...>, TypeList<Us...>);
template <class A, class B>
using Join = decltype(Joined(A(), B()));

// Throws NoKernel: the row declares a type that the kernel does not take.
[[noreturn]] void ThrowNoGpuKernel(const Node& node);

// Calls visit(TypeTag<T>) for the type of the list that `type` is.
template <class... T, class Visit>
auto ForType(const Node& node, DType type, TypeList<T...> /*types*/, const Visit& visit) {
  decltype(visit(TypeTag<float>())) result{};
  const bool found = ((type == DTypeOf<T> ? (result = visit(TypeTag<T>()), true) : false) || ...);
  if (!found) ThrowNoGpuKernel(node);
  return result;
}
// The same for the type of Movable that is as wide as `type`.
template <class Visit>
auto ForSizeOf(const Node& node, DType type, const Visit& visit) {
  switch (ElementSize(type)) {
    case 1:
      return visit(TypeTag<uint8_t>());
    case 2:
      return visit(TypeTag<uint16_t>());
    case 4:
      return visit(TypeTag<uint32_t>());
    case 8:
      return visit(TypeTag<uint64_t>());
    case 16:
      return visit(TypeTag<Bytes16>());
    default:
      ThrowNoGpuKernel(node);
  }
}

// A factory for a kernel that is the same for all types, or made from the node alone.
template <class K>
std::unique_ptr<GpuKernel> Make(const Node& node) {
  return std::make_unique<K>(node);
}
// A factory for K<T>, by the type of the first input.
template <template <class> class K, class Types>
std::unique_ptr<GpuKernel> MakeForType(const Node& node) {
  return ForType(node, Base(node.input_types[0]), Types(), [&](auto tag) -> std::unique_ptr<GpuKernel> {
    return std::make_unique<K<typename decltype(tag)::Type>>(node);
  });
}

}  // namespace plumb::fast::GPU_NAMESPACE
