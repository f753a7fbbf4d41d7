// Adam, R65. See README.md for what a formula is made of.

template <bool nesterov>
struct Adam {  // c: beta1_power, beta2_power, lr, beta1, beta2, epsilon; prepared: α, 1−β₁, lr, beta1, 1−β₂, epsilon
  static constexpr int kSlots = 3;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[0] = Div(Mul(c[2], Sqrt(Sub(S(1), c[1]))), Sub(S(1), c[0]));
    c[1] = Sub(S(1), c[3]);
    c[4] = Sub(S(1), c[4]);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(s[1], Mul(Sub(g, s[1]), c[1]));
    s[2] = Add(s[2], Mul(Sub(Mul(g, g), s[2]), c[4]));
    const V direction = nesterov ? Add(Mul(g, c[1]), Mul(c[3], s[1])) : s[1];
    s[0] = Sub(s[0], Div(Mul(direction, c[0]), Add(Sqrt(s[2]), c[5])));
  }
};

struct Amsgrad {  // c: as Adam's
  static constexpr int kSlots = 4;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    Adam<false>::Prepare(c);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(s[1], Mul(Sub(g, s[1]), c[1]));
    s[2] = Add(s[2], Mul(Sub(Mul(g, g), s[2]), c[4]));
    const V before = s[3], now = s[2];
    s[3] = IfThenElse(Lt(before, now), now, before);
    s[0] = Sub(s[0], Div(Mul(s[1], c[0]), Add(Sqrt(s[3]), c[5])));
  }
};

struct AdaMax {  // c: beta1_power, lr, beta1, beta2, epsilon; prepared: α, lr, 1−β₁, beta2, epsilon
  static constexpr int kSlots = 3;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[0] = Div(c[1], Sub(S(1), c[0]));
    c[2] = Sub(S(1), c[2]);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(s[1], Mul(Sub(g, s[1]), c[2]));
    const V size = Abs(g), kept = Mul(s[2], c[3]);
    s[2] = IfThenElse(Lt(kept, size), size, kept);
    s[0] = Sub(s[0], Mul(c[0], Div(s[1], Add(s[2], c[4]))));
  }
};
