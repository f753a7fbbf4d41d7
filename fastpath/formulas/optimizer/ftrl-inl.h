// Ftrl, R66. See README.md for what a formula is made of.

// (x > 0) − (x < 0), scaled by `size`.
template <class V>
PLUMB_INLINE V SignedLike(V size, V x) {
  const V zero = Like(x, 0);
  return IfThenElse(Lt(zero, x), size, IfThenElse(Lt(x, zero), Neg(size), zero));
}

// x held between −size and size; NaN stays.
template <class V>
PLUMB_INLINE V HeldWithin(V size, V x) {
  return IfThenElse(Lt(size, x), size, IfThenElse(Lt(x, Neg(size)), Neg(size), x));
}

// n^(-lr_power); the usual power −1/2 has vectors.
struct RootOf {
  template <class V>
  static PLUMB_INLINE V Power(V n, V) {
    return Sqrt(n);
  }
};
struct PowerOf {
  template <class V>
  static PLUMB_INLINE V Power(V n, V power) {
    return PowerTo(n, power);
  }
};

// By rows the quotient is taken in any case; dense variables become zero where linear does not exceed l1. c: lr, l1,
// l2, lr_power; with `shrinks` l2_shrinkage before the last. With linear_by_lr the linear slot holds lr times its
// value.
template <class N, bool linear_by_lr, bool shrinks, bool by_rows>
struct Ftrl {
  static constexpr int kSlots = 3;
  static constexpr int kPower = shrinks ? 4 : 3;
  template <class S>
  static PLUMB_INLINE void Prepare(S* c) {
    c[2] = Mul(S(2), c[2]);
    if (shrinks) c[3] = Mul(S(2), c[3]);
    c[kPower] = Neg(c[kPower]);
    if (linear_by_lr) {
      c[1] = Mul(c[1], c[0]);
      c[2] = Mul(c[2], c[0]);
    }
  }
  template <class S, class V>
  static PLUMB_INLINE void Apply(S s, const V& g, const V* c) {
    const V squares = Add(s[1], Mul(g, g));
    const V after = N::Power(squares, c[kPower]), growth = Sub(after, N::Power(s[1], c[kPower]));
    V curvature = after, pull = g;
    if constexpr (shrinks) pull = Add(g, Mul(c[3], s[0]));
    if constexpr (linear_by_lr) {
      s[2] = Add(s[2], Sub(Mul(pull, c[0]), Mul(growth, s[0])));
    } else {
      s[2] = Add(s[2], Sub(pull, Mul(Div(growth, c[0]), s[0])));
      curvature = Div(after, c[0]);
    }
    if constexpr (by_rows) {
      s[0] = Div(Sub(HeldWithin(c[1], s[2]), s[2]), Add(curvature, c[2]));
    } else {
      const V shrunk = Div(Sub(SignedLike(c[1], s[2]), s[2]), Add(curvature, c[2]));
      s[0] = IfThenElse(Lt(c[1], Abs(s[2])), shrunk, Like(shrunk, 0));
    }
    s[1] = Add(s[1], Mul(g, g));
  }
};
