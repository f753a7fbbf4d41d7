// The update formulas R60–R66, once for vectors and plain numbers alike: the functions they call are Highway's for
// vectors and those of scalar-inl.h for numbers. Included again for each target by foreach_target.h.
#if defined(PLUMB_OPTIMIZER_FORMULAS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_OPTIMIZER_FORMULAS_INL_H
#undef PLUMB_OPTIMIZER_FORMULAS_INL_H
#else
#define PLUMB_OPTIMIZER_FORMULAS_INL_H
#endif

#include <cmath>

#include "fastpath/cpu/lib/scalar-inl.h"
#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::HWY_NAMESPACE {

// Each formula reads the scalar inputs c (in the order of the op's signature, once per call turned into constants by
// Prepare), and for every element updates the slots s[0] = variable, s[1], … from the gradient g.
struct KeepScalars {
  template <class S>
  static void Prepare(S*) {}
};

// (x > 0) − (x < 0), scaled by `size`.
template <class V>
HWY_INLINE V SignedLike(V size, V x) {
  const V zero = Like(x, 0);
  return IfThenElse(Lt(zero, x), size, IfThenElse(Lt(x, zero), Neg(size), zero));
}

struct GradientDescent : KeepScalars {  // R60; c: alpha
  static constexpr int kSlots = 1;
  template <class V>
  static HWY_INLINE void Apply(V* s, V g, const V* c) {
    s[0] = Sub(s[0], Mul(g, c[0]));
  }
};

template <bool nesterov>
struct Momentum : KeepScalars {  // R61; c: lr, momentum
  static constexpr int kSlots = 2;
  template <class V>
  static HWY_INLINE void Apply(V* s, V g, const V* c) {
    s[1] = Add(Mul(s[1], c[1]), g);
    if constexpr (nesterov) {
      s[0] = Sub(s[0], Add(Mul(g, c[0]), Mul(Mul(s[1], c[1]), c[0])));
    } else {
      s[0] = Sub(s[0], Mul(s[1], c[0]));
    }
  }
};

template <bool update_slots>
struct Adagrad : KeepScalars {  // R62; c: lr
  static constexpr int kSlots = 2;
  template <class V>
  static HWY_INLINE void Apply(V* s, V g, const V* c) {
    if constexpr (update_slots) s[1] = Add(s[1], Mul(g, g));
    s[0] = Sub(s[0], Div(Mul(g, c[0]), Sqrt(s[1])));
  }
};

struct RmsProp {  // R64; c: lr, rho, momentum, epsilon
  static constexpr int kSlots = 3;
  template <class S>
  static void Prepare(S* c) {
    c[1] = S(1) - c[1];
  }
  template <class V>
  static HWY_INLINE void Apply(V* s, V g, const V* c) {
    s[1] = Add(s[1], Mul(Sub(Mul(g, g), s[1]), c[1]));
    s[2] = Add(Mul(s[2], c[2]), Div(Mul(g, c[0]), Sqrt(Add(s[1], c[3]))));
    s[0] = Sub(s[0], s[2]);
  }
};

template <bool nesterov>
struct Adam {  // R65; c: beta1_power, beta2_power, lr, beta1, beta2, epsilon
  static constexpr int kSlots = 3;
  template <class S>
  static void Prepare(S* c) {
    c[0] = c[2] * std::sqrt(S(1) - c[1]) / (S(1) - c[0]);
    c[1] = S(1) - c[3];
    c[4] = S(1) - c[4];
  }
  template <class V>
  static HWY_INLINE void Apply(V* s, V g, const V* c) {
    s[1] = Add(s[1], Mul(Sub(g, s[1]), c[1]));
    s[2] = Add(s[2], Mul(Sub(Mul(g, g), s[2]), c[4]));
    const V direction = nesterov ? Add(Mul(g, c[1]), Mul(c[3], s[1])) : s[1];
    s[0] = Sub(s[0], Div(Mul(direction, c[0]), Add(Sqrt(s[2]), c[5])));
  }
};

// n^(-lr_power); the usual power −1/2 has vectors.
struct RootOf {
  template <class V>
  static HWY_INLINE V Power(V n, V) {
    return Sqrt(n);
  }
};
struct PowerOf {
  template <class V>
  static HWY_INLINE V Power(V n, V power) {
    return std::pow(n, power);
  }
};

// R66; c: lr, l1, l2, lr_power. With linear_by_lr the linear slot holds lr times its value.
template <class N, bool linear_by_lr>
struct Ftrl {
  static constexpr int kSlots = 3;
  template <class S>
  static void Prepare(S* c) {
    c[2] = S(2) * c[2];
    c[3] = -c[3];
    if (linear_by_lr) {
      c[1] = c[1] * c[0];
      c[2] = c[2] * c[0];
    }
  }
  template <class V>
  static HWY_INLINE void Apply(V* s, V g, const V* c) {
    const V squares = Add(s[1], Mul(g, g));
    const V after = N::Power(squares, c[3]), growth = Sub(after, N::Power(s[1], c[3]));
    V curvature = after;
    if constexpr (linear_by_lr) {
      s[2] = Add(s[2], Sub(Mul(g, c[0]), Mul(growth, s[0])));
    } else {
      s[2] = Add(s[2], Sub(g, Mul(Div(growth, c[0]), s[0])));
      curvature = Div(after, c[0]);
    }
    const V shrunk = Div(Sub(SignedLike(c[1], s[2]), s[2]), Add(curvature, c[2]));
    s[0] = IfThenElse(Lt(c[1], Abs(s[2])), shrunk, Like(shrunk, 0));
    s[1] = squares;
  }
};

}  // namespace plumb::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_OPTIMIZER_FORMULAS_INL_H
