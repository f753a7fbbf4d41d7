#include "reference/numbers/bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace plumb::reference {

Value BitsAs(const Value& value, int64_t first, DType type, const Shape& shape) {
  Tensor bits(type, shape);
  const char* const bytes = static_cast<const char*>(value.tensor.raw());
  if (bits.bytes() > 0) {
    std::memcpy(bits.mutable_raw(), bytes + first * static_cast<int64_t>(ElementSize(type)), bits.bytes());
  }
  const bool uncertain =
      value.bound != nullptr && std::any_of(value.bound->begin(), value.bound->end(), [](double e) { return e > 0; });
  if (!uncertain || !(IsFloating(type) || IsComplex(type))) return bits;
  const auto entries = static_cast<size_t>(bits.elements()) * (IsComplex(type) ? 2 : 1);
  auto unknown = std::make_shared<const std::vector<double>>(entries, INFINITY);
  return {std::move(bits), std::move(unknown), nullptr};
}

}  // namespace plumb::reference
