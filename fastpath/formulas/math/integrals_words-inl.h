// Words of the formulas of functions that are integrals, over a number N of chebyshev-inl.h. Where no series is short
// they are expanded in Chebyshev polynomials, interpolated with 60 digits up to terms of 1e-18. See README.md.

namespace integrals {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kGamma = 0.57721566490153286060651209008240;  // Euler's constant

// x times Dawson's integral, for x ≥ 1.
template <class N>
PLUMB_INLINE N OuterDawson(N x) {
  static constexpr double kMiddle[] = {
      0.5912106061948249,      -0.008801108016751054,  -0.04083746464215807,    0.019211602365384654,
      -0.00275002907137046,    -0.0005706283094278993, 0.00027785153380413514,  -2.6817620648653125e-05,
      -6.512444335496946e-06,  1.8970237175898235e-06, -5.171695750486637e-08,  -4.661744512721298e-08,
      6.488766706383821e-09,   4.209075088094078e-10,  -1.796047949607597e-10,  7.511263335461901e-12,
      2.7288437455331654e-12,  -3.447942815838593e-13, -1.9550262631074398e-14, 6.736321272457187e-15,
      -1.5834658364848568e-16, -8.448194075042248e-17, 7.2072137742838e-18,     6.623299002503539e-19};
  static constexpr double kOuter[] = {
      0.5265659000533424,      -0.021231128120307557,  0.00700560435678961,     -0.002155498988335425,
      0.0006050501487979647,   -0.0001384784086239006, 1.730709992124936e-05,   4.2264954896073465e-06,
      -3.715345151510379e-06,  1.3865128888618238e-06, -3.1738079118657305e-07, 3.0760381733030245e-08,
      8.796664449641378e-09,   -4.836855911930978e-09, 1.0727580138502935e-09,  -7.488475975746581e-11,
      -3.0760079162982174e-11, 1.1738410353441887e-11, -1.6682724581316833e-12, -7.82181911960084e-14,
      8.361660994033136e-14,   -1.557914918561187e-14, 3.066768123976438e-16,   4.715003402764151e-16,
      -1.0189238319103898e-16, 4.1897527272003885e-18, 2.339478605134826e-18,   -5.289576080459498e-19};
  static constexpr double kFar[] = {0.5052465199077777,      0.005332594427422036,    8.85533671420732e-05,
                                    2.584841984005503e-06,   1.1223753891246858e-07,  6.732468572166737e-09,
                                    5.400107833909702e-10,   5.744649131410629e-11,   7.99993281296062e-12,
                                    1.3515027900472426e-12,  2.2959364018456163e-13,  2.4013996605627538e-14,
                                    -5.597657640645069e-15,  -4.4255869885007335e-15, -1.3828461658020002e-15,
                                    -1.4514205760330854e-16, 7.772884740793366e-17,   4.0971046792634656e-17,
                                    4.94828526104857e-18,    -2.9725405599502753e-18, -1.3663457364706915e-18};
  const auto middle = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(15, 1, 2.5, kMiddle, x); };
  const auto outer = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(17, 2.5, 5, kOuter, x); };
  const auto far = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(8, 0, 0.04, kFar, 1 / (x * x)); };
  return Choose(
      x < 5, [&]() PLUMB_LAMBDA { return Choose(x < 2.5, middle, outer); }, far);
}

// x exp(−x) Ei(x) for x ≥ 2.
template <class N>
PLUMB_INLINE N OuterExpint(N x) {
  static constexpr double kMiddle[] = {
      1.3825857641825385,     -0.06532223048399563,    -0.06405148943223626,   0.03295492210748895,
      -0.008529309028795734,  0.0013500786158947623,   -9.07440162447505e-05,  -2.0900824920186623e-05,
      9.860208807606304e-06,  -2.5395840351860843e-06, 5.369121856684851e-07,  -1.051680035369133e-07,
      2.0343783817392366e-08, -4.02372276343175e-09,   8.245317522148756e-10,  -1.7498070011519536e-10,
      3.822932513506059e-11,  -8.543755934797384e-12,  1.943375698073441e-12,  -4.4829064416464283e-13,
      1.0460639376640322e-13, -2.464653773911534e-14,  5.8553484594809345e-15, -1.40113689291948e-15,
      3.374146035677137e-16,  -8.171372576215999e-17,  1.9889219307450457e-17, -4.863128735848063e-18,
      1.1940005417280043e-18};
  static constexpr double kOuter[] = {
      1.1680733396026677,      0.10407374192304131,    0.00789965885502367,    -0.0008252157069900883,
      -0.0003729267763680881,  2.331920122553071e-05,  1.4670027820474274e-05, -2.57902435029795e-06,
      -3.0202399976650966e-07, 1.794120067590596e-07,  -2.318897334676356e-08, -3.5241037171908044e-09,
      2.082796860577049e-09,   -3.875449342306865e-10, 3.1997839004861025e-12, 1.9390049785253573e-11,
      -6.2238744871933494e-12, 9.731040295252425e-13,  1.1047497660181232e-14, -5.611528237957154e-14,
      1.8836493871170515e-14,  -3.600937620070161e-15, 2.6610128203774515e-16, 9.979295236810216e-17,
      -5.140637317378683e-17,  1.3726003797112981e-17, -2.3561794525264006e-18};
  static constexpr double kFar[] = {
      1.034784009888041,       0.03608190907916786,    0.0013792466680774694,   8.925243832231336e-05,
      9.022120957820665e-06,   1.308148333990878e-06,  2.1656910166239489e-07,  2.3069667967471434e-08,
      -5.8760769150139515e-09, -4.479870674593772e-09, -1.1706647457640092e-09, 4.8116930580261587e-11,
      1.406858909109371e-10,   3.274307671909807e-11,  -9.129072131987784e-12,  -6.037869051793647e-12,
      1.317512503064898e-13,   8.518781414694222e-13,  8.635679151656259e-14,   -1.1783212027861576e-13,
      -2.193373628245498e-14,  1.750389011277893e-14,  4.064335357847865e-15,   -2.8950363286736385e-15,
      -6.579910073808595e-16,  5.299704474148736e-16,  9.067476845369998e-17,   -1.0365432832418048e-16,
      -7.893699292971297e-18,  2.0640462773290348e-17, -9.64846129796605e-19,   -3.961078973464005e-18,
      7.98880069876862e-19,    6.787708786623082e-19};
  const auto middle = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(16, 2, 6, kMiddle, x); };
  const auto outer = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(14, 1 / 16.0, 1 / 6.0, kOuter, 1 / x); };
  const auto far = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(13, 0, 1 / 16.0, kFar, 1 / x); };
  return Choose(
      x < 16, [&]() PLUMB_LAMBDA { return Choose(x < 6, middle, outer); }, far);
}

// Li₂(1 − exp(−u)) = u − u²/4 + Σ B₂ₖ u²ᵏ⁺¹/(2k+1)! for |u| ≤ log 2, whose terms fall by (2π/u)².
template <class N>
PLUMB_INLINE N DilogOfPower(N u) {
  static constexpr double kTerms[] = {1.0 / 6 / 6,
                                      -1.0 / 30 / 120,
                                      1.0 / 42 / 5040,
                                      -1.0 / 30 / 362880,
                                      5.0 / 66 / 39916800,
                                      -691.0 / 2730 / 6227020800.0,
                                      7.0 / 6 / 1307674368000.0,
                                      -3617.0 / 510 / 355687428096000.0};
  const N q = u * u;
  return u * (1 - u / 4 + q * Polynomial(kTerms, q));
}

// From 3/2 on C = 1/2 + f sin(πx²/2) − g cos(πx²/2), S = 1/2 − f cos(πx²/2) − g sin(πx²/2) (DLMF 7.5).
template <class N>
struct Auxiliaries {
  N f, g;
};
constexpr double kFarFresnel = 1.5;

template <class N>
PLUMB_INLINE Auxiliaries<N> AuxiliariesOf(N x) {
  static constexpr double kMiddleF[] = {0.9798871611949957,      0.016323075956616695,    -0.004076517830768117,
                                        0.0007674673700286721,   -0.00011689903777361695, 1.4761407915452677e-05,
                                        -1.5353641455667923e-06, 1.2460407502302183e-07,  -6.2162660767887666e-09,
                                        -1.9486513346906352e-10, 9.75933579251655e-11,    -1.4972533586082008e-11,
                                        1.6260050411613825e-12,  -1.3676380207639228e-13, 8.51710675541873e-15,
                                        -2.6893376590883603e-16, -2.066636096215699e-17,  4.748351710087959e-18};
  static constexpr double kMiddleG[] = {
      0.9137164322689072,      0.06428498294070044,     -0.013986403691547902,  0.0021305671285252624,
      -0.00022819983049597286, 1.3301107319580149e-05,  8.118237823158845e-07,  -3.539074056310016e-07,
      5.6884861080045733e-08,  -6.072635742042351e-09,  4.1423586992861774e-10, -3.758578814603857e-12,
      -3.8687987850114566e-12, 6.978760469993083e-13,   -7.84221468497659e-14,  6.3234384349572835e-15,
      -3.2313907473939446e-16, -1.4581601409322444e-18, 2.6500766827658223e-18};
  static constexpr double kFarF[] = {
      0.9963328957401564,     -0.003598309670657881,   6.571370067989755e-05,  -2.8536780198887793e-06,
      2.0392432873227112e-07, -2.0266109330631773e-08, 2.552087597911368e-09,  -3.845541164875694e-10,
      6.675316364065206e-11,  -1.2999222228183651e-11, 2.7854753661035737e-12, -6.472837551675955e-13,
      1.6129097288670446e-13, -4.271416785005461e-14,  1.1935909122483213e-14, -3.4986337790445387e-15,
      1.0704597151201907e-15, -3.4046904742558257e-16, 1.1217459941997248e-16, -3.8168960882542417e-17,
      1.3377953507119546e-17, -4.818829146459739e-18,  1.7803069829218163e-18, -6.73409990398541e-19};
  static constexpr double kFarG[] = {
      0.982434032233484,      -0.01700279800137119,    0.0005287544471589305,  -3.1278400741370834e-05,
      2.7605485861992255e-06, -3.211089249673797e-07,  4.578135622392606e-08,  -7.637872578693759e-09,
      1.4448487265855392e-09, -3.0303289556955057e-10, 6.930478759520513e-11,  -1.7066500942834794e-11,
      4.480592314031894e-12,  -1.2442427970638398e-12, 3.6313309725247755e-13, -1.1079432976543775e-13,
      3.51833687037071e-14,   -1.1585086601591264e-14, 3.942881111955888e-15,  -1.3831925795114216e-15,
      4.989590813819003e-16,  -1.8469233353862457e-16, 7.002143639625525e-17,  -2.714557595751917e-17,
      1.0745287759496682e-17, -4.337297067263698e-18,  1.7831608366592402e-18, -7.458808901814894e-19};
  const N y = 1 / (M_PI * x), z = y / x * (1 / (M_PI * x)), w = 1 / (x * x) * (1 / (x * x));
  const N f = Choose(
      x < 2.5, [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(11, 1.5, 2.5, kMiddleF, x); },
      [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(9, 0, 0.0256, kFarF, w); });
  const N g = Choose(
      x < 2.5, [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(11, 1.5, 2.5, kMiddleG, x); },
      [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(11, 0, 0.0256, kFarG, w); });
  return {y * f, z * g};
}

// πx²/2 without whole turns. With x = 2m + r, |r| ≤ 1, x²/4 is m² + mr + r²/4: the products of whole numbers go, and mr
// has no more digits than a double.
template <class N>
PLUMB_INLINE N PhaseOf(N x) {
  const N m = Round(x / 2), r = x - 2 * m, turns = m * r;
  return 2 * M_PI * (turns - Round(turns) + r * r / 4);
}

template <class N>
PLUMB_INLINE N OuterFresnelCos(N x) {
  const auto a = AuxiliariesOf(x);
  const auto phase = SinCosOf(PhaseOf(x));
  return IfThenElse(x == kInfinity, N(0.5), 0.5 + (a.f * phase.sin - a.g * phase.cos));
}
template <class N>
PLUMB_INLINE N OuterFresnelSin(N x) {
  const auto a = AuxiliariesOf(x);
  const auto phase = SinCosOf(PhaseOf(x));
  return IfThenElse(x == kInfinity, N(0.5), 0.5 - (a.f * phase.cos + a.g * phase.sin));
}

}  // namespace integrals

template <class N>
PLUMB_INLINE N DawsnOf(N x) {
  static constexpr double kNear[] = {-0.5573517869919347,     0.10200010523357744,    -0.006925228354240326,
                                     0.0003723552312422614,   -1.654392381613679e-05, 6.257250174088984e-07,
                                     -2.0591302569068454e-08, 5.995102293038345e-10,  -1.5647416843182606e-11,
                                     3.7003548618669086e-13,  -7.998480873161828e-15, 1.5919403076092492e-16,
                                     -2.9357137608468366e-18};
  const N size = Abs(x);
  return Choose(
      size < 1, [&]() PLUMB_LAMBDA { return x * (1 + x * x * PLUMB_EXPANSION(8, 0, 1, kNear, x * x)); },
      [&]() PLUMB_LAMBDA { return integrals::OuterDawson(size) / x; });
}

template <class N>
PLUMB_INLINE N ExpintOf(N x) {
  static constexpr double kNear[] = {1.3690004239833995,     0.41575842049788636,    0.05153089725489776,
                                     0.005178089058720206,   0.0004345850447663981,  3.1258017109064604e-05,
                                     1.9658249222366685e-06, 1.0980918701429357e-07, 5.516573023182139e-09,
                                     2.5179356897131183e-10, 1.0529540047222955e-11, 4.0627988911005566e-13,
                                     1.45512108245906e-14,   4.86268768219983e-16,   1.5230400221831183e-17};
  const N value = Choose(
      x < 2, [&]() PLUMB_LAMBDA { return integrals::kGamma + LogOf(x) + x * PLUMB_EXPANSION(10, 0, 2, kNear, x); },
      [&]() PLUMB_LAMBDA {
        const N root = ExpOf(x / 2);  // overflows no sooner than the result
        return root * (integrals::OuterExpint(x) / x) * root;
      });
  const N outside = IfThenElse(x == 0, N(-integrals::kInfinity), N(integrals::kNaN));
  return IfThenElse((x > 0) & (x < integrals::kInfinity), value, outside);
}

template <class N>
PLUMB_INLINE N SpenceOf(N x) {
  constexpr double kWhole = M_PI * M_PI / 6;
  const N log = LogOf(x);
  const auto small = [&]() PLUMB_LAMBDA {
    const N rest = Log1pOf(-x);
    return IfThenElse(x == 0, N(kWhole), kWhole - log * rest - integrals::DilogOfPower(-rest));
  };
  const auto middle = [&]() PLUMB_LAMBDA { return integrals::DilogOfPower(0 - log); };
  const auto large = [&]() PLUMB_LAMBDA {
    const N rest = Log1pOf(-1 / x);
    return integrals::DilogOfPower(-rest) - log * (log / 2 + rest) - kWhole;
  };
  const N value = Choose(
      x <= 2, [&]() PLUMB_LAMBDA { return Choose(x < 0.5, small, middle); }, large);
  return IfThenElse((x >= 0) & (x < integrals::kInfinity), value, N(integrals::kNaN));
}

template <class N>
PLUMB_INLINE N FresnelCosOf(N x) {
  static constexpr double kNear[] = {-0.18882828569831167,    0.053747019430563495,   -0.0039845447373984344,
                                     0.0001751093239650625,   -5.046835643357905e-06, 1.0244135117663706e-07,
                                     -1.5419458251137547e-09, 1.7888873776125592e-11, -1.6482012870461955e-13,
                                     1.2350600163061215e-15,  -7.674110377825514e-18};
  const N size = Abs(x), power = x * x * x * x;
  return Choose(
      size < integrals::kFarFresnel,
      [&]() PLUMB_LAMBDA { return x * (1 + power * PLUMB_EXPANSION(8, 0, 5.0625, kNear, power)); },
      [&]() PLUMB_LAMBDA { return CopySignOf(N(1), x) * integrals::OuterFresnelCos(size); });
}

template <class N>
PLUMB_INLINE N FresnelSinOf(N x) {
  static constexpr double kNear[] = {-0.0766260088390222,     0.014810096182316696,   -0.0008153981227660953,
                                     2.839324134983586e-05,   -6.770970295594746e-07, 1.1720171585040024e-08,
                                     -1.5378455329645848e-10, 1.5814855439590733e-12, -1.3086237462753849e-14,
                                     8.899901033398561e-17,   -5.062572909985106e-19};
  const N size = Abs(x), power = x * x * x * x;
  return Choose(
      size < integrals::kFarFresnel,
      [&]() PLUMB_LAMBDA { return x * x * x * (M_PI / 6 + power * PLUMB_EXPANSION(7, 0, 5.0625, kNear, power)); },
      [&]() PLUMB_LAMBDA { return CopySignOf(N(1), x) * integrals::OuterFresnelSin(size); });
}

// As a device's formulas take them.
PLUMB_REAL_WORD(DawsnOf)
PLUMB_REAL_WORD(ExpintOf)
PLUMB_REAL_WORD(SpenceOf)
PLUMB_REAL_WORD(FresnelCosOf)
PLUMB_REAL_WORD(FresnelSinOf)
