// A sum of numbers that are known by their logarithms. PLUMB_INLINE is the device's.

// log(exp sum + exp x). As TensorFlow compares them, a NaN that joins a sum is taken for the sum, and the difference of
// two infinities shows as a NaN.
template <class C>
PLUMB_INLINE C LogOfSum(C sum, C x) {
  const C larger = sum < x ? x : sum, smaller = x < sum ? x : sum;
  if (larger == -std::numeric_limits<C>::infinity()) return larger;
  return larger + std::log1p(std::exp(smaller - larger));
}
