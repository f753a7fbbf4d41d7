// Element types: TensorFlow's DataType numbers, names and sizes (rule 9.7), and the C++ type of each.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "spec/core/half.h"
#include "spec/core/status.h"

namespace plumb {

enum class DType : int32_t {
  kInvalid = 0,
  kFloat = 1,
  kDouble = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kString = 7,
  kComplex64 = 8,
  kInt64 = 9,
  kBool = 10,
  kQint8 = 11,
  kQuint8 = 12,
  kQint32 = 13,
  kBfloat16 = 14,
  kQint16 = 15,
  kQuint16 = 16,
  kUint16 = 17,
  kComplex128 = 18,
  kHalf = 19,
  kResource = 20,
  kVariant = 21,
  kUint32 = 22,
  kUint64 = 23,
};

// A reference type is the base number plus 100 (rule T2): it travels on edges, never in a Tensor.
constexpr int32_t kRefOffset = 100;
constexpr bool IsRef(DType type) { return static_cast<int32_t>(type) > kRefOffset; }
constexpr DType Base(DType type) { return IsRef(type) ? DType(static_cast<int32_t>(type) - kRefOffset) : type; }
constexpr DType MakeRef(DType type) { return IsRef(type) ? type : DType(static_cast<int32_t>(type) + kRefOffset); }

// True for the numbers 1 … 23 and their ref forms.
bool IsValid(DType type);
// "float32", "int64", "string", "float32_ref", … (numpy's spelling, as in the op signatures).
std::string_view DTypeName(DType type);
// Accepts both spellings: "float32" and "float" and "DT_FLOAT".
std::optional<DType> ParseDType(std::string_view name);
// Bytes per element; 0 for string, resource and variant, whose elements are C++ objects.
size_t ElementSize(DType type);

bool IsFloating(DType type);   // half, bfloat16, float, double
bool IsComplex(DType type);    // complex64, complex128
bool IsInteger(DType type);    // signed and unsigned, not quantised, not bool
bool IsQuantized(DType type);  // qint8 … quint16

// A handle to a resource that lives in a container of a device (rule R7).
struct ResourceHandle {
  std::string device;
  std::string container;
  std::string name;
  std::string type_name;  // "Var", "FIFOQueue", …; equal names of different types coexist (rule R1)
  uint64_t hash_code = 0;
  DType dtype = DType::kInvalid;  // element type of a variable handle, else kInvalid
  std::string shape_text;         // static shape of the resource, printed, for messages only
  std::weak_ptr<void> target;     // the resource itself where the handle's maker knew it, so that nobody looks it up
  // By what it names, not by the target.
  bool operator==(const ResourceHandle& other) const;
};

class VariantPayload;  // spec/core/variant.h

// One element of a variant tensor, named by its type: an object of ours (`payload`), or what it was written down as.
struct Variant {
  std::string type_name;
  std::string metadata;
  std::shared_ptr<const VariantPayload> payload = nullptr;
  bool operator==(const Variant&) const = default;
};

// Quantised elements are their own C++ types, so that a template over element types keeps them apart.
template <class Storage, DType type>
struct Quantized {
  Storage value = 0;
  bool operator==(const Quantized&) const = default;
};
using Qint8 = Quantized<int8_t, DType::kQint8>;
using Quint8 = Quantized<uint8_t, DType::kQuint8>;
using Qint16 = Quantized<int16_t, DType::kQint16>;
using Quint16 = Quantized<uint16_t, DType::kQuint16>;
using Qint32 = Quantized<int32_t, DType::kQint32>;

// The element type list, once: X(DType enumerator, C++ type).
#define PLUMB_FOR_EACH_NUMBER_TYPE(X)                                                                                \
  X(kFloat, float)                                                                                                   \
  X(kDouble, double)                                                                                                 \
  X(kInt32, int32_t)                                                                                                 \
  X(kUint8, uint8_t) X(kInt16, int16_t) X(kInt8, int8_t) X(kComplex64, std::complex<float>) X(kInt64, int64_t)       \
      X(kBool, bool) X(kBfloat16, BFloat16) X(kUint16, uint16_t) X(kComplex128, std::complex<double>) X(kHalf, Half) \
          X(kUint32, uint32_t) X(kUint64, uint64_t)
#define PLUMB_FOR_EACH_QUANTIZED_TYPE(X) \
  X(kQint8, Qint8) X(kQuint8, Quint8) X(kQint16, Qint16) X(kQuint16, Quint16) X(kQint32, Qint32)
#define PLUMB_FOR_EACH_OBJECT_TYPE(X) X(kString, std::string) X(kResource, ResourceHandle) X(kVariant, Variant)
#define PLUMB_FOR_EACH_TYPE(X) \
  PLUMB_FOR_EACH_NUMBER_TYPE(X) PLUMB_FOR_EACH_QUANTIZED_TYPE(X) PLUMB_FOR_EACH_OBJECT_TYPE(X)

// DTypeOf<float> == DType::kFloat, and CppType<DType::kFloat> == float.
template <class T>
inline constexpr DType DTypeOf = DType::kInvalid;
template <DType type>
struct CppTypeOf;
#define PLUMB_MAP_TYPE(name, type)                    \
  template <>                                         \
  inline constexpr DType DTypeOf<type> = DType::name; \
  template <>                                         \
  struct CppTypeOf<DType::name> {                     \
    using Type = type;                                \
  };
PLUMB_FOR_EACH_TYPE(PLUMB_MAP_TYPE)
#undef PLUMB_MAP_TYPE
template <DType type>
using CppType = typename CppTypeOf<type>::Type;

template <class T>
struct TypeTag {
  using Type = T;
};

// Calls f(TypeTag<T>{}) with the C++ type of `type`; throws kInvalidArgument for a type that has none.
template <class F>
decltype(auto) VisitType(DType type, F&& f) {
  switch (type) {
#define PLUMB_CASE(name, cpp) \
  case DType::name:           \
    return f(TypeTag<cpp>{});
    PLUMB_FOR_EACH_TYPE(PLUMB_CASE)
#undef PLUMB_CASE
    default:
      throw InvalidArgument("no element type has the number ", static_cast<int32_t>(type));
  }
}

}  // namespace plumb
