#include "conformance/compare/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace plumb::conformance {
namespace {

template <class T>
constexpr bool kIsReal = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
constexpr bool kIsComplex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <class T>
bool Same(const T& a, const T& b) {
  if constexpr (kIsReal<T>) {
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    return std::isnan(x) || std::isnan(y) ? std::isnan(x) && std::isnan(y) : std::memcmp(&a, &b, sizeof(T)) == 0;
  } else if constexpr (kIsComplex<T>) {
    return Same(a.real(), b.real()) && Same(a.imag(), b.imag());
  } else {
    return a == b;
  }
}

// The first part of a string, with what cannot be printed escaped.
std::string Quoted(const std::string& text) {
  constexpr size_t kShown = 80;
  std::string quoted = "\"";
  for (const char c : text.substr(0, kShown)) {
    char escaped[8];
    std::snprintf(escaped, sizeof(escaped), "\\x%02x", static_cast<unsigned char>(c));
    quoted += c >= ' ' && c <= '~' ? std::string(1, c) : std::string(escaped);
  }
  return quoted + (text.size() > kShown ? Str("\"… (", text.size(), " bytes)") : "\"");
}

}  // namespace

std::vector<double> ToDoubles(const Tensor& tensor) {
  std::vector<double> numbers(static_cast<size_t>(tensor.elements() * PartsOf(tensor.dtype())));
  VisitType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (kIsReal<T>) {
      std::ranges::transform(tensor.data<T>(), numbers.begin(), [](T element) { return static_cast<double>(element); });
    } else if constexpr (kIsComplex<T>) {
      size_t part = 0;
      for (const T& element : tensor.data<T>()) {
        numbers[part++] = element.real();
        numbers[part++] = element.imag();
      }
    } else {
      throw Internal("elements of type ", DTypeName(tensor.dtype()), " are not floating-point numbers");
    }
  });
  return numbers;
}

int PartsOf(DType dtype) { return IsComplex(dtype) ? 2 : 1; }

bool SameElement(const Tensor& a, const Tensor& b, int64_t i) {
  return VisitType(a.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return Same<T>(a.data<T>()[static_cast<size_t>(i)], b.data<T>()[static_cast<size_t>(i)]);
  });
}

std::string PrintElement(const Tensor& tensor, int64_t i) {
  return VisitType(tensor.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const T& element = tensor.data<T>()[static_cast<size_t>(i)];
    if constexpr (kIsReal<T>) {
      char text[32];
      std::snprintf(text, sizeof(text), "%.*g", std::is_same_v<T, double> ? 17 : 9, static_cast<double>(element));
      return std::string(text);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return Quoted(element);
    } else {
      const std::string text = MakeScalar<T>(element).ToString();
      return text.substr(text.find('{'));
    }
  });
}

std::string PrintPosition(const Shape& shape, int64_t i) {
  std::string text;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    text = Str(i % shape.dim(axis), axis == shape.rank() - 1 ? "" : ",", text);
    i /= shape.dim(axis);
  }
  return "[" + text + "]";
}

double Largest(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return 65504;
    case DType::kBfloat16:
      return 0x1.fep127;
    case DType::kDouble:
    case DType::kComplex128:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<float>::max();
  }
}

double SmallestNormal(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return 0x1p-14;
    case DType::kDouble:
    case DType::kComplex128:
      return std::numeric_limits<double>::min();
    default:
      return std::numeric_limits<float>::min();
  }
}

double Spacing(DType dtype, double value) {
  const double magnitude = std::max(std::fabs(value), SmallestNormal(dtype));
  const int fraction_bits = dtype == DType::kHalf                                    ? 10
                            : dtype == DType::kBfloat16                              ? 7
                            : dtype == DType::kDouble || dtype == DType::kComplex128 ? 52
                                                                                     : 23;
  return std::isfinite(magnitude) ? std::ldexp(1.0, std::ilogb(magnitude) - fraction_bits) : 0;
}

}  // namespace plumb::conformance
