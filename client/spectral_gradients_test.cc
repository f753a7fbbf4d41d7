// Gradients of Fourier transforms against the sums that define them.
#include <cmath>
#include <limits>

#include "client/gradients.h"
#include "client/ops.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class SpectralGradients : public OnEachBackend {
 protected:
  // Σ a·Re z + b·Im z.
  Output Weighed(Output z, Output a, Output b) {
    const Output re = Call("Real", {z}, {{"Tout", DType::kFloat}}), im = Call("Imag", {z}, {{"Tout", DType::kFloat}});
    return a * re + b * im;
  }
  // Each is a sum of float products, no more of them than there are numbers here, and by Parseval's theorem no larger
  // all together than these. A product takes four roundings: of a sine, of its weight, and two as one of complex
  // numbers.
  void ExpectNear(const std::vector<double>& actual, const std::vector<double>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    constexpr int kSine = 1, kWeight = 1, kComplexProduct = 2;
    const auto roundings = static_cast<double>(expected.size() + kSine + kWeight + kComplexProduct);
    double sizes = 0;
    for (const double x : expected) sizes += std::abs(x);
    const double limit = roundings * std::numeric_limits<float>::epsilon() * sizes;
    for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], limit) << i;
  }
  static std::vector<double> Of(std::initializer_list<float> values) { return {values.begin(), values.end()}; }
};
PLUMB_ON_EACH_BACKEND(SpectralGradients);

// Of Σ a[k] cos(2πkt/n) − b[k] sin(2πkt/n) by x[t]; what lies beyond fft_length has no part in it.
TEST_P(SpectralGradients, OfTheSpectrumOfASignal) {
  for (const int32_t n : {4, 5}) {
    const Output x = Floats({1, -2, 3, 0.5, 2, 9});
    const Output spectrum = Call("RFFT", {x, Constant(scope_, MakeVector<int32_t>({n}))});
    const auto a = {1.0f, 2.0f, -1.0f}, b = {0.5f, 3.0f, -2.0f};
    std::vector<double> expected(6);
    for (int t = 0; t < n; ++t) {
      for (int k = 0; k < 3; ++k) {
        expected[t] += Of(a)[k] * std::cos(2 * M_PI * k * t / n) - Of(b)[k] * std::sin(2 * M_PI * k * t / n);
      }
    }
    ExpectNear(Value(DenseGradients({Weighed(spectrum, Floats(a), Floats(b))}, {x})[0]), expected);
  }
}

// Each coefficient but the first, and for even n the last, stands for two.
TEST_P(SpectralGradients, OfASignalBySpectrum) {
  for (const int32_t n : {4, 5}) {
    const Output re = Floats({1, -2, 3}), im = Floats({0, 1, 2});
    const Output z = Call("Complex", {re, im});
    const Output signal = Call("IRFFT", {z, Constant(scope_, MakeVector<int32_t>({n}))});
    const std::vector<double> c = {1, 2, -1, 4, 0.5};
    const Output weights = n == 4 ? Floats({1, 2, -1, 4}) : Floats({1, 2, -1, 4, 0.5});
    std::vector<double> by_re(3), by_im(3);
    for (int k = 0; k < 3; ++k) {
      const double times = k == 0 || (n == 4 && k == 2) ? 1 : 2;
      for (int t = 0; t < n; ++t) {
        by_re[k] += times / n * c[t] * std::cos(2 * M_PI * k * t / n);
        by_im[k] -= times / n * c[t] * std::sin(2 * M_PI * k * t / n);
      }
    }
    const auto gradients = DenseGradients({signal * weights}, {re, im});
    ExpectNear(Value(gradients[0]), by_re);
    ExpectNear(Value(gradients[1]), by_im);
  }
}

// y = W·x with a symmetric W, so that x gets W̄·dy: a sum of 2·(1, i) over two numbers, and half of their difference.
TEST_P(SpectralGradients, OfComplexTransforms) {
  const Output re = Floats({1, 2}), im = Floats({3, 4}), a = Floats({1, 5}), b = Floats({2, -1});
  const Output z = Call("Complex", {re, im});
  const auto forward = DenseGradients({Weighed(Call("FFT", {z}), a, b)}, {re, im});
  EXPECT_THAT(Value(forward[0]), ElementsAre(6, -4));
  EXPECT_THAT(Value(forward[1]), ElementsAre(1, 3));
  const auto inverse = DenseGradients({Weighed(Call("IFFT", {z}), a, b)}, {re, im});
  EXPECT_THAT(Value(inverse[0]), ElementsAre(3, -2));
  EXPECT_THAT(Value(inverse[1]), ElementsAre(0.5, 1.5));
}

// Of one number only the axis of two remains, whichever it is.
TEST_P(SpectralGradients, OfTransformsAlongSeveralAxes) {
  const auto by_re = [&](const char* op, std::initializer_list<int64_t> shape) {
    const Output re = Floats({1, 2});
    const Output dims = Constant(scope_, MakeVector<int64_t>(shape));
    const auto shaped = [&](Output x) { return Call("Reshape", {x, dims}); };
    const Output z = Call("Complex", {shaped(re), shaped(Floats({3, 4}))});
    const Output y = Weighed(Call(op, {z}), shaped(Floats({1, 5})), shaped(Floats({2, -1})));
    return Value(DenseGradients({y}, {re})[0]);
  };
  for (const auto shape : {std::initializer_list<int64_t>{2, 1}, {1, 2}}) {
    EXPECT_THAT(by_re("FFT2D", shape), ElementsAre(6, -4));
    EXPECT_THAT(by_re("IFFT2D", shape), ElementsAre(3, -2));
  }
  for (const auto shape : {std::initializer_list<int64_t>{2, 1, 1}, {1, 1, 2}}) {
    EXPECT_THAT(by_re("FFT3D", shape), ElementsAre(6, -4));
    EXPECT_THAT(by_re("IFFT3D", shape), ElementsAre(3, -2));
  }
}

TEST_P(SpectralGradients, OfRealTransformsOfPlanes) {
  const Output sizes = Constant(scope_, MakeVector<int32_t>({2, 2}));
  const Output x = Matrix(2, 2, {1, 2, 3, 4}), a = Matrix(2, 2, {1, 5, -2, 3}), b = Matrix(2, 2, {0, 0, 0, 0});
  // All factors are ±1: the gradient is the sum with the same signs.
  ExpectNear(Value(DenseGradients({Weighed(Call("RFFT2D", {x, sizes}), a, b)}, {x})[0]), {7, -9, 5, 1});
  const Output z = Call("Complex", {x, b});
  ExpectNear(Value(DenseGradients({Call("IRFFT2D", {z, sizes}) * a}, {x})[0]), {7.0 / 4, -9.0 / 4, 5.0 / 4, 1.0 / 4});
}

}  // namespace
}  // namespace plumb
