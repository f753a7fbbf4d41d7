// Fourier transforms and what is known of their errors.
#include <gmock/gmock.h>

#include <cmath>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::Each;
using testing::ElementsAre;
using Numbers = std::vector<std::complex<float>>;

Tensor Signals(const Shape& shape, const Numbers& numbers) {
  return MakeTensor<std::complex<float>>(shape, std::span<const std::complex<float>>(numbers));
}
KernelCall Transform(std::string_view op, Value x) {
  return {.op = op, .inputs = {std::move(x)}, .accuracy = Composed()};
}
KernelCall RealTransform(std::string_view op, Value x, int32_t length) {
  const bool forward = op[0] == 'R';
  const DType real = DType::kFloat, complex = DType::kComplex64;
  return {.op = op,
          .inputs = {std::move(x), Ints({length})},
          .attrs = {{"Treal", real}, {"Tcomplex", complex}},
          .output_types = {forward ? complex : real},
          .accuracy = Composed()};
}

// The numbers of a complex or real tensor, part by part.
std::vector<double> Parts(const Value& value) {
  std::vector<double> parts;
  if (!IsComplex(value.tensor.dtype())) {
    for (const float x : value.tensor.data<float>()) parts.push_back(x);
    return parts;
  }
  for (const auto z : value.tensor.data<std::complex<float>>()) parts.insert(parts.end(), {z.real(), z.imag()});
  return parts;
}
// Whether no number of `moved` is farther from `y` than y's bound says.
void ExpectEnclosed(const Value& y, const Value& moved, std::string_view what) {
  const auto centre = Parts(y), at = Parts(moved), bounds = Bounds(y);
  ASSERT_EQ(centre.size(), bounds.size()) << what;
  for (size_t i = 0; i < centre.size(); ++i) EXPECT_LE(std::fabs(at[i] - centre[i]), bounds[i]) << what << ' ' << i;
}

TEST(Fft, OfFourNumbers) {
  const Tensor x = Signals({4}, {{1, 0}, {0, 2}, {3, 0}, {0, 4}});
  ExpectEnclosed(Transform("FFT", x)(), Signals({4}, {{4, 6}, {-4, 0}, {4, -6}, {0, 0}}), "FFT");
}

// Each part of each input alone is moved by its whole bound: what comes out stays within the bound, and where all that
// moves is added up, as for the constant term, the bound may not be much larger either.
// What moves the real or the imaginary part of the first number moves that part of each.
TEST(Fft, EitherPartMoves) {
  const Tensor x = Signals({3}, {{1, 2}, {3, 4}, {5, 6}});
  EXPECT_THAT(Tangents(Transform("FFT", WithTangent(x, {1, 0, 0, 0, 0, 0}))()), ElementsAre(1, 0, 1, 0, 1, 0));
  EXPECT_THAT(Tangents(Transform("FFT", WithTangent(x, {0, 1, 0, 0, 0, 0}))()), ElementsAre(0, 1, 0, 1, 0, 1));
}

TEST(Fft, BoundsEncloseWhatEachPartMayMove) {
  const Numbers numbers = {{1, -2}, {3, 0.5F}, {-4, 1}, {2, 2}};
  for (const std::string_view op : {"FFT", "IFFT", "FFT2D", "IFFT2D", "IRFFT"}) {
    const Shape shape = op.find("2D") == op.npos ? Shape({4}) : Shape({2, 2});
    const auto call = [&](Value x) {
      return op == "IRFFT" ? RealTransform(op, std::move(x), 6) : Transform(op, std::move(x));
    };
    const Value still = call(Signals(shape, numbers))();
    for (size_t part = 0; part < 2 * numbers.size(); ++part) {
      std::vector<double> bound(2 * numbers.size(), 0);
      bound[part] = 0.25;
      const Value y = call(WithBound(Signals(shape, numbers), bound))();
      for (const float sign : {-0.25F, 0.25F}) {
        Numbers moved = numbers;
        moved[part / 2] += part % 2 == 0 ? std::complex<float>(sign, 0) : std::complex<float>(0, sign);
        ExpectEnclosed(y, call(Signals(shape, moved))(), op);
      }
      const double share = op[0] != 'I' ? 1 : op == "IRFFT" ? 2.0 / 6 : 1.0 / 4;
      for (size_t i = 0; i < Bounds(y).size(); ++i) {
        EXPECT_LE(Bounds(y)[i], 0.25 * share + 2 * Bounds(still)[i]) << op << ' ' << i;
      }
    }
  }
}

TEST(Fft, BoundsOfRealSignalsEncloseWhatEachNumberMayMove) {
  for (size_t at = 0; at < 5; ++at) {
    std::vector<double> bound(5, 0);
    bound[at] = 0.5;
    std::vector<float> numbers = {1, -2, 3, 4, -1}, moved = numbers;
    moved[at] += 0.5F;
    const auto row = [](const std::vector<float>& x) { return MakeTensor<float>({5}, std::span<const float>(x)); };
    const Value y = RealTransform("RFFT", WithBound(row(numbers), bound), 5)();
    ExpectEnclosed(y, RealTransform("RFFT", row(moved), 5)(), "RFFT");
    EXPECT_THAT(Bounds(y), Each(testing::Ge(0.5)));
  }
}

// The same transform in float32, with factors that are rounded to it, sum after sum.
TEST(Fft, BoundsEncloseFloatArithmetic) {
  for (const int64_t n : {3, 7, 64}) {
    Numbers numbers;
    for (int64_t t = 0; t < n; ++t) {
      const auto angle = static_cast<float>(t);
      numbers.emplace_back(std::sin(3 * angle), 10 * std::cos(angle * angle));
    }
    const Value y = Transform("FFT", Signals({n}, numbers))();
    Numbers sums(static_cast<size_t>(n));
    for (int64_t k = 0; k < n; ++k) {
      for (int64_t t = 0; t < n; ++t) {
        const double angle = -2 * M_PI * static_cast<double>(k * t % n) / static_cast<double>(n);
        const std::complex<float> factor(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
        sums[static_cast<size_t>(k)] += factor * numbers[static_cast<size_t>(t)];
      }
    }
    ExpectEnclosed(y, Signals({n}, sums), "n");
  }
}

}  // namespace
}  // namespace plumb::reference
