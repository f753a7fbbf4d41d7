// Reading and writing in one step, for elements of device memory: `AtomicAdd(out[i], 1)`. All return the old value.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "spec/core/half.h"

namespace plumb::fast::emulated_gpu {
namespace internal {

// Whole numbers of 4 and 8 bytes.
template <class T>
concept AtomicInteger = std::is_integral_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);
template <class T>
concept AtomicHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// Replaces `place` by what `change` makes of it, until nobody else came in between.
template <class T, class Change>
T AtomicChange(T& place, const Change& change) {
  const std::atomic_ref<T> atomic(place);
  T old = atomic.load(std::memory_order_relaxed);
  while (!atomic.compare_exchange_weak(old, change(old), std::memory_order_relaxed)) {
  }
  return old;
}

}  // namespace internal

// Integers wrap.
template <class T>
requires internal::AtomicInteger<T> T AtomicAdd(T& place, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(place).fetch_add(value, std::memory_order_relaxed);
}
template <class T>
requires std::is_floating_point_v<T> T AtomicAdd(T& place, std::type_identity_t<T> value) {
  return internal::AtomicChange(place, [value](T old) { return old + value; });
}
// Adds as float, and rounds.
template <class T>
requires internal::AtomicHalf<T> T AtomicAdd(T& place, std::type_identity_t<T> value) {
  T old;
  old.bits = internal::AtomicChange(place.bits, [value](uint16_t bits) {
    T now;
    now.bits = bits;
    return T(static_cast<float>(now) + static_cast<float>(value)).bits;
  });
  return old;
}

template <class T>
requires internal::AtomicInteger<T> T AtomicMax(T& place, std::type_identity_t<T> value) {
  return internal::AtomicChange(place, [value](T old) { return old < value ? value : old; });
}
template <class T>
requires internal::AtomicInteger<T> T AtomicMin(T& place, std::type_identity_t<T> value) {
  return internal::AtomicChange(place, [value](T old) { return value < old ? value : old; });
}

// Puts `value` in the place of `expected`; leaves anything else.
template <class T>
requires internal::AtomicInteger<T> T AtomicCas(T& place, std::type_identity_t<T> expected,
                                                std::type_identity_t<T> value) {
  std::atomic_ref<T>(place).compare_exchange_strong(expected, value, std::memory_order_relaxed);
  return expected;
}

template <class T>
requires internal::AtomicInteger<T> T AtomicOr(T& place, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(place).fetch_or(value, std::memory_order_relaxed);
}

}  // namespace plumb::fast::emulated_gpu
