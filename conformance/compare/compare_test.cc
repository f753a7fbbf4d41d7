// The comparator is itself compared: honest ways to compute pass, and mutants fail.
#include "conformance/compare/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "conformance/compare/bias.h"
#include "spec/session/tensor_float_32.h"

namespace plumb::conformance {
namespace {

using reference::Value;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kSubnormal = 1e-40f;

Value Bounded(std::initializer_list<float> values, std::initializer_list<double> bounds) {
  return {MakeVector<float>(values), std::make_shared<const std::vector<double>>(bounds), nullptr};
}
Gate Judged(std::initializer_list<float> actual, const Value& expected, const Samples& samples = {}) {
  return Compare(MakeVector<float>(actual), expected, samples).failed;
}

// Dot products of high-entropy rows, with the bound γₙ·Σ|aᵢ·bᵢ|.
struct DotProducts {
  static constexpr int kRows = 256;
  static constexpr int kLength = 512;
  std::vector<float> a, b;
  Value expected;

  DotProducts() : a(kRows * kLength), b(kRows * kLength) {
    std::mt19937 random(42);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (float& x : a) x = uniform(random);
    for (float& x : b) x = uniform(random);
    constexpr double kUnit = 0x1p-24, kGamma = (kLength + 1) * kUnit / (1 - (kLength + 1) * kUnit);
    Tensor values(DType::kFloat, {kRows});
    std::vector<double> bounds;
    for (int row = 0; row < kRows; ++row) {
      double sum = 0, magnitude = 0;
      for (int k = row * kLength; k < (row + 1) * kLength; ++k) {
        sum += double{a[k]} * b[k];
        magnitude += std::fabs(double{a[k]} * b[k]);
      }
      values.mutable_data<float>()[row] = static_cast<float>(sum);
      bounds.push_back(kGamma * magnitude);
    }
    expected = {values, std::make_shared<const std::vector<double>>(std::move(bounds)), nullptr};
  }

  // Applies `dot(a row, b row)` to all rows.
  template <class Dot>
  Tensor Computed(const Dot& dot) const {
    Tensor result(DType::kFloat, {kRows});
    for (int row = 0; row < kRows; ++row) {
      result.mutable_data<float>()[row] = dot(a.data() + row * kLength, b.data() + row * kLength);
    }
    return result;
  }
  Verdict Compared(const Tensor& actual) const { return Compare(actual, expected, {}); }
  bool Biased(const Tensor& actual) const {
    MagnitudeBias bias;
    bias.Add(actual, expected);
    return bias.IsBiased();
  }
};

float TruncatedTo(double value, int bits) {
  if (value == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(value) + 1 - bits);
  return static_cast<float>(std::trunc(value / unit) * unit);
}

using Row = const float*;

TEST(Comparator, HonestDotProductsPass) {
  const DotProducts dots;
  const auto forward = [](Row a, Row b) {
    float sum = 0;
    for (int k = 0; k < DotProducts::kLength; ++k) sum += a[k] * b[k];
    return sum;
  };
  const auto backward = [](Row a, Row b) {
    float sum = 0;
    for (int k = DotProducts::kLength - 1; k >= 0; --k) sum += a[k] * b[k];
    return sum;
  };
  const auto fused = [](Row a, Row b) {
    float sum = 0;
    for (int k = 0; k < DotProducts::kLength; ++k) sum = std::fma(a[k], b[k], sum);
    return sum;
  };
  const auto eight_lanes = [](Row a, Row b) {
    float lanes[8] = {};
    for (int k = 0; k < DotProducts::kLength; ++k) lanes[k % 8] += a[k] * b[k];
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  };
  for (const Tensor& actual :
       {dots.Computed(forward), dots.Computed(backward), dots.Computed(fused), dots.Computed(eight_lanes)}) {
    const Verdict verdict = dots.Compared(actual);
    EXPECT_TRUE(verdict.ok()) << verdict.detail;
    EXPECT_EQ(verdict.judge, Judge::kComputed);
    EXPECT_EQ(verdict.compared, DotProducts::kRows);
    EXPECT_FALSE(dots.Biased(actual));
  }
}

TEST(Comparator, ADroppedElementFails) {
  const DotProducts dots;
  const Tensor actual = dots.Computed([](Row a, Row b) {
    float sum = 0;
    for (int k = 0; k + 1 < DotProducts::kLength; ++k) sum += a[k] * b[k];
    return sum;
  });
  EXPECT_EQ(dots.Compared(actual).failed, Gate::kBound);
}

TEST(Comparator, AnAccumulatorOfSixteenBitsFails) {
  const DotProducts dots;
  const Tensor actual = dots.Computed([](Row a, Row b) {
    float sum = 0;
    for (int k = 0; k < DotProducts::kLength; ++k) sum = TruncatedTo(sum + a[k] * b[k], 8);
    return sum;
  });
  EXPECT_EQ(dots.Compared(actual).failed, Gate::kBound);
}

TEST(Comparator, AnAccumulatorThatTruncatesPassesTheBoundAndFailsTheBias) {
  const DotProducts dots;
  const Tensor actual = dots.Computed([](Row a, Row b) {
    float sum = 0;
    for (int k = 0; k < DotProducts::kLength; ++k) sum = TruncatedTo(double{sum} + double{a[k]} * b[k], 24);
    return sum;
  });
  EXPECT_TRUE(dots.Compared(actual).ok());
  EXPECT_TRUE(dots.Biased(actual));
}

TEST(Comparator, TypesAndShapesComeBeforeValues) {
  const Value expected(MakeVector<float>({1, 2}));
  EXPECT_EQ(Compare(MakeVector<double>({1, 2}), expected, {}).failed, Gate::kType);
  EXPECT_EQ(Compare(MakeTensor<float>({1, 2}, {5, 6}), expected, {}).failed, Gate::kType);
}

TEST(Comparator, WithoutABoundEqualityIsNeeded) {
  EXPECT_EQ(Judged({1, 2}, Value(MakeVector<float>({1, 2}))), Gate::kNone);
  EXPECT_EQ(Judged({1, std::nextafter(2.0f, 3.0f)}, Value(MakeVector<float>({1, 2}))), Gate::kExact);
  EXPECT_EQ(Compare(MakeVector<int32_t>({3}), Value(MakeVector<int32_t>({4})), {}).failed, Gate::kExact);
  EXPECT_EQ(Compare(MakeVector<std::string>({"a"}), Value(MakeVector<std::string>({"b"})), {}).failed, Gate::kExact);
}

TEST(Comparator, TheLimitIsTheBoundAndNotMore) {
  EXPECT_EQ(Judged({8.0625f}, Bounded({8}, {0.0625})), Gate::kNone);
  EXPECT_EQ(Judged({8.0625f}, Bounded({8}, {0.0624})), Gate::kBound);
}

TEST(Comparator, TheClassOfANumberMustMatch) {
  EXPECT_EQ(Judged({kNan}, Bounded({kNan}, {0})), Gate::kNone);
  EXPECT_EQ(Judged({1}, Bounded({kNan}, {0})), Gate::kBound);
  EXPECT_EQ(Judged({kNan}, Bounded({1}, {1e-3})), Gate::kBound);
  EXPECT_EQ(Judged({kInf}, Bounded({kInf}, {0})), Gate::kNone);
  EXPECT_EQ(Judged({-kInf}, Bounded({kInf}, {0})), Gate::kBound);
  EXPECT_EQ(Judged({kInf}, Bounded({1}, {1e-3})), Gate::kBound);
}

TEST(Comparator, InfinityIsRightWhereTheBoundReachesAcrossOverflow) {
  EXPECT_EQ(Judged({kInf}, Bounded({kMax}, {1e-6 * kMax})), Gate::kNone);
  EXPECT_EQ(Judged({-kInf}, Bounded({kMax}, {1e-6 * kMax})), Gate::kBound);
  EXPECT_EQ(Judged({kInf}, Bounded({kMax / 2}, {1e-6 * kMax})), Gate::kBound);
}

TEST(Comparator, AnInfiniteBoundLeavesTheNumberOpen) {
  EXPECT_EQ(Judged({-kInf}, Bounded({kInf}, {kInf})), Gate::kNone);
  const Verdict verdict = Compare(MakeVector<float>({kNan, 7, 5}), Bounded({1, 3, 5}, {kInf, kInf, 0}), {});
  EXPECT_TRUE(verdict.ok());
  EXPECT_EQ(verdict.compared, 1);  // what is open does not count
}

TEST(Comparator, ABrokenComplexNumberIsBrokenInEitherPart) {
  using Complex = std::complex<float>;
  const auto judged = [](Complex actual, Complex expected) {
    return Compare(MakeVector<Complex>({actual}), Value(MakeVector<Complex>({expected})), {}).failed;
  };
  EXPECT_EQ(judged({kInf, kNan}, {3, kInf}), Gate::kNone);
  EXPECT_EQ(judged({kInf, 1}, {3, 1}), Gate::kExact);
  EXPECT_EQ(judged({3, 1}, {kInf, 1}), Gate::kExact);
  const auto bounded = [](Complex actual, Complex expected) {
    const Value value{MakeVector<Complex>({expected}), std::make_shared<std::vector<double>>(2, 0.5), nullptr};
    return Compare(MakeVector<Complex>({actual}), value, {}).failed;
  };
  EXPECT_EQ(bounded({kNan, 1}, {3, kInf}), Gate::kNone);
  EXPECT_EQ(bounded({3, 1}, {3, kInf}), Gate::kBound);
  EXPECT_EQ(bounded({3, kInf}, {3, 1}), Gate::kBound);
}

TEST(Comparator, ResultsOfArithmeticMayBeFlushedToZero) {
  EXPECT_EQ(Judged({0, 1}, Bounded({kSubnormal, 1}, {1e-47, 1e-7})), Gate::kNone);
  EXPECT_EQ(Judged({0, 1}, Bounded({kSubnormal, 1}, {0, 1e-7})), Gate::kBound);  // data movement flushes nothing
  EXPECT_EQ(Compare(MakeVector<float>({0, 1}), Bounded({kSubnormal, 1}, {1e-47, 1e-7}), {}, {.flush_subnormals = false})
                .failed,
            Gate::kBound);
}

TEST(Comparator, SignedZerosAreAProfile) {
  EXPECT_EQ(Judged({-0.0f}, Bounded({0}, {0})), Gate::kNone);
  EXPECT_EQ(Compare(MakeVector<float>({-0.0f}), Bounded({0}, {0}), {}, {.signed_zeros = true}).failed, Gate::kBound);
}

TEST(Comparator, AUselessBoundIsReplacedByTheMeasuredSpread) {
  const Value vague = Bounded({100}, {50});
  const Samples samples = [] { return std::vector<Tensor>{MakeVector<float>({100.5f}), MakeVector<float>({99.5f})}; };
  const Verdict near = Compare(MakeVector<float>({105}), vague, samples);
  EXPECT_TRUE(near.ok()) << near.detail;
  EXPECT_EQ(near.judge, Judge::kMeasured);
  EXPECT_EQ(Judged({107}, vague, samples), Gate::kBound);  // six spreads of 1 are 6
  EXPECT_EQ(Judged({kNan}, vague, samples), Gate::kBound);
}

TEST(Comparator, SamplesThatAgreeMeasureNothing) {
  const Samples samples = [] { return std::vector<Tensor>{MakeVector<float>({100}), MakeVector<float>({100})}; };
  EXPECT_EQ(Judged({149}, Bounded({100}, {50}), samples), Gate::kNone);
  EXPECT_EQ(Judged({151}, Bounded({100}, {50}), samples), Gate::kBound);
}

TEST(Comparator, AUsefulBoundIsNotMeasuredAgain) {
  const Samples unwanted = []() -> std::vector<Tensor> { throw Internal("sampled without need"); };
  EXPECT_EQ(Judged({100.5f}, Bounded({100}, {0.6}), unwanted), Gate::kNone);
}

TEST(Comparator, DiscreteValuesAreJudgedPerOutcome) {
  const Value expected(MakeVector<int32_t>({3}));
  const Samples samples = [] { return std::vector<Tensor>{MakeVector<int32_t>({3}), MakeVector<int32_t>({5})}; };
  EXPECT_TRUE(Compare(MakeVector<int32_t>({5}), expected, samples).ok());
  EXPECT_EQ(Compare(MakeVector<int32_t>({4}), expected, samples).failed, Gate::kExact);
}

TEST(Comparator, AFailureSaysWhereAndHowMuch) {
  const Value expected(MakeTensor<float>({2, 2}, {1, 2, 3, 4}));
  const Verdict verdict = Compare(MakeTensor<float>({2, 2}, {1, 2, 3.5, 5}), expected, {});
  EXPECT_EQ(verdict.detail, "at [1,0] actual 3.5, expected 3 within 0 (exact), off by 0.5; 2 of 4 numbers are out");
}

TEST(Compare, HasNoLimitsForProductsAsTf32) {
  const Value expected = Bounded({1}, {0.1});
  EXPECT_EQ(Judged({1}, expected), Gate::kNone);
  EnableTensorFloat32(true);
  try {
    Judged({1}, expected);
    ADD_FAILURE() << "it was judged";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kFailedPrecondition) << error.status().ToString();
  }
  EnableTensorFloat32(false);
  EXPECT_EQ(Judged({1}, expected), Gate::kNone);
}

}  // namespace
}  // namespace plumb::conformance
