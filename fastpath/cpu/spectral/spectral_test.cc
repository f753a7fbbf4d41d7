#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

using Z = std::complex<double>;
using Zs = std::vector<Z>;
using Doubles = std::vector<double>;

// Each number is a sum of complex products with a few roundings each, at most twice as many as there are numbers here
// (where half a spectrum stands for a whole one), and by Parseval's theorem no larger all together than twice these.
template <class T>
void ExpectNear(const Tensor& actual, const std::vector<T>& expected) {
  const std::vector<T> values = Values<T>(actual);
  ASSERT_EQ(values.size(), expected.size());
  constexpr size_t kRoundings = 4;
  const double unit = std::numeric_limits<double>::epsilon() / 2;
  double magnitudes = 0;
  for (const T x : expected) magnitudes += 2 * std::abs(x);
  const double limit = static_cast<double>(2 * expected.size() + kRoundings) * unit * magnitudes;
  for (size_t i = 0; i < values.size(); ++i) EXPECT_LE(std::abs(values[i] - expected[i]), limit) << i;
}

TEST(Fft, FourNumbersByHand) {
  const Tensor x = MakeVector<Z>({1, 2, 3, Z(0, 4)});
  ExpectNear(RunKernel1("FFT", {x}), Zs({Z(6, 4), Z(-6, -2), Z(2, -4), Z(2, 2)}));
  ExpectNear(RunKernel1("IFFT", {MakeVector<Z>({Z(6, 4), Z(-6, -2), Z(2, -4), Z(2, 2)})}), Zs({1, 2, 3, Z(0, 4)}));
}

TEST(Fft, AxesAreTransformedOneAfterTheOther) {
  ExpectNear(RunKernel1("FFT2D", {MakeTensor<Z>({2, 2}, {1, 2, 3, 4})}), Zs({10, -2, -4, 0}));
  ExpectNear(RunKernel1("IFFT2D", {MakeTensor<Z>({2, 2}, {10, -2, -4, 0})}), Zs({1, 2, 3, 4}));
  const Tensor box = MakeTensor<Z>({2, 2, 1}, {1, 2, 3, 4});
  ExpectNear(RunKernel1("FFT3D", {box}), Zs({10, -2, -4, 0}));
  ExpectNear(RunKernel1("IFFT3D", {MakeTensor<Z>({2, 2, 1}, {10, -2, -4, 0})}), Zs({1, 2, 3, 4}));
}

// The transform of a single one at place 1 is exp(−2πi k/n): lengths with small factors, and with a large one.
TEST(Fft, AnImpulseBecomesAWave) {
  for (const int64_t n : {1, 2, 3, 4, 5, 7, 8, 16, 30, 31, 37, 64, 101, 134, 1009}) {
    Tensor impulse(DType::kComplex128, {n});
    for (Z& z : impulse.mutable_data<Z>()) z = 0;
    impulse.mutable_data<Z>()[static_cast<size_t>(1 % n)] = 1;
    Zs wave;
    for (int64_t k = 0; k < n; ++k) wave.push_back(std::polar(1.0, -2 * M_PI * static_cast<double>(k * (1 % n)) / n));
    const Tensor spectrum = RunKernel1("FFT", {impulse});
    ExpectNear(spectrum, wave);
    ExpectNear(RunKernel1("IFFT", {spectrum}), Values<Z>(impulse));
  }
}

// Whether a row of n numbers has a prime factor that is worth a convolution.
bool HasLargeFactor(int64_t n) {
  Choices::Forget();
  RunKernel1("FFT", {Zeros(DType::kComplex128, {n})});
  for (const Choices::Choice& choice : Choices::Taken()) {
    if (choice.name.starts_with("Fourier transform: small factors") && (choice.small || choice.large)) {
      return choice.large;
    }
  }
  throw NotFound("nothing was chosen");
}

TEST(Fft, LargePrimeFactorsAreConvolved) {
  for (const int64_t n : {1, 2, 31, 62, 64, 961, 1024}) EXPECT_FALSE(HasLargeFactor(n)) << n;
  for (const int64_t n : {37, 74, 111, 1009, 1369, 2018}) EXPECT_TRUE(HasLargeFactor(n)) << n;
}

TEST(Fft, RealNumbersHaveHalfASpectrum) {
  const Tensor x = MakeVector<double>({1, 2, 3, 4, 77});
  const AttrMap types = {{"Treal", DType::kDouble}, {"Tcomplex", DType::kComplex128}};
  const Tensor spectrum = RunKernel1("RFFT", {x, MakeVector<int32_t>({4})}, types);
  ExpectNear(spectrum, Zs({10, Z(-2, 2), -2}));
  const Tensor back = RunKernel1("IRFFT", {spectrum, MakeVector<int32_t>({4})}, types);
  ExpectNear(back, Doubles({1, 2, 3, 4}));
  // An odd length takes both parts of its last coefficient: (10 + 2 Re((−2 + 2i) exp(2πi t/3)))/3.
  const Tensor odd = RunKernel1("IRFFT", {spectrum, MakeVector<int32_t>({3})}, types);
  ExpectNear(odd, Doubles({2, 4 - 2 / std::sqrt(3.0), 4 + 2 / std::sqrt(3.0)}));
}

TEST(Fft, RealTransformsOfSeveralAxesInvertEachOther) {
  const AttrMap types = {{"Treal", DType::kDouble}, {"Tcomplex", DType::kComplex128}};
  const Tensor square = MakeTensor<double>({2, 2}, {1, 2, 3, 4}), sizes = MakeVector<int32_t>({2, 2});
  const Tensor plane = RunKernel1("RFFT2D", {square, sizes}, types);
  ExpectNear(plane, Zs({10, -2, -4, 0}));
  EXPECT_EQ(Values<double>(RunKernel1("IRFFT2D", {plane, sizes}, types)), Doubles({1, 2, 3, 4}));
  const Tensor box = MakeTensor<double>({2, 2, 1}, {1, 2, 3, 4}), lengths = MakeVector<int32_t>({2, 2, 1});
  const Tensor spectrum = RunKernel1("RFFT3D", {box, lengths}, types);
  ExpectNear(spectrum, Zs({10, -2, -4, 0}));
  EXPECT_EQ(Values<double>(RunKernel1("IRFFT3D", {spectrum, lengths}, types)), Doubles({1, 2, 3, 4}));
}

TEST(Fft, LengthsAreChecked) {
  const AttrMap types = {{"Treal", DType::kDouble}, {"Tcomplex", DType::kComplex128}};
  const Tensor x = MakeVector<double>({1, 2, 3, 4}), z = MakeVector<Z>({1, 2, 3});
  for (const int32_t length : {-1, 0, 5}) {
    EXPECT_EQ(CodeOfKernel("RFFT", {x, MakeVector<int32_t>({length})}, types), Code::kInvalidArgument) << length;
  }
  for (const int32_t length : {-1, 0, 6}) {
    EXPECT_EQ(CodeOfKernel("IRFFT", {z, MakeVector<int32_t>({length})}, types), Code::kInvalidArgument) << length;
  }
  EXPECT_EQ(CodeOfKernel("FFT2D", {z}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("RFFT", {x, MakeVector<int32_t>({4, 4})}, types), Code::kInvalidArgument);
  const AttrMap mixed = {{"Treal", DType::kDouble}, {"Tcomplex", DType::kComplex64}};
  EXPECT_EQ(CodeOfKernel("RFFT", {x, MakeVector<int32_t>({4})}, mixed), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
