// The words of division towards zero whose refusal is INTERNAL (N9).
#pragma once

#include <type_traits>

#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

// Beside the complaints of words.h.
constexpr Complaint kCutByZero{kNegativePower + 1};

template <Scalar T>
PLUMB_GPU_WORD T CutQuotient(T a, T b, Complaint& complaint) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) {
      complaint = kCutByZero;
      return 0;
    }
  }
  return TruncatedQuotient(a, b, complaint);
}
template <Scalar T>
PLUMB_GPU_WORD T CutRemainderOf(T a, T b, Complaint& complaint) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) {
      complaint = kCutByZero;
      return 0;
    }
  }
  return RemainderOf(a, b, complaint);
}

}  // namespace plumb::fast::GPU_NAMESPACE
