// The choice between two elements that Select and SelectV2 make.
#pragma once

#include <type_traits>

namespace plumb::fast::cpu {

// Without a branch, which random conditions would mislead.
template <class T>
inline T Either(bool first, const T& a, const T& b) {
  if constexpr (std::is_unsigned_v<T>) {
    const T mask = static_cast<T>(-static_cast<T>(first));
    return static_cast<T>((a & mask) | (b & ~mask));
  } else {
    return first ? a : b;
  }
}

}  // namespace plumb::fast::cpu
