// The words of division towards zero whose refusal is INTERNAL (N9).
#pragma once

#include <type_traits>

#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

// Beside the complaints of words.h.
constexpr Complaint kCutByZero{kNegativePower + 1};

// Whether an integer would be divided by zero, which is complained of.
template <Scalar T>
PLUMB_GPU_WORD bool RefusesZero(T divisor, Complaint& complaint) {
  if (!std::is_integral_v<T> || divisor != T(0)) return false;
  complaint = kCutByZero;
  return true;
}
template <Scalar T>
PLUMB_GPU_WORD T CutQuotient(T a, T b, Complaint& complaint) {
  return RefusesZero(b, complaint) ? T(0) : TruncatedQuotient(a, b, complaint);
}
template <Scalar T>
PLUMB_GPU_WORD T CutRemainderOf(T a, T b, Complaint& complaint) {
  return RefusesZero(b, complaint) ? T(0) : RemainderOf(a, b, complaint);
}

}  // namespace plumb::fast::GPU_NAMESPACE
