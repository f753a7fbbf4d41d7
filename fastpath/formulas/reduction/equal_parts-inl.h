// Equal parts of a range, in which HistogramFixedWidth counts. PLUMB_INLINE is the device's.

// low < high.
template <class T>
struct EqualParts {
  T low;
  int64_t parts;
  double step;

  PLUMB_INLINE EqualParts(T low, T high, int64_t parts) : low(low), parts(parts), step(0) {
    step = Above(high) / static_cast<double>(parts);
  }
  // The distance from the lower limit; whole numbers have room for any.
  PLUMB_INLINE double Above(T x) const {
    if constexpr (std::is_integral_v<T>) {
      return x <= low ? 0 : static_cast<double>(static_cast<uint64_t>(x) - static_cast<uint64_t>(low));
    } else {
      return static_cast<double>((x < low ? low : x) - low);
    }
  }
  // The part that a number is in, or nearest to; -1 where there is none.
  PLUMB_INLINE int64_t PartOf(T x) const {
    const double place = Above(x) / step, last = static_cast<double>(parts - 1);
    if (place != place) return -1;
    return static_cast<int64_t>(place < last ? place : last);
  }
};
