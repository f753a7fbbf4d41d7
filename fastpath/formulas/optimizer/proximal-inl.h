// Updates that shrink the variable towards zero, R67, and dual averaging, R62. See README.md for what a formula is made
// of.

// sign(x) max(|x| − by, 0), where the penalty is positive; else x.
template <class V>
PLUMB_INLINE V Shrunk(V x, V by, V penalty) {
  const V zero = Like(x, 0), left = Sub(Abs(x), by);
  const V size = IfThenElse(Lt(left, zero), zero, left);
  return IfThenElse(Lt(zero, penalty), Mul(SignOf(x), size), x);
}

struct ProximalGradientDescent {  // c: alpha, l1, l2; then alpha l1, 1 + alpha l2
  static constexpr int kSlots = 1;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[3] = Mul(c[0], c[1]);
    c[4] = Add(S(1), Mul(c[2], c[0]));
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[0] = Sub(s[0], Mul(g, c[0]));
    s[0] = Div(Shrunk<V>(s[0], c[3], c[1]), c[4]);
  }
};

struct ProximalAdagrad {  // c: lr, l1, l2
  static constexpr int kSlots = 2;
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(s[1], Mul(g, g));
    s[0] = Sub(s[0], Mul(g, Div(c[0], Sqrt(s[1]))));
    const V rate = Div(c[0], Sqrt(s[1]));
    s[0] = Div(Shrunk<V>(s[0], Mul(rate, c[1]), c[1]), Add(Like(rate, 1), Mul(c[2], rate)));
  }
};

struct AdagradDa {  // s: variable, sum of gradients, of their squares; c: lr, l1, l2, step; then step l1, l2 step lr
  static constexpr int kSlots = 3;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[4] = Mul(c[3], c[1]);
    c[5] = Mul(c[2], Mul(c[3], c[0]));
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(s[1], g);
    s[2] = Add(s[2], Mul(g, g));
    s[0] = Div(Neg(Mul(c[0], Shrunk<V>(s[1], c[4], c[1]))), Add(c[5], Sqrt(s[2])));
  }
};

struct AdagradDaByRows {  // divides by lr and step first; c: lr, l1, l2, step; then step lr
  static constexpr int kSlots = 3;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[4] = Mul(c[3], c[0]);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(s[1], g);
    s[2] = Add(s[2], Mul(g, g));
    const V zero = Like(c[1], 0), left = Sub(Div(Abs(s[1]), c[3]), c[1]);
    const V shrunk = Mul(SignOf(s[1]), IfThenElse(Lt(left, zero), zero, left));
    const V mean = IfThenElse(Lt(zero, c[1]), shrunk, Div(s[1], c[3]));
    s[0] = Div(Neg(mean), Add(c[2], Div(Sqrt(s[2]), c[4])));
  }
};
