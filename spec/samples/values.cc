#include "spec/samples/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace plumb {
namespace {

constexpr int kSpecialOneIn = 6;

template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// The smallest subnormal, the smallest normal and the largest number of a type.
struct FloatLimits {
  double subnormal, normal, largest;
};
template <class T>
constexpr FloatLimits LimitsOf() {
  if constexpr (std::is_same_v<T, Half>) {
    return {0x1p-24, 0x1p-14, 65504};
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return {0x1p-133, 0x1p-126, 0x1.fep127};
  } else {
    return {std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  }
}

template <class T>
double SpecialFloat(Specials specials, SampleRandom& random) {
  constexpr FloatLimits limits = LimitsOf<T>();
  const std::array<double, 9> values = {
      NAN, INFINITY, -INFINITY, -0.0, 0.0, limits.subnormal, -limits.normal, limits.largest, -limits.largest};
  return values[random.Below(specials == Specials::kAll ? 9 : 7)];
}

// Magnitudes from 1/16 to 16, evenly in their logarithm.
double OrdinaryFloat(const ValueRange& range, SampleRandom& random) {
  if (range.bounded) {
    const double value = range.low + random.Unit() * (range.high - range.low);
    return random.Chance(8) && std::floor(value) >= range.low ? std::floor(value) : value;
  }
  constexpr std::array<double, 8> kScales = {0x1p-4, 0x1p-3, 0x1p-2, 0x1p-1, 1, 2, 4, 8};
  const double scale = kScales[static_cast<size_t>(random.Below(kScales.size()))];
  const double magnitude = (1 + random.Unit()) * scale;
  return range.positive || random.Chance(2) ? magnitude : -magnitude;
}

template <class T>
T RandomFloat(const ValueRange& range, SampleRandom& random) {
  const bool may_be_special = range.specials != Specials::kNone && !range.bounded && !range.positive;
  const bool special = may_be_special && random.Chance(kSpecialOneIn);
  const double value = special ? SpecialFloat<T>(range.specials, random) : OrdinaryFloat(range, random);
  return T(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(value));
}

template <class T>
T BoundedInteger(const ValueRange& range, SampleRandom& random) {
  const double lowest = std::max(std::ceil(range.low), static_cast<double>(std::numeric_limits<T>::min()));
  const double end = std::min(std::ceil(range.high), static_cast<double>(std::numeric_limits<T>::max()));
  const int64_t low = static_cast<int64_t>(lowest);
  const int64_t high = static_cast<int64_t>(std::max(end, lowest + 1));
  return static_cast<T>(low + random.Below(high - low));
}

// The extremes; the least number whose square does not fit; one whose bytes all differ, and which no float is, where
// the type is wide.
template <class T>
T SpecialInteger(SampleRandom& random) {
  using Limits = std::numeric_limits<T>;
  static const T root = static_cast<T>(std::ceil(std::exp2(Limits::digits / 2.0)));
  constexpr T kDigits = static_cast<T>(0x123456789ABCDEF7U >> (64 - 8 * sizeof(T)));
  const std::array<T, 5> values = {Limits::min(), Limits::max(), T(0), root, kDigits};
  return values[random.Below(values.size())];
}

template <class T>
T RandomInteger(const ValueRange& range, SampleRandom& random) {
  if (range.bounded) return BoundedInteger<T>(range, random);
  if (range.specials != Specials::kNone && random.Chance(kSpecialOneIn)) {
    const T value = SpecialInteger<T>(random);
    if (value > 0 || (!range.positive && (value != 0 || !range.nonzero))) return value;
  }
  const T magnitude = static_cast<T>(random.Below(10));
  if (magnitude == 0 && (range.positive || range.nonzero)) return 1;
  return std::is_signed_v<T> && !range.positive && random.Chance(2) ? static_cast<T>(-magnitude) : magnitude;
}

template <class T>
T RandomElement(const ValueRange& range, SampleRandom& random) {
  if constexpr (kIsFloat<T>) {
    return RandomFloat<T>(range, random);
  } else if constexpr (std::is_same_v<T, bool>) {
    return random.Chance(2);
  } else if constexpr (std::is_integral_v<T>) {
    return RandomInteger<T>(range, random);
  } else if constexpr (std::is_same_v<T, std::string>) {
    static constexpr std::array<std::string_view, 6> values = {"", "a", "b", "ab", "graph", "\xce\xb1\xce\xb2"};
    return std::string(values[random.Below(values.size())]);
  } else if constexpr (requires(T x) { x.real(); }) {
    const auto re = RandomFloat<typename T::value_type>(range, random);
    return T(re, RandomFloat<typename T::value_type>(range, random));
  } else if constexpr (requires(T x) { x.value; }) {
    return T{RandomInteger<decltype(T::value)>(range, random)};
  } else {
    return T();
  }
}

}  // namespace

Tensor RandomTensor(DType dtype, const Shape& shape, const ValueRange& range, SampleRandom& random) {
  Require(!range.bounded || range.low < range.high || shape.elements() == 0, "the range ", range.low, " .. ",
          range.high, " of a sample is empty");
  Tensor tensor(dtype, shape);
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (T& element : tensor.mutable_data<T>()) element = RandomElement<T>(range, random);
  });
  return tensor;
}

Tensor SortedRows(DType dtype, const Shape& shape, const ValueRange& range, SampleRandom& random) {
  constexpr int kTries = 1000;
  const int64_t rows = shape.rank() == 0 ? 1 : shape.dim(0);
  Tensor tensor(dtype, shape);
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      std::set<std::vector<T>> different;
      const int64_t width = rows == 0 ? 0 : shape.elements() / rows;
      for (int tries = 0; static_cast<int64_t>(different.size()) < rows && tries < kTries; ++tries) {
        std::vector<T> row;
        for (int64_t i = 0; i < width; ++i) row.push_back(RandomElement<T>(range, random));
        different.insert(std::move(row));
      }
      Require(static_cast<int64_t>(different.size()) == rows, "a sample asks for ", rows, " different rows, but there ",
              "are fewer in its range");
      auto element = tensor.mutable_data<T>().begin();
      for (const std::vector<T>& row : different) element = std::copy(row.begin(), row.end(), element);
    } else {
      throw InvalidArgument("elements of type ", DTypeName(dtype), " cannot be sorted");
    }
  });
  return tensor;
}

Tensor RandomPermutation(DType dtype, const Shape& shape, SampleRandom& random) {
  std::vector<int64_t> order(static_cast<size_t>(shape.elements()));
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<size_t>(random.Below(static_cast<int64_t>(i)))]);
  }
  Tensor tensor(dtype, shape);
  VisitType(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      const auto data = tensor.mutable_data<T>();
      for (size_t i = 0; i < order.size(); ++i) data[i] = static_cast<T>(order[i]);
    } else {
      throw InvalidArgument("a permutation needs integers, not ", DTypeName(dtype));
    }
  });
  return tensor;
}

}  // namespace plumb
