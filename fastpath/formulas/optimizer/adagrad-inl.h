// Adagrad, R62. See README.md for what a formula is made of.

template <bool update_slots>
struct AdagradV2 {  // c: lr, epsilon
  static constexpr int kSlots = 2;
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    if constexpr (update_slots) s[1] = Add(s[1], Mul(g, g));
    s[0] = Sub(s[0], Div(Mul(g, c[0]), Add(Sqrt(s[1]), c[1])));
  }
};

template <bool update_slots>
struct Adagrad {  // c: lr
  static constexpr int kSlots = 2;
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    if constexpr (update_slots) s[1] = Add(s[1], Mul(g, g));
    s[0] = Sub(s[0], Mul(Mul(g, c[0]), InverseRoot<V>(s[1])));
  }
};
