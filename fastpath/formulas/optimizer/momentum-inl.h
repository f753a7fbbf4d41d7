// Momentum, R61. See README.md for what a formula is made of.

// Keras keeps the step itself, so that a rate that changes counts from then on.
template <bool nesterov>
struct KerasMomentum {  // c: lr, momentum
  static constexpr int kSlots = 2;
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Sub(Mul(s[1], c[1]), Mul(g, c[0]));
    if constexpr (nesterov) {
      s[0] = Add(s[0], Sub(Mul(s[1], c[1]), Mul(g, c[0])));
    } else {
      s[0] = Add(s[0], s[1]);
    }
  }
};

template <bool nesterov>
struct Momentum {  // c: lr, momentum
  static constexpr int kSlots = 2;
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(Mul(s[1], c[1]), g);
    if constexpr (nesterov) {
      s[0] = Sub(s[0], Add(Mul(g, c[0]), Mul(Mul(s[1], c[1]), c[0])));
    } else {
      s[0] = Sub(s[0], Mul(s[1], c[0]));
    }
  }
};
