// The words of the inverse error function's formulas, over a number N of chebyshev-inl.h: expansions in Chebyshev
// polynomials, interpolated with 50 digits up to terms of 1e-18. See README.md.

namespace erfinv {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// y with erf y = x for |x| ≤ 1/2.
template <class N>
PLUMB_INLINE N CentralErfinv(N x) {
  static constexpr double kCentral[] = {0.25037200926322256,    0.019234961989658444,   0.0009232670952846458,
                                        4.929226963786149e-05,  2.8006849256466423e-06, 1.6575491803925986e-07,
                                        1.0096347357046845e-08, 6.282635786957852e-10,  3.9744744317963324e-11,
                                        2.5474631742985698e-12, 1.650311285568266e-13,  1.0786073883341202e-14,
                                        7.102253198798969e-16,  4.7064312803217456e-17, 3.135984102854433e-18};
  const N square = x * x;
  return x * (1 / M_2_SQRTPI + square * PLUMB_EXPANSION(9, 0, 0.25, kCentral, square));
}

// y with erfc y = q for 0 < q ≤ 1/2, which is √(−log q) times what changes little.
template <class N>
PLUMB_INLINE N TailErfinv(N q) {
  static constexpr double kNear[] = {
      0.7078125266081026,      -0.14551423385063483,   0.0075014033700411915,   0.0006476452246173,
      -0.00022045054418017273, 3.132937069819279e-05,  -2.9645397544894615e-06, 2.14204380305281e-07,
      -2.146692817507729e-08,  4.9324834358486505e-09, -1.2098068460258914e-09, 2.488746832536824e-10,
      -4.62040347339295e-11,   8.518291272750322e-12,  -1.6426681935902015e-12, 3.298699856878761e-13,
      -6.72576330760763e-14,   1.3731470126444527e-14, -2.8091703399962058e-15, 5.7925715558360895e-16,
      -1.2084816339084143e-16, 2.5512591365364497e-17, -5.44087473039939e-18,   1.1700465490920789e-18};
  static constexpr double kMiddle[] = {
      0.9164620577820874,      -0.054868603367567104,  -0.0019879219133741187,  0.000344272558867734,
      -2.619417695164304e-05,  2.151331869402228e-06,  -2.644557096739115e-07,  3.9658480571452714e-08,
      -6.269762280597968e-09,  1.0334164697571846e-09, -1.7799740369838747e-10, 3.187218746273547e-11,
      -5.8937067002702175e-12, 1.1191113554531763e-12, -2.172073916090488e-13,  4.293946123495792e-14,
      -8.623063341971798e-15,  1.7554903711032143e-15, -3.6170275657920486e-16, 7.532295772244308e-17,
      -1.5835164324220648e-17, 3.357450199963278e-18};
  static constexpr double kFar[] = {
      0.9846418952354133,      -0.014356309975716755,  -0.0014111416447384138, 0.00010338107253454583,
      -9.100449839998423e-06,  1.2723626767398863e-06, -2.239838881477109e-07, 4.493465955460385e-08,
      -9.884084747063738e-09,  2.325388284522423e-09,  -5.755696905696417e-10, 1.4822577753595733e-10,
      -3.9408209359798676e-11, 1.0755062500643706e-11, -3.00012142361837e-12,  8.525606105519169e-13,
      -2.4617141308606383e-13, 7.207180653692298e-14,  -2.135830580495183e-14, 6.397780496036077e-15,
      -1.9348239973660236e-15, 5.901623746779227e-16,  -1.814060972593475e-16, 5.615221739416005e-17,
      -1.7492165620549684e-17, 5.480802201116695e-18,  -1.7264747738007815e-18};
  const N root = Sqrt(-LogOf(q)), w = 1 / root;
  const auto near = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(13, 0.44, 1.21, kNear, w); };
  const auto middle = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(11, 0.16, 0.44, kMiddle, w); };
  const auto far = [&]() PLUMB_LAMBDA { return PLUMB_EXPANSION(12, 0.036, 0.16, kFar, w); };
  return root * Choose(w >= 0.44, near, [&]() PLUMB_LAMBDA { return Choose(w >= 0.16, middle, far); });
}

}  // namespace erfinv

template <class N>
PLUMB_INLINE N ErfinvOf(N x) {
  const N size = Abs(x);
  const N inside = Choose(
      size <= 0.5, [&]() PLUMB_LAMBDA { return erfinv::CentralErfinv(x); },
      [&]() PLUMB_LAMBDA { return CopySignOf(erfinv::TailErfinv(1 - size), x); });
  const N outside = IfThenElse(size >= 1, CopySignOf(N(erfinv::kInfinity), x), N(erfinv::kNaN));
  return IfThenElse(size < 1, inside, outside);
}

template <class N>
PLUMB_INLINE N NdtriOf(N p) {
  const N tail = IfThenElse(p < 0.5, p, 1 - p), sign = p - 0.5;
  const N inside = Choose(
      tail >= 0.25, [&]() PLUMB_LAMBDA { return M_SQRT2 * erfinv::CentralErfinv(2 * p - 1); },
      [&]() PLUMB_LAMBDA { return CopySignOf(M_SQRT2 * erfinv::TailErfinv(2 * tail), sign); });
  const N outside = IfThenElse(tail <= 0, CopySignOf(N(erfinv::kInfinity), sign), N(erfinv::kNaN));
  return IfThenElse(tail > 0, inside, outside);
}

// As a device's formulas take them.
PLUMB_REAL_WORD(ErfinvOf)
PLUMB_REAL_WORD(NdtriOf)
