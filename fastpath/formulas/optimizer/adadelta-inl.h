// Adadelta, R63. See README.md for what a formula is made of.

struct Adadelta {  // c: lr, rho, epsilon; then 1 − rho
  static constexpr int kSlots = 3;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[3] = Sub(S(1), c[1]);
  }
  template <class S, class V>
  static PLUMB_INLINE V Step(S s, const V& g, const V* c) {
    return Mul(Mul(Sqrt(Add(s[2], c[2])), InverseRoot<V>(Add(s[1], c[2]))), g);
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    s[1] = Add(Mul(s[1], c[1]), Mul(Mul(g, g), c[3]));
    s[0] = Sub(s[0], Mul(Step(s, g, c), c[0]));
    const V step = Step(s, g, c);
    s[2] = Add(Mul(s[2], c[1]), Mul(Mul(step, step), c[3]));
  }
};
