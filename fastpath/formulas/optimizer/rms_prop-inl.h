// RMSProp, R64. See README.md for what a formula is made of.

// A moving average; the sparse forms weigh its two parts.
template <bool by_parts, class V>
PLUMB_INLINE V MovedTowards(V average, V sample, V rho, V rest) {
  if constexpr (by_parts) return Add(Mul(average, rho), Mul(sample, rest));
  return Add(average, Mul(Sub(sample, average), rest));
}

// The step along the gradient, by the mean square or the variance; the order counts where a product overflows.
template <bool by_parts, class V>
PLUMB_INLINE V ScaledStep(V g, V rate, V square) {
  if constexpr (by_parts) return Mul(Mul(InverseRoot(square), rate), g);
  return Div(Mul(g, rate), Sqrt(square));
}

template <bool by_parts>
struct RmsProp {  // c: lr, rho, momentum, epsilon; then 1 − rho
  static constexpr int kSlots = 3;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[4] = Sub(S(1), c[1]);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = MovedTowards<by_parts, V>(s[1], Mul(g, g), c[1], c[4]);
    s[2] = Add(Mul(s[2], c[2]), ScaledStep<by_parts, V>(g, c[0], Add(s[1], c[3])));
    s[0] = Sub(s[0], s[2]);
  }
};

// The same with the variance in the place of the mean square.
template <bool by_parts>
struct CenteredRmsProp {  // s: variable, mean, mean square, momentum; c as above
  static constexpr int kSlots = 4;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[4] = Sub(S(1), c[1]);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[2] = MovedTowards<by_parts, V>(s[2], Mul(g, g), c[1], c[4]);
    s[1] = MovedTowards<by_parts, V>(s[1], g, c[1], c[4]);
    const V square = Mul(s[1], s[1]);
    const V variance = by_parts ? Sub(Add(s[2], c[3]), square) : Add(Sub(s[2], square), c[3]);
    s[3] = Add(Mul(s[3], c[2]), ScaledStep<by_parts, V>(g, c[0], variance));
    s[0] = Sub(s[0], s[3]);
  }
};
