// Products of thousands of probabilities, without a logarithm. PLUMB_INLINE is the device's.

// A number m·2^(512·e) that is not negative, with m between 2^-256 and 2^256, or zero.
struct Scaled {
  double m = 0;
  int64_t e = 0;

  Scaled() = default;
  PLUMB_INLINE explicit Scaled(double value, int64_t exponent = 0) : m(value), e(exponent) {
    if (m >= 0x1p256) {
      m *= 0x1p-512;
      ++e;
    } else if (m < 0x1p-256 && m > 0) {
      m *= 0x1p512;
      --e;
    }
  }
};
PLUMB_INLINE Scaled operator*(Scaled a, Scaled b) { return Scaled(a.m * b.m, a.e + b.e); }
PLUMB_INLINE Scaled operator+(Scaled a, Scaled b) {
  if (a.m == 0) return b;
  if (b.m == 0) return a;
  const Scaled large = a.e < b.e ? b : a, small = a.e < b.e ? a : b;
  const int64_t apart = large.e - small.e;
  return apart == 0   ? Scaled(large.m + small.m, large.e)
         : apart == 1 ? Scaled(large.m + small.m * 0x1p-512, large.e)
                      : large;
}
// a/b where it is at most about 1; zero where it is too small for a double.
PLUMB_INLINE double Ratio(Scaled a, Scaled b) {
  const int64_t apart = a.e - b.e;
  const double ratio = a.m / b.m;
  if (apart == 0) return ratio;
  return apart < -2 ? 0 : std::ldexp(ratio, static_cast<int>(512 * apart));
}
PLUMB_INLINE double LogOf(Scaled a) {
  constexpr double kLogOfTwo = 0.69314718055994530942;
  return std::log(a.m) + static_cast<double>(a.e) * 512 * kLogOfTwo;
}
