// Normally distributed numbers out of uniform ones. PLUMB_INLINE is the device's.

// R73: two independent normal numbers from two uniform ones.
template <class Real>
PLUMB_INLINE void BoxMuller(Real u1, Real u2, Real* out) {
  const Real radius = std::sqrt(Real(-2) * std::log(u1 < Real(1.0e-7) ? Real(1.0e-7) : u1));
  constexpr double kTwoPi = 6.28318530717958647693;
  const Real angle = static_cast<Real>(kTwoPi * static_cast<double>(u2));  // one rounding, as TensorFlow's
  out[0] = radius * std::sin(angle);
  out[1] = radius * std::cos(angle);
}
