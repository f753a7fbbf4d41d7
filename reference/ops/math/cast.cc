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

// Clears the mantissa bits that `dtype` does not have, so that the conversion rounds towards zero. TensorFlow does so
// where the source is float32; the attribute changes no other conversion.
double Truncated(double number, DType dtype) {
  const int kept = dtype == DType::kHalf ? 10 : dtype == DType::kBfloat16 ? 7 : dtype == DType::kFloat ? 23 : 52;
  if (!std::isfinite(number)) return number;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(number) & (~uint64_t{0} << (52 - kept)));
}

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
  const bool truncate = context.attr<bool>("Truncate") && from == DType::kFloat;
  ForNumber(from, [&](auto from_kind) {
    const Reader<typename decltype(from_kind)::Type> source(x);
    ForNumber(to, [&](auto to_kind) {
      using To = typename decltype(to_kind)::Type;
      Writer<To> result(target_type, source.shape());
      for (int64_t i = 0; i < source.size(); ++i) {
        To number = Convert<To>(source[i], to);
        if constexpr (std::is_same_v<To, Real>) {
          if (truncate) number.v = Truncated(number.v, to);
        }
        result.Set(i, number);
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
