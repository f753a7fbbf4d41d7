// Words of the Bessel functions' formulas, over a number N of chebyshev-inl.h. Near zero they are series, elsewhere
// expansions in Chebyshev polynomials, interpolated with 60 digits up to terms of 1e-18. See README.md.

namespace bessel {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kGamma = 0.57721566490153286060651209008240;  // Euler's constant
constexpr double kInvRootPi = 0.56418958354775628694807945156077;

// J and Y of one order. Up to kFar they are expanded as they are, from there on as waves.
template <class N>
struct Pair {
  N j, y;
};
constexpr double kFar = 5;

// √(2/πx) (P cos χ − Q sin χ) and √(2/πx) (P sin χ + Q cos χ), χ = x − π/4 (DLMF 10.17). The angle's functions are sums
// of those of x, which has all its digits.
template <class N>
PLUMB_INLINE Pair<N> Wave(N p, N q, N x, N cos, N sin) {
  const N size = kInvRootPi / Sqrt(x);
  return {size * (p * (cos + sin) - q * (sin - cos)), size * (p * (sin - cos) + q * (cos + sin))};
}

template <class N>
PLUMB_INLINE Pair<N> FarOfOrder0(N x) {
  static constexpr double kP0[] = {0.9986523398776954,      -0.00132937162125028,   1.761305551290559e-05,
                                   -6.319367118733069e-07,  3.948825587093808e-08,  -3.5409678948019087e-09,
                                   4.103246366872386e-10,   -5.765747662655223e-11, 9.423105578391987e-12,
                                   -1.7401405706283885e-12, 3.5557750052411783e-13, -7.914641501338115e-14,
                                   1.8959456362961828e-14,  -4.841483019175697e-15, 1.3078555195901338e-15,
                                   -3.714050821413154e-16,  1.103023177871277e-16,  -3.410936210498114e-17,
                                   1.0942187869810236e-17,  -3.629905673795297e-18, 1.2418028891673288e-18};
  static constexpr double kQ0[] = {
      -0.12364702582167493,    0.0013190194049922607,  -3.218799121266175e-05,  1.6237093205642789e-06,
      -1.2743289742032805e-07, 1.3513032763134409e-08, -1.785075905119705e-09,  2.79085713479036e-10,
      -4.988908027652833e-11,  9.950713667806645e-12,  -2.1751206043008833e-12, 5.140127162427605e-13,
      -1.2993242656059178e-13, 3.4837635776889786e-14, -9.84005757254373e-15,   2.9115274918592e-15,
      -8.982151171303344e-16,  2.877768906557925e-16,  -9.542905011731343e-17,  3.2658161943648366e-17,
      -1.150518178532616e-17,  4.16320426537859e-18,   -1.544369143900366e-18,  5.8629592355191775e-19,
      -2.2743642238250536e-19, 9.002961951735012e-20};
  const N w = 1 / (x * x);
  const auto angle = SinCosOf(x);
  return Wave(PLUMB_EXPANSION(12, 0, 0.04, kP0, w), PLUMB_EXPANSION(15, 0, 0.04, kQ0, w) / x, x, angle.cos, angle.sin);
}

// The angle is less by a quarter of a turn.
template <class N>
PLUMB_INLINE Pair<N> FarOfOrder1(N x) {
  static constexpr double kP1[] = {1.00226762068534,        0.0022437352958079985,  -2.3071018862548286e-05,
                                   7.639181732533905e-07,   -4.589685232343401e-08, 4.020515478419001e-09,
                                   -4.586773977170972e-10,  6.373158962859246e-11,  -1.0327344567640412e-11,
                                   1.8943274995111034e-12,  -3.849703387824105e-13, 8.529914525779044e-14,
                                   -2.03544697865723e-14,   5.180421738900549e-15,  -1.3953502148258493e-15,
                                   3.9523601713314257e-16,  -1.171117080126803e-16, 3.614078564738109e-17,
                                   -1.1572356053251518e-17, 3.832473906744907e-18,  -1.3090769675043101e-18};
  static constexpr double kQ1[] = {
      0.37308734621468637,    -0.0018705189681051477,  4.0056994520460306e-05, -1.914402839085632e-06,
      1.458816510742199e-07,  -1.5183398644673165e-08, 1.979922260589517e-09,  -3.065981449437696e-10,
      5.440233592059753e-11,  -1.0786652192538468e-11, 2.346352831758894e-12,  -5.522046856541826e-13,
      1.390972848139383e-13,  -3.7181516752164614e-14, 1.0474063117829167e-14, -3.091784202917912e-15,
      9.518051831081499e-16,  -3.0436450667050517e-16, 1.0075487579997493e-16, -3.4426306619813246e-17,
      1.2110503970221687e-17, -4.376388902428328e-18,  1.6214444005747313e-18, -6.1484941486086215e-19,
      2.382575802757999e-19};
  const N w = 1 / (x * x);
  const auto angle = SinCosOf(x);
  return Wave(PLUMB_EXPANSION(12, 0, 0.04, kP1, w), PLUMB_EXPANSION(14, 0, 0.04, kQ1, w) / x, x, angle.sin, -angle.cos);
}

template <class N>
PLUMB_INLINE N NearJ0(N x) {
  static constexpr double kJ0[] = {-0.12953202625250154,    0.09943861087705504,     -0.018885984194630858,
                                   0.0020033362693387957,   -0.00013372175150173901, 6.112297453644361e-06,
                                   -2.0312592928979202e-07, 5.12823910632571e-09,    -1.0170190475247976e-10,
                                   1.6264184342764177e-12,  -2.1420775382333366e-14, 2.3640646582183965e-16,
                                   -2.218152876608131e-18};
  return 1 + x * x * PLUMB_EXPANSION(11, 0, 25, kJ0, x * x);
}

template <class N>
PLUMB_INLINE N NearJ1(N x) {
  static constexpr double kJ1[] = {-0.039882641461437024,   0.019720765845280982,    -0.002665779724475037,
                                   0.00021845866591532184,  -1.1882159578170945e-05, 4.5864433044466257e-07,
                                   -1.3199655411390443e-08, 2.940318186129372e-10,   -5.219310329556681e-12,
                                   7.556310031267373e-14,   -9.093123262544341e-16,  9.239665663956264e-18,
                                   -8.033442822075466e-20};
  return x * (0.5 + x * x * PLUMB_EXPANSION(10, 0, 25, kJ1, x * x));
}

// What Y₀ has beside its logarithm, and Y₁ beside its logarithm and its pole.
template <class N>
PLUMB_INLINE N NearY0(N x) {
  static constexpr double kY0[] = {0.20708558773104574,    -0.3482536985767724,     -0.1162964211804867,
                                   0.0612777592111658,     -0.009474805742806541,   0.0007808203004993907,
                                   -4.102414780282299e-05, 1.5084665388838522e-06,  -4.11773998328759e-08,
                                   8.696444600569773e-10,  -1.4653619542964564e-11, 2.0177025994638334e-13,
                                   -2.314260428897327e-15, 2.2462456311285304e-17};
  return M_2_PI * (LogOf(x) - M_LN2) * NearJ0(x) + PLUMB_EXPANSION(12, 0, 25, kY0, x * x);
}

template <class N>
PLUMB_INLINE N NearY1(N x) {
  static constexpr double kY1[] = {0.10814356944253686,     0.023331746910030052,   -0.04805615183492803,
                                   0.010931259695855651,    -0.001167564040130863,  7.498061541188042e-05,
                                   -3.2521563506031377e-06, 1.0219630562978181e-07, -2.4405409262765277e-09,
                                   4.586506000171005e-11,   -6.966878761583555e-13, 8.73709659647942e-15,
                                   -9.203817494483837e-17,  8.261763168130851e-19};
  return M_2_PI * ((LogOf(x) - M_LN2) * NearJ1(x) - 1 / x) + x * PLUMB_EXPANSION(12, 0, 25, kY1, x * x);
}

// √x exp(x) times K₀ and K₁, from 1 on.
template <class N>
PLUMB_INLINE N FarK0(N x) {
  static constexpr double kMiddle0[] = {
      1.183695344732295,       0.030405293887909194,   -0.006802971283651975,   0.0015525976737722554,
      -0.0003601721902008437,  8.469564756105534e-05,  -2.0145203111332208e-05, 4.838309719376486e-06,
      -1.1717256905272058e-06, 2.858121435487799e-07,  -7.015491874820077e-08,  1.731520724303481e-08,
      -4.294508635019829e-09,  1.0697524416832493e-09, -2.675100740751887e-10,  6.712985672527484e-11,
      -1.6899162518994693e-11, 4.266414990269967e-12,  -1.07994139408553e-12,   2.740190324720054e-13,
      -6.968197030015312e-14,  1.7755981346953988e-14, -4.533015516971504e-15,  1.1592812804276184e-15,
      -2.9695900826334286e-16, 7.618378633885338e-17,  -1.9572392771273843e-17, 5.035024992957279e-18,
      -1.2968814297640287e-18};
  static constexpr double kFar0[] = {
      1.2301183280819676,     -0.022327477849515456,   0.0008138235764746633,  -4.989330066984828e-05,
      4.135774336266082e-06,  -4.209883679090034e-07,  4.990724437509742e-08,  -6.666329034798239e-09,
      9.8117084274605e-10,    -1.5660536869356251e-10, 2.678584567867143e-11,  -4.864747505583934e-12,
      9.313746905938041e-13,  -1.8687711554207328e-13, 3.9108033302191747e-14, -8.50179035048704e-15,
      1.9134428105117862e-15, -4.445508063979923e-16,  1.0635077355420129e-16, -2.6141253770953693e-17,
      6.589431949888141e-18,  -1.7004798871205063e-18};
  return Choose(
      x < 3, [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(15, 1, 3, kMiddle0, x); },
      [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(10, 0, 1 / 3.0, kFar0, 1 / x); });
}

template <class N>
PLUMB_INLINE N FarK1(N x) {
  static constexpr double kMiddle1[] = {
      1.4873734965751046,     -0.1123495461409375,     0.027404190252289094,   -0.0067688685359392825,
      0.0016885732847609558,  -0.0004245995295979438,  0.0001074626082254691,  -2.7344314903179617e-05,
      6.989263621699579e-06,  -1.7933035956858113e-06, 4.6163377034703766e-07, -1.1917123889502826e-07,
      3.084033826864973e-08,  -7.998552730879971e-09,  2.07845422643898e-09,   -5.410226872948313e-10,
      1.4104553112171852e-10, -3.6821886203069724e-11, 9.624955074115878e-12,  -2.5187672908715387e-12,
      6.59828387429267e-13,   -1.7301740965979093e-13, 4.5407874695961594e-14, -1.1926845678587935e-14,
      3.135066948466064e-15,  -8.246532315880389e-16,  2.17059191769698e-16,   -5.71673827528058e-17,
      1.5064843366632753e-17, -3.972021481549968e-18,  1.0477920514168325e-18};
  static constexpr double kFar1[] = {
      1.326613562665711,       0.07177264900566749,   -0.0014463372373090208,  7.419433327185522e-05,
      -5.629886891577862e-06,  5.432849568937565e-07, -6.21286348592956e-08,   8.085538935224152e-09,
      -1.16674313394889e-09,   1.833438921232138e-10, -3.0965487086271626e-11, 5.565269261057541e-12,
      -1.0561231894974148e-12, 2.103108882276766e-13, -4.3724378800521156e-14, 9.450876839181768e-15,
      -2.1162622605163144e-15, 4.894483982928728e-16, -1.166161079495167e-16,  2.855927041674164e-17,
      -7.174925717021562e-18,  1.8459318230318107e-18};
  return Choose(
      x < 3, [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(17, 1, 3, kMiddle1, x); },
      [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(10, 0, 1 / 3.0, kFar1, 1 / x); });
}

// Up to 1 the series in q = (x/2)² (DLMF 10.31), whose terms for K₀ are of one sign. The terms are 1/k!² and
// 1/k!(k+1)!, and those times the harmonic numbers that belong to them.
template <class N>
PLUMB_INLINE N NearK0(N x) {
  static constexpr double kPowers[] = {1.0,
                                       1.0,
                                       0.25,
                                       0.027777777777777776,
                                       0.001736111111111111,
                                       6.944444444444444e-05,
                                       1.9290123456790124e-06,
                                       3.936759889140842e-08,
                                       6.151187326782565e-10,
                                       7.594058428126624e-12};
  static constexpr double kHarmonics[] = {0.0,
                                          1.0,
                                          0.375,
                                          0.05092592592592592,
                                          0.003616898148148148,
                                          0.0001585648148148148,
                                          4.72608024691358e-06,
                                          1.0207455998272325e-07,
                                          1.6718048413148328e-09,
                                          2.1483350211950277e-11};
  const N q = x * x / 4, log = LogOf(x) + (kGamma - M_LN2);
  return Polynomial(kHarmonics, q) - log * Polynomial(kPowers, q);
}

template <class N>
PLUMB_INLINE N NearK1(N x) {
  static constexpr double kPowers[] = {1.0,
                                       0.5,
                                       0.08333333333333333,
                                       0.006944444444444444,
                                       0.00034722222222222224,
                                       1.1574074074074073e-05,
                                       2.755731922398589e-07,
                                       4.920949861426052e-09,
                                       6.834652585313961e-11,
                                       7.594058428126623e-13};
  static constexpr double kHarmonics[] = {0.5,
                                          0.625,
                                          0.1388888888888889,
                                          0.013599537037037037,
                                          0.0007581018518518518,
                                          2.7391975308641977e-05,
                                          6.948381204333586e-07,
                                          1.3066879364179534e-08,
                                          1.895531226934892e-10,
                                          2.1863053133356607e-12};
  const N q = x * x / 4, log = LogOf(x) + (kGamma - M_LN2);
  return 1 / x + x / 2 * (log * Polynomial(kPowers, q) - Polynomial(kHarmonics, q));
}

// Where x is positive `value`, and at a pole at zero. As in TensorFlow a function has the same value below it, where
// there is none.
template <class N>
PLUMB_INLINE N AboveZero(N x, N value, double pole) {
  return IfThenElse(x > 0, value, IfThenElse(x <= 0, N(pole), N(kNaN)));
}

}  // namespace bessel

template <class N>
PLUMB_INLINE N BesselJ0Of(N x) {
  const N size = Abs(x);
  return Choose(
      size < bessel::kFar, [&]() PLUMB_LAMBDA { return bessel::NearJ0(x); },
      [&]() PLUMB_LAMBDA { return bessel::FarOfOrder0(size).j; });
}
template <class N>
PLUMB_INLINE N BesselJ1Of(N x) {
  const N size = Abs(x);
  return Choose(
      size < bessel::kFar, [&]() PLUMB_LAMBDA { return bessel::NearJ1(x); },
      [&]() PLUMB_LAMBDA { return CopySignOf(N(1), x) * bessel::FarOfOrder1(size).j; });
}
template <class N>
PLUMB_INLINE N BesselY0Of(N x) {
  const N value = Choose(
      x < bessel::kFar, [&]() PLUMB_LAMBDA { return bessel::NearY0(x); },
      [&]() PLUMB_LAMBDA { return bessel::FarOfOrder0(x).y; });
  return bessel::AboveZero(x, value, -bessel::kInfinity);
}
template <class N>
PLUMB_INLINE N BesselY1Of(N x) {
  const N value = Choose(
      x < bessel::kFar, [&]() PLUMB_LAMBDA { return bessel::NearY1(x); },
      [&]() PLUMB_LAMBDA { return bessel::FarOfOrder1(x).y; });
  return bessel::AboveZero(x, value, -bessel::kInfinity);
}

template <class N>
PLUMB_INLINE N BesselK0Of(N x) {
  const N value = Choose(
      x < 1, [&]() PLUMB_LAMBDA { return bessel::NearK0(x); },
      [&]() PLUMB_LAMBDA { return bessel::FarK0(x) / Sqrt(x) * ExpOf(-x); });
  return bessel::AboveZero(x, value, bessel::kInfinity);
}
template <class N>
PLUMB_INLINE N BesselK1Of(N x) {
  const N value = Choose(
      x < 1, [&]() PLUMB_LAMBDA { return bessel::NearK1(x); },
      [&]() PLUMB_LAMBDA { return bessel::FarK1(x) / Sqrt(x) * ExpOf(-x); });
  return bessel::AboveZero(x, value, bessel::kInfinity);
}
template <class N>
PLUMB_INLINE N BesselK0eOf(N x) {
  const N value = Choose(
      x < 1, [&]() PLUMB_LAMBDA { return bessel::NearK0(x) * ExpOf(x); },
      [&]() PLUMB_LAMBDA { return bessel::FarK0(x) / Sqrt(x); });
  return bessel::AboveZero(x, value, bessel::kInfinity);
}
template <class N>
PLUMB_INLINE N BesselK1eOf(N x) {
  const N value = Choose(
      x < 1, [&]() PLUMB_LAMBDA { return bessel::NearK1(x) * ExpOf(x); },
      [&]() PLUMB_LAMBDA { return bessel::FarK1(x) / Sqrt(x); });
  return bessel::AboveZero(x, value, bessel::kInfinity);
}

// As a device's formulas take them.
PLUMB_REAL_WORD(BesselJ0Of)
PLUMB_REAL_WORD(BesselJ1Of)
PLUMB_REAL_WORD(BesselY0Of)
PLUMB_REAL_WORD(BesselY1Of)
PLUMB_REAL_WORD(BesselK0Of)
PLUMB_REAL_WORD(BesselK1Of)
PLUMB_REAL_WORD(BesselK0eOf)
PLUMB_REAL_WORD(BesselK1eOf)
