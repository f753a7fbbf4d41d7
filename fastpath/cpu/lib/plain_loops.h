// The plain loops: the formulas for the types without vector loops, and the formulas that are not worth vectors.
#include <limits>

#include "fastpath/cpu/lib/elementwise.h"
#include "fastpath/formulas/math/arithmetic-inl.h"

namespace plumb::fast::cpu {
namespace {

namespace f = HWY_NAMESPACE;

template <class F, class T, class Result = T>
void MapUnary(const void* x, void* y, int64_t n) {
  const T* from = static_cast<const T*>(x);
  Result* to = static_cast<Result*>(y);
  for (int64_t i = 0; i < n; ++i) to[i] = F()(from[i]);
}

template <class F, class T>
void MapBinary(const void* x, const void* y, void* z, int64_t n, Operands operands) {
  const T *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
  T* out = static_cast<T*>(z);
  if (operands == Operands::kBoth) {
    for (int64_t i = 0; i < n; ++i) out[i] = F()(a[i], b[i]);
  } else if (operands == Operands::kScalarX) {
    const T value = *a;
    for (int64_t i = 0; i < n; ++i) out[i] = F()(value, b[i]);
  } else {
    const T value = *b;
    for (int64_t i = 0; i < n; ++i) out[i] = F()(a[i], value);
  }
}

// Calls pick(TypeTag<T>) for the element type `type` if `types` contains it; the result, or null.
template <int types, class Pick>
auto ForTypes(DType type, const Pick& pick) -> decltype(pick(TypeTag<int>())) {
  if constexpr ((types & f::kWideInts) != 0) {
    if (type == DType::kInt32) return pick(TypeTag<int32_t>());
    if (type == DType::kInt64) return pick(TypeTag<int64_t>());
  }
  if constexpr ((types & f::kNarrowInts) != 0) {
    if (type == DType::kInt8) return pick(TypeTag<int8_t>());
    if (type == DType::kInt16) return pick(TypeTag<int16_t>());
  }
  if constexpr ((types & f::kUnsigned) != 0) {
    if (type == DType::kUint8) return pick(TypeTag<uint8_t>());
    if (type == DType::kUint16) return pick(TypeTag<uint16_t>());
    if (type == DType::kUint32) return pick(TypeTag<uint32_t>());
    if (type == DType::kUint64) return pick(TypeTag<uint64_t>());
  }
  if constexpr ((types & f::kComplex) != 0) {
    if (type == DType::kComplex64) return pick(TypeTag<std::complex<float>>());
    if (type == DType::kComplex128) return pick(TypeTag<std::complex<double>>());
  }
  if constexpr ((types & f::kBool) != 0) {
    if (type == DType::kBool) return pick(TypeTag<bool>());
  }
  return nullptr;
}

template <class F>
UnaryLoop PickUnary(DType type) {
  return ForTypes<F::kTypes>(type, [](auto tag) -> UnaryLoop { return MapUnary<F, typename decltype(tag)::Type>; });
}
template <class F>
BinaryLoop PickBinary(DType type) {
  return ForTypes<F::kTypes>(type, [](auto tag) -> BinaryLoop { return MapBinary<F, typename decltype(tag)::Type>; });
}
// The same for formulas without a vector form, whose float loops are here too.
template <class F>
BinaryLoop PickScalarBinary(DType type) {
  if constexpr ((F::kTypes & f::kFloats) != 0) {
    if (type == DType::kFloat) return MapBinary<F, float>;
    if (type == DType::kDouble) return MapBinary<F, double>;
  }
  return PickBinary<F>(type);
}

struct IsFinite {
  template <class T>
  bool operator()(T x) const {
    return std::isfinite(x);
  }
};

// Facts 11: an integer divided by zero is the caller's error; the least number by -1 wraps to itself.
template <class T>
T Quotient(T x, T y) {
  Require(y != 0, "integer division by zero");
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return f::Neg(x);
  }
  return static_cast<T>(x / y);
}
template <class T>
T Remainder(T x, T y) {
  Require(y != 0, "integer division by zero");
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return 0;
  }
  return static_cast<T>(x % y);
}

struct TruncateDiv {
  static constexpr int kTypes = f::kIntegers;
  template <class T>
  T operator()(T x, T y) const {
    return Quotient(x, y);
  }
};
struct FloorDivInt {
  static constexpr int kTypes = f::kIntegers;
  template <class T>
  T operator()(T x, T y) const {
    const T quotient = Quotient(x, y);
    return (x < 0) != (y < 0) && Remainder(x, y) != 0 ? static_cast<T>(quotient - 1) : quotient;
  }
};
// The quotient is rounded to the 16-bit type before it is floored, as TensorFlow does.
struct FloorDivHalf {
  template <class T>
  T operator()(T x, T y) const {
    return T(std::floor(static_cast<float>(T(static_cast<float>(x) / static_cast<float>(y)))));
  }
};
struct FloorMod {
  static constexpr int kTypes = f::kReals;
  template <class T>
  T operator()(T x, T y) const {
    T rest;
    if constexpr (std::is_integral_v<T>) {
      rest = Remainder(x, y);
    } else {
      rest = std::fmod(x, y);
    }
    return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
  }
};

template <class T>
T IntegerPower(T x, T y) {
  if constexpr (std::is_signed_v<T>) Require(y >= 0, "an integer cannot be raised to the negative power ", int64_t{y});
  T power = 1;
  for (uint64_t rest = static_cast<uint64_t>(static_cast<int64_t>(y)); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) power = f::Mul(power, x);
    x = f::Mul(x, x);
  }
  return power;
}
struct Pow {
  static constexpr int kTypes = f::kSignedNumbers | f::kComplex;
  template <class T>
  T operator()(T x, T y) const {
    if constexpr (std::is_integral_v<T>) {
      return IntegerPower(x, y);
    } else {
      return y == T(2) ? x * x : std::pow(x, y);
    }
  }
};

struct Concatenate {
  std::string operator()(const std::string& x, const std::string& y) const { return x + y; }
};

}  // namespace

UnaryLoop FindScalarUnary(std::string_view op, DType type) {
  if (op == "IsFinite") {
    if (type == DType::kFloat) return MapUnary<IsFinite, float, bool>;
    return type == DType::kDouble ? MapUnary<IsFinite, double, bool> : nullptr;
  }
#define PLUMB_PICK(name, F) \
  if (op == (name)) return PickUnary<f::F>(type);
  PLUMB_UNARY_OPS(PLUMB_PICK)
#undef PLUMB_PICK
  return nullptr;
}

BinaryLoop FindScalarBinary(std::string_view op, DType type) {
  if (op == "Add" && type == DType::kString) return MapBinary<Concatenate, std::string>;
  if (op == "Div" && IsInteger(type)) return PickBinary<TruncateDiv>(type);
  if (op == "FloorDiv" && IsInteger(type)) return PickBinary<FloorDivInt>(type);
  if (op == "FloorDiv" && type == DType::kHalf) return MapBinary<FloorDivHalf, Half>;
  if (op == "FloorDiv" && type == DType::kBfloat16) return MapBinary<FloorDivHalf, BFloat16>;
  if (op == "FloorMod") return PickScalarBinary<FloorMod>(type);
  if (op == "Pow") return PickScalarBinary<Pow>(type);
  if (op == "RealDiv" && IsInteger(type)) return nullptr;
#define PLUMB_PICK(name, F) \
  if (op == (name)) return PickBinary<f::F>(type);
  PLUMB_BINARY_OPS(PLUMB_PICK)
#undef PLUMB_PICK
  return nullptr;
}

}  // namespace plumb::fast::cpu
