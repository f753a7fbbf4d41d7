// Comparisons and Select: their loops, and Select's kernel.
#include <complex>

#include "fastpath/cpu/lib/elementwise.h"
#include "fastpath/cpu/math_kernels.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::fast::cpu {
namespace {

template <class F, class T>
void Compare(const void* x, const void* y, void* z, int64_t n, Operands operands) {
  const T *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
  bool* out = static_cast<bool*>(z);
  if (operands == Operands::kBoth) {
    for (int64_t i = 0; i < n; ++i) out[i] = F()(a[i], b[i]);
  } else if (operands == Operands::kScalarX) {
    const T& value = *a;
    for (int64_t i = 0; i < n; ++i) out[i] = F()(value, b[i]);
  } else {
    const T& value = *b;
    for (int64_t i = 0; i < n; ++i) out[i] = F()(a[i], value);
  }
}

template <class F>
BinaryLoop OrderedLoop(DType type) {
  switch (type) {
#define PLUMB_CASE(name, T) \
  case DType::name:         \
    return Compare<F, T>;
    PLUMB_CASE(kFloat, float)
    PLUMB_CASE(kDouble, double)
    PLUMB_CASE(kInt32, int32_t)
    PLUMB_CASE(kInt64, int64_t)
    PLUMB_CASE(kInt8, int8_t)
    PLUMB_CASE(kInt16, int16_t)
    PLUMB_CASE(kUint8, uint8_t)
    PLUMB_CASE(kUint16, uint16_t)
    PLUMB_CASE(kUint32, uint32_t)
    PLUMB_CASE(kUint64, uint64_t)
#undef PLUMB_CASE
    default:
      return nullptr;
  }
}

// Equality also has the types without an order; quantised values are compared as their storage.
template <class F>
BinaryLoop EqualityLoop(DType type) {
  switch (type) {
    case DType::kComplex64:
      return Compare<F, std::complex<float>>;
    case DType::kComplex128:
      return Compare<F, std::complex<double>>;
    case DType::kString:
      return Compare<F, std::string>;
    case DType::kBool:
    case DType::kQuint8:
    case DType::kQint8:
      return Compare<F, uint8_t>;
    case DType::kQuint16:
    case DType::kQint16:
      return Compare<F, uint16_t>;
    case DType::kQint32:
      return Compare<F, uint32_t>;
    default:
      return OrderedLoop<F>(type);
  }
}

}  // namespace

BinaryLoop FindComparison(std::string_view op, DType type) {
  if (op == "Equal") return EqualityLoop<std::equal_to<>>(type);
  if (op == "NotEqual") return EqualityLoop<std::not_equal_to<>>(type);
  if (op == "Less") return OrderedLoop<std::less<>>(type);
  if (op == "LessEqual") return OrderedLoop<std::less_equal<>>(type);
  if (op == "Greater") return OrderedLoop<std::greater<>>(type);
  if (op == "GreaterEqual") return OrderedLoop<std::greater_equal<>>(type);
  return nullptr;
}

}  // namespace plumb::fast::cpu
