// The words of special-inl.h's formulas that have vectors: expansions in Chebyshev polynomials, interpolated with 60
// digits (40 for far Bessel functions) up to terms of 1e-18.
#if defined(PLUMB_SPECIAL_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_SPECIAL_WORDS_INL_H
#undef PLUMB_SPECIAL_WORDS_INL_H
#else
#define PLUMB_SPECIAL_WORDS_INL_H
#endif

#include "fastpath/cpu/math/real_words-inl.h"
#include "fastpath/cpu/math/special_words.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

// A series up to 1, and from there on 1 − exp(−x²) times what is expanded in 1/(|x| + 2), which is 1 from 6 on.
HWY_INLINE Reals<53> ErfOf(Reals<53> x) {
  static constexpr double kNear[] = {-0.32835687933239194,    0.04510484781334992,     -0.0025407573767705738,
                                     0.00011899569059041379,  -4.739884317247848e-06,  1.6380305286614916e-07,
                                     -4.9919914222537855e-09, 1.3595165973854926e-10,  -3.344910773499961e-12,
                                     7.502511265429337e-14,   -1.5458306104452516e-15, 2.944902244296113e-17,
                                     -5.216295681475805e-19};
  static constexpr double kFar[] = {0.24078150322816144,     0.1660357343713446,     0.01937548512710411,
                                    0.0013725838866457216,   2.3301617872657463e-05, -4.842439456015362e-06,
                                    -2.1925049177302584e-07, 2.8603646284729237e-08, 1.258114961136046e-09,
                                    -2.4685801467325007e-10, -2.494144837888475e-12, 2.3295004504759956e-12,
                                    -9.680201775604102e-14,  -1.779692405045016e-14, 2.244625861005935e-15,
                                    2.9106217488718164e-17,  -2.84441837713067e-17,  2.1690529809868515e-18};
  const Reals<53> size = Abs(x);
  const auto near = [&]() HWY_ATTR {
    const Reals<53> square = x * x;
    return x * (M_2_SQRTPI + square * ChebyshevOn(0, 1, kNear, square));
  };
  const auto far = [&]() HWY_ATTR {
    const Reals<53> inside = IfThenElse(size < 6, size, Reals<53>(6));
    const Reals<53> rest = ExpOf(-(inside * inside)) * ChebyshevOn(0.125, 1 / 3.0, kFar, 1 / (inside + 2));
    return CopySignOf(1 - rest, x);
  };
  return IfThenElse(IsNaN(x), x, Choose(size < 1, near, far));
}

// Σ terms[k] xᵏ in the vector's own type.
template <Vector V, size_t n>
HWY_INLINE V PolynomialOf(const LaneOf<V> (&terms)[n], V x) {
  const hn::DFromV<V> d;
  V sum = hn::Set(d, terms[n - 1]);
#pragma GCC unroll 16
  for (size_t k = n - 1; k > 0; --k) sum = hn::MulAdd(sum, x, hn::Set(d, terms[k - 1]));
  return sum;
}

// For float32: up to 1.5 x + x times (erf x / x − 1), expanded in x² up to 1e-9, and up to 4, from where on it is 1,
// 1 − exp of log erfc, which is expanded around 2.75 up to 7e-8.
template <Vector V>
HWY_INLINE V NarrowErfOf(V x) {
  static constexpr float kNear[] = {0.12837916612625122F,   -0.37612634897232056F,    0.1128372848033905F,
                                    -0.026863213628530502F, 0.005217034835368395F,    -0.000845571921672672F,
                                    0.0001131538738263771F, -1.1344443009875249e-05F, 6.223122568371764e-07F};
  static constexpr float kFar[] = {-9.204140663146973F,    -5.826535701751709F,     -0.9512854218482971F,
                                   -0.00893351249396801F,  0.0017007063142955303F,  -0.0003200621285941452F,
                                   6.200322968652472e-05F, -1.0104498869623058e-05F};
  const V one = Like(x, 1), size = hn::Abs(x);
  const V near = hn::MulAdd(PolynomialOf(kNear, hn::Mul(x, x)), x, x);
  const V place = hn::Sub(hn::Min(size, Like(x, 4)), Like(x, 2.75));
  const V far = hn::CopySign(hn::Sub(one, hn::Exp(hn::DFromV<V>(), PolynomialOf(kFar, place))), x);
  return hn::IfThenElse(hn::Le(Like(x, 1.5), size), far, near);
}

template <Vector V>
HWY_INLINE V ErfOf(V x) {
  if constexpr (sizeof(LaneOf<V>) == 4) {
    return NarrowErfOf(x);
  } else {
    return ErfOf(Reals<53>(x)).v;
  }
}

// exp(−|x|) I₀(x) and exp(−|x|) I₁(x): up to 8 times 1 + |x|, which keeps them from falling, less what they are at
// zero, and times √x and in 1/x from there on.
template <int bits>
HWY_INLINE Reals<bits> BesselI0eOf(Reals<bits> x) {
  static constexpr double kNear[] = {
      -0.00239780841781264,  0.04610703750427199,     -0.0007089630992298313, -0.015220626891536429,
      0.014823660024063063,  -0.00980199441136004,    0.005288536418174049,   -0.0024706522394506085,
      0.001027929084637062,  -0.00038720245705933446, 0.00013351539517232838, -4.248864518512161e-05,
      1.255835311243278e-05, -3.4656293222014983e-06, 8.968952456723413e-07,  -2.185100651957367e-07,
      5.02839105795021e-08,  -1.0962515893643158e-08, 2.270269908229597e-09,  -4.476942711360756e-10,
      8.42515486698574e-11,  -1.5161423397250132e-11, 2.6137838554659824e-12, -4.3242024858448357e-13,
      6.875946404069171e-14, -1.052405322096285e-14,  1.55255647785485e-15,   -2.2104238350726373e-16,
      3.040755826604432e-17, -4.0461963555437605e-18, 5.213433177593851e-19,  -6.510843164854817e-20};
  static constexpr double kFar[] = {
      0.4022452055070544,      0.0033691164782556943,   6.889758346916825e-05,   2.8913705208347567e-06,
      2.0489185894690638e-07,  2.266668990498178e-08,   3.3962320257083865e-09,  4.94060238822497e-10,
      1.1889147107846439e-11,  -3.1499165279632416e-11, -1.3215811840447713e-11, -1.7941785315068062e-12,
      7.180124451383666e-13,   3.8527783827421426e-13,  1.54008621752141e-14,    -4.150569347287222e-14,
      -9.554846698828307e-15,  3.8116806693526224e-15,  1.7725601330565263e-15,  -3.425485619677219e-16,
      -2.8276239805165836e-16, 3.461222867697461e-17,   4.46562142029676e-17,    -4.830504485944182e-18,
      -7.233180487874754e-18,  9.921475412173699e-19,   1.193650890845982e-18};
  const Reals<bits> size = Abs(x), inverse = 1 / IfThenElse(size < 8, 1 + size, size);
  return Choose(
      size < 8, [&]() HWY_ATTR { return inverse * (1 + size * PLUMB_EXPANSION(22, 0, 8, kNear, size)); },
      [&]() HWY_ATTR { return PLUMB_EXPANSION(10, 0, 0.125, kFar, inverse) / Sqrt(size); });
}

template <int bits>
HWY_INLINE Reals<bits> BesselI1eOf(Reals<bits> x) {
  static constexpr double kNear[] = {
      -0.057215478045405437,  0.0037484207875188853,   0.021123663754668714,   -0.01874910113816762,
      0.011379693221902661,   -0.0057042288317926,     0.0025014241800564475,  -0.0009852195127955264,
      0.0003537926194379361,  -0.00011698410211605632, 3.587515247351103e-05,  -1.0261054624150557e-05,
      2.7499500183297195e-06, -6.932528246736665e-07,  1.6495634833664184e-07, -3.7158801369092034e-08,
      7.945788923343319e-09,  -1.6167740510412887e-09, 3.137312140831677e-10,  -5.817545569486703e-11,
      1.0327668673118278e-11, -1.7582875369274926e-12, 2.8753604180980803e-13, -4.523245801795248e-14,
      6.854257497192026e-15,  -1.0017982346075566e-15, 1.4139409319364872e-16, -1.9293122224658664e-17,
      2.54773078309555e-18,   -3.2592438046569465e-19};
  static constexpr double kFar[] = {
      0.38928811750914005,     -0.009761097491361469,   -0.00011058893876262371, -3.882564808877691e-06,
      -2.512236237870209e-07,  -2.6314688468895196e-08, -3.835380385964237e-09,  -5.589743462196584e-10,
      -1.8974958123505413e-11, 3.2526035830154884e-11,  1.4125807436613782e-11,  2.0356285441470896e-12,
      -7.198551776245908e-13,  -4.0835511110921974e-13, -2.1015418427726643e-14, 4.272440016711951e-14,
      1.0420276984128802e-14,  -3.8144030724370075e-15, -1.8803547755107825e-15, 3.3082023109209285e-16,
      2.96262899764595e-16,    -3.209525921993424e-17,  -4.6503053684893586e-17, 4.414348323071708e-18,
      7.517296310842105e-18,   -9.314178867326884e-19,  -1.242193275194891e-18};
  const Reals<bits> size = Abs(x), inverse = 1 / IfThenElse(size < 8, 1 + size, size);
  return Choose(
      size < 8, [&]() HWY_ATTR { return x * inverse * (0.5 + size * PLUMB_EXPANSION(21, 0, 8, kNear, size)); },
      [&]() HWY_ATTR { return CopySignOf(PLUMB_EXPANSION(10, 0, 0.125, kFar, inverse) / Sqrt(size), x); });
}

// The root of the power overflows no sooner than the result.
template <int bits>
HWY_INLINE Reals<bits> BesselI0Of(Reals<bits> x) {
  const Reals<bits> root = ExpOf(Abs(x) * 0.5);
  return root * BesselI0eOf(x) * root;
}
template <int bits>
HWY_INLINE Reals<bits> BesselI1Of(Reals<bits> x) {
  const Reals<bits> root = ExpOf(Abs(x) * 0.5);
  return root * BesselI1eOf(x) * root;
}

PLUMB_REAL_WORD(BesselI0Of)
PLUMB_REAL_WORD(BesselI1Of)
PLUMB_REAL_WORD(BesselI0eOf)
PLUMB_REAL_WORD(BesselI1eOf)

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_SPECIAL_WORDS_INL_H
