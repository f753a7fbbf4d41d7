// Cast between element types (rule N13).
#include <bit>
#include <cmath>
#include <limits>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "spec/core/quantized.h"

namespace plumb::reference {
namespace {

// What the machine's conversion instruction makes of a number: towards zero, and the smallest integer when it does not
// fit (or is no number).
template <class T>
Integer ConvertOrSmallest(double number) {
  constexpr double kLimit = sizeof(T) == 4 ? 0x1p31 : 0x1p63;
  const bool fits = number >= -kLimit - (sizeof(T) == 4 ? 1 - 0x1p-21 : 0) && number < kLimit;
  return fits ? static_cast<T>(number) : std::numeric_limits<T>::min();
}

// C++ leaves the conversion of numbers that do not fit open: the narrow types wrap through int32 or int64.
Integer ToWhole(double number, DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return number != 0;
    case DType::kInt64:
    case DType::kUint32:
      return ConvertOrSmallest<int64_t>(number);
    case DType::kUint64:
      return number >= 0x1p63 ? ConvertOrSmallest<int64_t>(number - 0x1p63) + Integer(uint64_t{1} << 63)
                              : ConvertOrSmallest<int64_t>(number);
    default:
      return ConvertOrSmallest<int32_t>(number);
  }
}

// Rounds once to the type; narrow types go through float.
double ToFloating(Integer number, DType dtype) {
  return dtype == DType::kDouble || dtype == DType::kComplex128 ? static_cast<double>(number.v)
                                                                : static_cast<float>(number.v);
}

// How many of the lowest bits the attribute Truncate clears before the conversion (N13): those of the mantissa that the
// target has no room for.
int ClearedBits(DType from, DType to) {
  const bool is_wide = from == DType::kDouble || from == DType::kComplex128;
  const bool is_narrow = from == DType::kFloat || from == DType::kComplex64;
  const int mantissa = is_wide ? 52 : 23;
  if (to == DType::kHalf && (is_wide || is_narrow)) return mantissa - 10;
  if (to == DType::kBfloat16 && from == DType::kFloat) return mantissa - 7;
  if (to == DType::kFloat && is_wide) return mantissa - 23;
  if (to == DType::kComplex64 && from == DType::kComplex128) return mantissa - 23;
  if (to == DType::kComplex64 && from == DType::kDouble) return mantissa + 1;
  return 0;
}

template <class T, class Bits>
T Cleared(double number, int bits) {
  return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(static_cast<T>(number)) & (~Bits{0} << bits)));
}
Real Truncated(Real x, DType from, int bits) {
  const bool is_wide = from == DType::kDouble || from == DType::kComplex128;
  if (std::isfinite(x.v)) x.v = is_wide ? Cleared<double, uint64_t>(x.v, bits) : Cleared<float, uint32_t>(x.v, bits);
  return x;
}
Complex Truncated(Complex x, DType from, int bits) {
  return {Truncated(x.re, from, bits), Truncated(x.im, from, bits)};
}
Integer Truncated(Integer x, DType, int) { return x; }

template <class To>
To Convert(Integer x, DType dtype) {
  if constexpr (std::is_same_v<To, Integer>) return dtype == DType::kBool ? Integer(x != 0) : x;
  if constexpr (!std::is_same_v<To, Integer>) return To(Real(ToFloating(x, dtype)));
}
template <class To>
To Convert(Real x, DType dtype) {
  if constexpr (std::is_same_v<To, Integer>) return ToWhole(x.v, dtype);
  if constexpr (!std::is_same_v<To, Integer>) return To(x);
}
template <class To>
To Convert(Complex x, DType dtype) {
  if constexpr (std::is_same_v<To, Complex>) return x;
  if constexpr (!std::is_same_v<To, Complex>) return Convert<To>(x.re, dtype);
}

bool CanCast(DType dtype) { return IsFloating(dtype) || IsComplex(dtype) || IsInteger(dtype) || dtype == DType::kBool; }

void Cast(OpContext& context) {
  const Value& x = context.input(0);
  const DType source_type = x.tensor.dtype(), target_type = context.attr<DType>("DstT");
  if (source_type == target_type) return context.Output(0, x);
  // Quantised elements are cast as the whole numbers that store them.
  const DType from = StorageType(source_type), to = StorageType(target_type);
  if (!CanCast(from) || !CanCast(to)) {
    throw Unimplemented("a cast from ", DTypeName(source_type), " to ", DTypeName(target_type), " is not supported");
  }
  const int cleared = context.attr<bool>("Truncate") ? ClearedBits(from, to) : 0;
  ForNumber(from, [&](auto from_kind) {
    const Reader<typename decltype(from_kind)::Type> source(x);
    ForNumber(to, [&](auto to_kind) {
      using To = typename decltype(to_kind)::Type;
      Writer<To> result(target_type, source.shape());
      for (int64_t i = 0; i < source.size(); ++i) {
        result.Set(i, Convert<To>(cleared > 0 ? Truncated(source[i], from, cleared) : source[i], to));
      }
      context.Output(0, result.Take());
    });
  });
}

constexpr KernelRow kRows[] = {
    {"Cast", Cast},
    {"_HostCast", Cast},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathCast() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
