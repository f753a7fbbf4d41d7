// Words of the Bessel functions' formulas, for plain numbers, in double. Near zero they are series, elsewhere
// expansions in Chebyshev polynomials, interpolated with 60 digits up to terms of 1e-18. See README.md.

#include "fastpath/formulas/math/chebyshev-inl.h"

namespace bessel {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kGamma = 0.57721566490153286060651209008240;  // Euler's constant
constexpr double kInvRootPi = 0.56418958354775628694807945156077;

// J and Y of one order. Up to kFar they are expanded as they are, from there on as waves.
struct Pair {
  double j, y;
};
constexpr double kFar = 5;

// √(2/πx) (P cos χ − Q sin χ) and √(2/πx) (P sin χ + Q cos χ), χ = x − π/4 (DLMF 10.17). The angle's functions are sums
// of those of x, which has all its digits.
PLUMB_INLINE Pair Wave(double p, double q, double x, double cos, double sin) {
  const double size = kInvRootPi / std::sqrt(x);
  return {size * (p * (cos + sin) - q * (sin - cos)), size * (p * (sin - cos) + q * (cos + sin))};
}

PLUMB_INLINE Pair FarOfOrder0(double x) {
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
  const double w = 1 / (x * x);
  return Wave(ChebyshevOn(0, 0.04, kP0, w), ChebyshevOn(0, 0.04, kQ0, w) / x, x, std::cos(x), std::sin(x));
}

// The angle is less by a quarter of a turn.
PLUMB_INLINE Pair FarOfOrder1(double x) {
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
  const double w = 1 / (x * x);
  return Wave(ChebyshevOn(0, 0.04, kP1, w), ChebyshevOn(0, 0.04, kQ1, w) / x, x, std::sin(x), -std::cos(x));
}

PLUMB_INLINE double NearJ0(double x) {
  static constexpr double kJ0[] = {-0.12953202625250154,    0.09943861087705504,     -0.018885984194630858,
                                   0.0020033362693387957,   -0.00013372175150173901, 6.112297453644361e-06,
                                   -2.0312592928979202e-07, 5.12823910632571e-09,    -1.0170190475247976e-10,
                                   1.6264184342764177e-12,  -2.1420775382333366e-14, 2.3640646582183965e-16,
                                   -2.218152876608131e-18};
  return 1 + x * x * ChebyshevOn(0, 25, kJ0, x * x);
}

PLUMB_INLINE double NearJ1(double x) {
  static constexpr double kJ1[] = {-0.039882641461437024,   0.019720765845280982,    -0.002665779724475037,
                                   0.00021845866591532184,  -1.1882159578170945e-05, 4.5864433044466257e-07,
                                   -1.3199655411390443e-08, 2.940318186129372e-10,   -5.219310329556681e-12,
                                   7.556310031267373e-14,   -9.093123262544341e-16,  9.239665663956264e-18,
                                   -8.033442822075466e-20};
  return x * (0.5 + x * x * ChebyshevOn(0, 25, kJ1, x * x));
}

// What Y₀ has beside its logarithm, and Y₁ beside its logarithm and its pole.
PLUMB_INLINE double NearY0(double x) {
  static constexpr double kY0[] = {0.20708558773104574,    -0.3482536985767724,     -0.1162964211804867,
                                   0.0612777592111658,     -0.009474805742806541,   0.0007808203004993907,
                                   -4.102414780282299e-05, 1.5084665388838522e-06,  -4.11773998328759e-08,
                                   8.696444600569773e-10,  -1.4653619542964564e-11, 2.0177025994638334e-13,
                                   -2.314260428897327e-15, 2.2462456311285304e-17};
  return M_2_PI * (std::log(x) - M_LN2) * NearJ0(x) + ChebyshevOn(0, 25, kY0, x * x);
}

PLUMB_INLINE double NearY1(double x) {
  static constexpr double kY1[] = {0.10814356944253686,     0.023331746910030052,   -0.04805615183492803,
                                   0.010931259695855651,    -0.001167564040130863,  7.498061541188042e-05,
                                   -3.2521563506031377e-06, 1.0219630562978181e-07, -2.4405409262765277e-09,
                                   4.586506000171005e-11,   -6.966878761583555e-13, 8.73709659647942e-15,
                                   -9.203817494483837e-17,  8.261763168130851e-19};
  return M_2_PI * ((std::log(x) - M_LN2) * NearJ1(x) - 1 / x) + x * ChebyshevOn(0, 25, kY1, x * x);
}

// √x exp(x) times K₀ and K₁, from 1 on.
PLUMB_INLINE double FarK0(double x) {
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
  return x < 3 ? ChebyshevOn(1, 3, kMiddle0, x) : ChebyshevOn(0, 1 / 3.0, kFar0, 1 / x);
}

PLUMB_INLINE double FarK1(double x) {
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
  return x < 3 ? ChebyshevOn(1, 3, kMiddle1, x) : ChebyshevOn(0, 1 / 3.0, kFar1, 1 / x);
}

// Up to 1 the series in (x/2)² (DLMF 10.31), whose terms for K₀ are of one sign.
PLUMB_INLINE double NearK0(double x) {
  const double q = x * x / 4, log = std::log(x) + (kGamma - M_LN2);
  double term = 1, harmonic = 0, sum = -log;
  for (int k = 1; k < 10; ++k) {
    term *= q / (k * k);
    harmonic += 1.0 / k;
    sum += term * (harmonic - log);
  }
  return sum;
}

PLUMB_INLINE double NearK1(double x) {
  const double q = x * x / 4, log = std::log(x) + (kGamma - M_LN2);
  double term = 1, harmonics = 0.5, sum = log - harmonics;
  for (int k = 1; k < 10; ++k) {
    term *= q / (k * (k + 1));
    harmonics += 0.5 / k + 0.5 / (k + 1);
    sum += term * (log - harmonics);
  }
  return 1 / x + x / 2 * sum;
}

// At a pole at zero. As in TensorFlow a function has the same value below it, where there is none.
PLUMB_INLINE double AtOrBelowZero(double x, double pole) { return x <= 0 ? pole : kNaN; }

}  // namespace bessel

PLUMB_INLINE double BesselJ0Of(double x) {
  const double size = std::fabs(x);
  return size < bessel::kFar ? bessel::NearJ0(x) : bessel::FarOfOrder0(size).j;
}
PLUMB_INLINE double BesselJ1Of(double x) {
  const double size = std::fabs(x);
  return size < bessel::kFar ? bessel::NearJ1(x) : std::copysign(1.0, x) * bessel::FarOfOrder1(size).j;
}
PLUMB_INLINE double BesselY0Of(double x) {
  if (!(x > 0)) return bessel::AtOrBelowZero(x, -bessel::kInfinity);
  return x < bessel::kFar ? bessel::NearY0(x) : bessel::FarOfOrder0(x).y;
}
PLUMB_INLINE double BesselY1Of(double x) {
  if (!(x > 0)) return bessel::AtOrBelowZero(x, -bessel::kInfinity);
  return x < bessel::kFar ? bessel::NearY1(x) : bessel::FarOfOrder1(x).y;
}

PLUMB_INLINE double BesselK0Of(double x) {
  if (!(x > 0)) return bessel::AtOrBelowZero(x, bessel::kInfinity);
  return x < 1 ? bessel::NearK0(x) : bessel::FarK0(x) / std::sqrt(x) * std::exp(-x);
}
PLUMB_INLINE double BesselK1Of(double x) {
  if (!(x > 0)) return bessel::AtOrBelowZero(x, bessel::kInfinity);
  return x < 1 ? bessel::NearK1(x) : bessel::FarK1(x) / std::sqrt(x) * std::exp(-x);
}
PLUMB_INLINE double BesselK0eOf(double x) {
  if (!(x > 0)) return bessel::AtOrBelowZero(x, bessel::kInfinity);
  return x < 1 ? bessel::NearK0(x) * std::exp(x) : bessel::FarK0(x) / std::sqrt(x);
}
PLUMB_INLINE double BesselK1eOf(double x) {
  if (!(x > 0)) return bessel::AtOrBelowZero(x, bessel::kInfinity);
  return x < 1 ? bessel::NearK1(x) * std::exp(x) : bessel::FarK1(x) / std::sqrt(x);
}

// By way of double.
PLUMB_INLINE float BesselJ0Of(float x) { return static_cast<float>(BesselJ0Of(double{x})); }
PLUMB_INLINE float BesselJ1Of(float x) { return static_cast<float>(BesselJ1Of(double{x})); }
PLUMB_INLINE float BesselY0Of(float x) { return static_cast<float>(BesselY0Of(double{x})); }
PLUMB_INLINE float BesselY1Of(float x) { return static_cast<float>(BesselY1Of(double{x})); }
PLUMB_INLINE float BesselK0Of(float x) { return static_cast<float>(BesselK0Of(double{x})); }
PLUMB_INLINE float BesselK1Of(float x) { return static_cast<float>(BesselK1Of(double{x})); }
PLUMB_INLINE float BesselK0eOf(float x) { return static_cast<float>(BesselK0eOf(double{x})); }
PLUMB_INLINE float BesselK1eOf(float x) { return static_cast<float>(BesselK1eOf(double{x})); }
