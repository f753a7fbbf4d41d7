// The folds that several ops are made of, of elements of type T. See reduce.h.
#pragma once

#include <limits>
#include <type_traits>

#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {

template <class T>
struct FoldBase {
  using In = T;
  using Value = typename Computed<T>::Type;
  using Out = T;
  PLUMB_GPU_INLINE Value Load(T element, int64_t /*i*/) const { return Computed<T>::Load(element); }
  PLUMB_GPU_INLINE T Store(Value value) const { return Computed<T>::Store(value); }
};

template <class T>
struct SumFold : FoldBase<T> {
  using Value = typename FoldBase<T>::Value;
  PLUMB_GPU_INLINE Value Identity() const { return Value(0); }
  PLUMB_GPU_INLINE Value Merge(Value a, Value b) const { return Add(a, b); }
};

template <class T>
struct MeanFold : SumFold<T> {
  using Value = typename FoldBase<T>::Value;
  double count = 0;
  PLUMB_GPU_INLINE T Store(Value sum) const {
    if constexpr (std::is_integral_v<T>) {
      return count == 0 ? T(0) : static_cast<T>(sum / static_cast<int64_t>(count));  // N14
    } else {
      return Computed<T>::Store(sum / static_cast<Value>(count));
    }
  }
};

template <class T>
struct ProductFold : FoldBase<T> {
  using Value = typename FoldBase<T>::Value;
  PLUMB_GPU_INLINE Value Identity() const { return Value(1); }
  PLUMB_GPU_INLINE Value Merge(Value a, Value b) const { return Mul(a, b); }
};

// Σ x², and what the end makes of it.
template <class T>
struct SquaresFold : SumFold<T> {
  using Value = typename FoldBase<T>::Value;
  PLUMB_GPU_INLINE Value Load(T element, int64_t /*i*/) const {
    const Value value = Computed<T>::Load(element);
    return Mul(value, value);
  }
};
template <class T>
struct NormFold : SquaresFold<T> {
  using Value = typename FoldBase<T>::Value;
  PLUMB_GPU_INLINE T Store(Value sum) const { return Computed<T>::Store(Sqrt(sum)); }
};
template <class T>
struct HalfOfSquaresFold : SquaresFold<T> {
  using Value = typename FoldBase<T>::Value;
  PLUMB_GPU_INLINE T Store(Value sum) const { return Computed<T>::Store(sum / Value(2)); }
};

template <class V>
struct Placed {
  V value;
  int64_t place;
};
// The largest or least, or NaN where there is one. Of equals, which zeros of both signs are, the last or the first.
template <class T, bool is_largest, bool takes_last>
struct ExtremeFold {
  using In = T;
  using Number = typename Computed<T>::Type;
  using Value = Placed<Number>;
  using Out = T;
  PLUMB_GPU_INLINE Value Identity() const {
    using Limits = std::numeric_limits<Number>;
    if constexpr (std::is_floating_point_v<Number>) return {is_largest ? -Limits::infinity() : Limits::infinity(), -1};
    return {is_largest ? Limits::lowest() : Limits::max(), -1};
  }
  PLUMB_GPU_INLINE Value Load(T element, int64_t i) const { return {Computed<T>::Load(element), i}; }
  PLUMB_GPU_INLINE Value Merge(Value a, Value b) const {
    if (a.value != a.value) return a;
    if (b.value != b.value) return b;
    if (a.value == b.value) return (a.place < b.place) == takes_last ? b : a;
    return (a.value < b.value) == is_largest ? b : a;
  }
  PLUMB_GPU_INLINE T Store(Value found) const { return Computed<T>::Store(found.value); }
};
template <class T>
using LargestFold = ExtremeFold<T, true, true>;  // N12: of equals the last
template <class T>
using LeastFold = ExtremeFold<T, false, true>;

// Whether all are true, or some is.
template <bool is_all>
struct LogicalFold {
  using In = bool;
  using Value = int32_t;
  using Out = bool;
  PLUMB_GPU_INLINE Value Identity() const { return is_all ? 1 : 0; }
  PLUMB_GPU_INLINE Value Load(bool element, int64_t /*i*/) const { return element ? 1 : 0; }
  PLUMB_GPU_INLINE Value Merge(Value a, Value b) const { return is_all ? a & b : a | b; }
  PLUMB_GPU_INLINE bool Store(Value value) const { return value != 0; }
};

}  // namespace plumb::fast::GPU_NAMESPACE
