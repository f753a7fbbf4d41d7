// Updates that weigh a gradient by whether its sign is that of its running mean, R61. See README.md for what a formula
// is made of.

// The signs' product, once the mean has moved.
template <class S, class V>
PLUMB_INLINE V Agreement(S s, const V& g, V beta, V rest) {
  s[1] = Add(Mul(s[1], beta), Mul(g, rest));
  return Mul(SignOf(g), SignOf(V(s[1])));
}

struct AddSign {  // s: variable, mean; c: lr, alpha, sign_decay, beta; then 1 - beta
  static constexpr int kSlots = 2;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[4] = Sub(S(1), c[3]);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    const V signs = Agreement(s, g, c[3], c[4]);
    s[0] = Sub(s[0], Mul(Mul(c[0], Add(c[1], Mul(c[2], signs))), g));
  }
};

struct PowerSign {  // s: variable, mean; c: lr, logbase, sign_decay, beta; then 1 - beta, logbase sign_decay
  static constexpr int kSlots = 2;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[4] = Sub(S(1), c[3]);
    c[5] = Mul(c[1], c[2]);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    const V signs = Agreement(s, g, c[3], c[4]);
    s[0] = Sub(s[0], Mul(Mul(c[0], ExpOf(Mul(c[5], signs))), g));
  }
};
