// What the words of special functions are written in, for a number that is a vector of float64: Reals<53> for results
// of float64, Reals<24> for those of float32, which need fewer terms of an expansion.
#if defined(PLUMB_REAL_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_REAL_WORDS_INL_H
#undef PLUMB_REAL_WORDS_INL_H
#else
#define PLUMB_REAL_WORDS_INL_H
#endif

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

using DoubleLanes = hn::ScalableTag<double>;

// A truth value for each lane.
struct Truths {
  hn::Mask<DoubleLanes> m;
  friend HWY_INLINE Truths operator&(Truths a, Truths b) { return {hn::And(a.m, b.m)}; }
  friend HWY_INLINE Truths operator|(Truths a, Truths b) { return {hn::Or(a.m, b.m)}; }
};

template <int bits>
struct Reals {
  static constexpr int kBits = bits;
  hn::Vec<DoubleLanes> v;

  HWY_INLINE Reals(hn::Vec<DoubleLanes> lanes) : v(lanes) {}
  HWY_INLINE Reals(double value) : v(hn::Set(DoubleLanes(), value)) {}

  friend HWY_INLINE Reals operator+(Reals a, Reals b) { return hn::Add(a.v, b.v); }
  friend HWY_INLINE Reals operator-(Reals a, Reals b) { return hn::Sub(a.v, b.v); }
  friend HWY_INLINE Reals operator*(Reals a, Reals b) { return hn::Mul(a.v, b.v); }
  friend HWY_INLINE Reals operator/(Reals a, Reals b) { return hn::Div(a.v, b.v); }
  friend HWY_INLINE Reals operator-(Reals a) { return hn::Neg(a.v); }
  friend HWY_INLINE Truths operator<(Reals a, Reals b) { return {hn::Lt(a.v, b.v)}; }
  friend HWY_INLINE Truths operator<=(Reals a, Reals b) { return {hn::Le(a.v, b.v)}; }
  friend HWY_INLINE Truths operator>(Reals a, Reals b) { return {hn::Lt(b.v, a.v)}; }
  friend HWY_INLINE Truths operator>=(Reals a, Reals b) { return {hn::Le(b.v, a.v)}; }
  friend HWY_INLINE Truths operator==(Reals a, Reals b) { return {hn::Eq(a.v, b.v)}; }

  friend HWY_INLINE Reals Abs(Reals a) { return hn::Abs(a.v); }
  friend HWY_INLINE Reals Sqrt(Reals a) { return hn::Sqrt(a.v); }
  friend HWY_INLINE Reals Round(Reals a) { return hn::Round(a.v); }
  friend HWY_INLINE Reals CopySignOf(Reals a, Reals sign) { return hn::CopySign(a.v, sign.v); }
  friend HWY_INLINE Reals MulAddOf(Reals a, Reals b, Reals c) { return hn::MulAdd(a.v, b.v, c.v); }
  friend HWY_INLINE Truths IsNaN(Reals a) { return {hn::IsNaN(a.v)}; }
  friend HWY_INLINE Reals IfThenElse(Truths holds, Reals a, Reals b) { return hn::IfThenElse(holds.m, a.v, b.v); }
};

// yes() where it holds and no() elsewhere; neither is computed where no lane wants it.
template <class Yes, class No>
HWY_INLINE auto Choose(Truths holds, const Yes& yes, const No& no) {
  if (hn::AllTrue(DoubleLanes(), holds.m)) return yes();
  if (hn::AllFalse(DoubleLanes(), holds.m)) return no();
  return IfThenElse(holds, yes(), no());
}

// f(x) of each lane, where f takes and gives plain numbers.
template <int bits, class F>
HWY_INLINE Reals<bits> OneByOne(Reals<bits> x, const F& f) {
  HWY_ALIGN double lanes[hn::MaxLanes(DoubleLanes())];
  hn::Store(x.v, DoubleLanes(), lanes);
  for (size_t i = 0; i < hn::Lanes(DoubleLanes()); ++i) lanes[i] = f(lanes[i]);
  return hn::Load(DoubleLanes(), lanes);
}

#define PLUMB_INLINE HWY_INLINE
#define PLUMB_LAMBDA HWY_ATTR
#include "fastpath/formulas/math/chebyshev-inl.h"

// The polynomial of degree n − 1 that an expansion's first n terms are, as coefficients of powers. In float64 it loses
// a few units, which a result of float32 does not see.
template <int n>
struct Powers {
  double of[n] = {};

  template <int all>
  explicit constexpr Powers(const double (&terms)[all]) {
    double before[n] = {}, now[n] = {};  // T of two degrees, one after the other
    before[0] = 1;
    if (n > 1) now[1] = 1;
    for (int degree = 0; degree < n; ++degree) {
      double next[n] = {};
      for (int k = 0; k < n; ++k) {
        of[k] += terms[degree] * before[k];
        next[k] = (k > 0 ? 2 * now[k - 1] : 0) - before[k];
      }
      for (int k = 0; k < n; ++k) {
        before[k] = now[k];
        now[k] = next[k];
      }
    }
  }

  // Even and odd powers by themselves, so that one sum need not wait for the other.
  template <class N>
  HWY_INLINE N At(N t) const {
    const N square = t * t;
    N before = of[n - 1], sum = of[n - 2];
#pragma GCC unroll 32
    for (int k = n - 3; k >= 0; --k) {
      const N next = MulAddOf(before, square, N(of[k]));
      before = sum;
      sum = next;
    }
    return MulAddOf(before, t, sum);
  }
};

#define PLUMB_EXPANSION(narrow, low, high, terms, x)  \
  [&](auto place) HWY_ATTR {                          \
    if constexpr (decltype(place)::kBits <= 24) {     \
      static constexpr Powers<narrow> kPowers(terms); \
      return kPowers.At(PlaceOn(low, high, place));   \
    } else {                                          \
      return ChebyshevOn(low, high, terms, place);    \
    }                                                 \
  }(x)

template <int bits>
struct SinCos {
  Reals<bits> sin, cos;
};

// Of angles of up to 2²⁰. What is left of one beside the nearest quarter of a turn is exact up to the last of three
// parts of π/2, since the first two have 33 bits; expansions of (sin r / r − 1)/r² and (cos r − 1 + r²/2)/r⁴ in r² do
// the rest, for float64 within a unit in the last place.
template <int bits>
HWY_INLINE SinCos<bits> SinCosOfSmall(Reals<bits> x) {
  using N = Reals<bits>;
  static constexpr double kSin[] = {-0.1640913551559552,    0.0025657278888541425,  -9.562805269179618e-06,
                                    2.0786991704867e-08,    -2.956678168719399e-11, 2.9646386168980234e-14,
                                    -2.2077884452751035e-17};
  static constexpr double kCos[] = {0.04123625099617376,     -0.0004292151156872203, 1.1984696933156234e-06,
                                    -2.0826428202509057e-09, 2.467428988716071e-12,  -2.1199652049798183e-15,
                                    1.3811020355588302e-18};
  const N quarters = Round(x * M_2_PI);
  const N rest = ((x - quarters * 0x1.921fb544p+0) - quarters * 0x1.0b4611a6p-34) - quarters * 0x1.3198a2e037073p-69;
  const N square = rest * rest;
  const N sin = MulAddOf(rest * square, PLUMB_EXPANSION(5, 0, 0.625, kSin, square), rest);
  const N cos = MulAddOf(square * square, PLUMB_EXPANSION(5, 0, 0.625, kCos, square), 1 - square * 0.5);
  const N turns = quarters - 4 * Round(quarters * 0.25);  // from -2 to 2
  const Truths is_odd = Abs(turns) == 1;
  const N by_sin = IfThenElse(is_odd, cos, sin), by_cos = IfThenElse(is_odd, sin, cos);
  return {IfThenElse((turns == -1) | (Abs(turns) == 2), -by_sin, by_sin),
          IfThenElse((turns == 1) | (Abs(turns) == 2), -by_cos, by_cos)};
}

// Of any; large ones, infinite ones and NaN one by one.
template <int bits>
HWY_INLINE SinCos<bits> SinCosOf(Reals<bits> x) {
  const Truths is_small = Abs(x) <= 0x1p20;
  const SinCos<bits> small = SinCosOfSmall(IfThenElse(is_small, x, Reals<bits>(0)));
  if (HWY_LIKELY(hn::AllTrue(DoubleLanes(), is_small.m))) return small;
  return {IfThenElse(is_small, small.sin, OneByOne(x, [](double t) { return std::sin(t); })),
          IfThenElse(is_small, small.cos, OneByOne(x, [](double t) { return std::cos(t); }))};
}

// Highway's functions, which err by a few units, for results of float32; the C++ library's for those of float64.
template <int bits>
HWY_INLINE Reals<bits> ExpOf(Reals<bits> x) {
  if constexpr (bits <= 24) return ExpOf(x.v);
  return OneByOne(x, [](double t) { return std::exp(t); });
}
template <int bits>
HWY_INLINE Reals<bits> LogOf(Reals<bits> x) {
  if constexpr (bits <= 24) return LogOf(x.v);
  return OneByOne(x, [](double t) { return std::log(t); });
}
template <int bits>
HWY_INLINE Reals<bits> Log1pOf(Reals<bits> x) {
  if constexpr (bits <= 24) return Log1pOf(x.v);
  return OneByOne(x, [](double t) { return std::log1p(t); });
}

// f of the lanes of a vector of float64, and of the halves of one of float32.
template <class F>
HWY_INLINE hn::Vec<DoubleLanes> OfReals(hn::Vec<DoubleLanes> x, const F& f) {
  return f(Reals<53>(x)).v;
}
template <Vector V, class F>
requires(sizeof(LaneOf<V>) == 4) HWY_INLINE V OfReals(V x, const F& f) {
  const hn::DFromV<V> d;
  const DoubleLanes wide;
#if HWY_TARGET == HWY_SCALAR
  return hn::DemoteTo(d, f(Reals<24>(hn::PromoteTo(wide, x))).v);
#else
  const hn::Half<hn::DFromV<V> > half;
  const auto low = f(Reals<24>(hn::PromoteTo(wide, hn::LowerHalf(half, x))));
  const auto high = f(Reals<24>(hn::PromoteTo(wide, hn::UpperHalf(half, x))));
  return hn::Combine(d, hn::DemoteTo(half, high.v), hn::DemoteTo(half, low.v));
#endif
}

// A word of formulas, for vectors of either width.
#define PLUMB_REAL_WORD(word)                                   \
  template <Vector V>                                           \
  HWY_INLINE V word(V x) {                                      \
    return OfReals(x, [](auto n) HWY_ATTR { return word(n); }); \
  }

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_REAL_WORDS_INL_H
