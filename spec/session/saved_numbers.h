// Numbers that a saved state holds, and how many entries it says that it has.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "spec/session/saved_state.h"

namespace plumb {

// Throws kDataLoss for what is no such number. Whoever reads as many entries fails at the first that is not there.
inline int64_t SavedCount(const StateReader& reader, std::string_view name) {
  constexpr int64_t kMost = int64_t{1} << 32;
  const auto count = reader.GetScalar<int64_t>(name);
  if (count < 0 || count > kMost) throw DataLoss("the saved state says that it has ", count, " entries: '", name, "'");
  return count;
}

// So many of this type; throws kDataLoss for anything else.
template <class T>
std::span<const T> SavedNumbers(const StateReader& reader, std::string_view name, int64_t count) {
  const Tensor& numbers = reader.Get(name);
  if (numbers.dtype() != DTypeOf<T> || numbers.elements() != count) {
    throw DataLoss("the saved state holds ", numbers.elements(), " ", DTypeName(numbers.dtype()), " and not ", count,
                   " ", DTypeName(DTypeOf<T>), ": '", name, "'");
  }
  return numbers.data<T>();
}

}  // namespace plumb
