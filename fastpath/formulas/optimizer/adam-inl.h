// Adam, R65. See README.md for what a formula is made of.

template <bool nesterov>
struct Adam {  // c: beta1_power, beta2_power, lr, beta1, beta2, epsilon
  static constexpr int kSlots = 3;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[0] = c[2] * std::sqrt(S(1) - c[1]) / (S(1) - c[0]);
    c[1] = S(1) - c[3];
    c[4] = S(1) - c[4];
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(s[1], Mul(Sub(g, s[1]), c[1]));
    s[2] = Add(s[2], Mul(Sub(Mul(g, g), s[2]), c[4]));
    const V direction = nesterov ? Add(Mul(g, c[1]), Mul(c[3], s[1])) : s[1];
    s[0] = Sub(s[0], Div(Mul(direction, c[0]), Add(Sqrt(s[2]), c[5])));
  }
};
