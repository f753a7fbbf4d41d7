// The sharp limit of sums is itself judged: honest orders pass on high-entropy data, small mistakes fail, and data of
// low entropy are left to the sound bound (rule N16).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "conformance/compare/bias.h"
#include "conformance/compare/oracle.h"
#include "spec/graph/builder.h"

namespace plumb::conformance {
namespace {

constexpr int64_t kRows = 256;

// Products of rows of `a` with the vector `b`, as the reference computes and bounds them.
struct Problem {
  int64_t n;
  std::vector<float> a, b;
  reference::Value expected;

  Problem(int64_t length, const std::function<float()>& draw) : n(length), a(kRows * length), b(length) {
    std::generate(a.begin(), a.end(), draw);
    std::generate(b.begin(), b.end(), draw);
    expected = Allowed(Limits::kSharp);
  }

  reference::Value Allowed(Limits limits) const {
    GraphBuilder builder;
    const Endpoint product = builder.Call("MatMul", {builder.Constant(MakeTensor<float>({kRows, n}, std::span(a))),
                                                     builder.Constant(MakeTensor<float>({n, 1}, std::span(b)))});
    const std::string fetch = builder.graph().NameOf(product);
    Oracle oracle(builder.ToGraphDef(), limits);
    std::vector<reference::Value> values;
    const Status status = oracle.Run({{}, {fetch}, {}}, &values);
    if (!status.ok()) throw Error(status);
    return values.at(0);
  }

  template <class Dot>
  Tensor Computed(const Dot& dot) const {
    Tensor result(DType::kFloat, {kRows, 1});
    for (int64_t row = 0; row < kRows; ++row) {
      result.mutable_data<float>()[row] = dot(a.data() + row * n, b.data(), n);
    }
    return result;
  }
  Verdict Judged(const Tensor& actual) const { return Compare(actual, expected, {}); }
  bool IsBiased(const Tensor& actual) const {
    MagnitudeBias bias;
    bias.Add(actual, expected);
    return bias.IsBiased();
  }
};

Problem Mixed(int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  return Problem(n, [&] { return uniform(random); });
}
Problem Positive(int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0.5f, 1);
  return Problem(n, [&] { return uniform(random); });
}

using Row = const float*;

float Forward(Row a, Row b, int64_t n) {
  float sum = 0;
  for (int64_t k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}
float Backward(Row a, Row b, int64_t n) {
  float sum = 0;
  for (int64_t k = n - 1; k >= 0; --k) sum += a[k] * b[k];
  return sum;
}
float Fused(Row a, Row b, int64_t n) {
  float sum = 0;
  for (int64_t k = 0; k < n; ++k) sum = std::fma(a[k], b[k], sum);
  return sum;
}
float Pairwise(Row a, Row b, int64_t n) {
  return n == 1 ? a[0] * b[0] : Pairwise(a, b, n / 2) + Pairwise(a + n / 2, b + n / 2, n - n / 2);
}
float Blocked(Row a, Row b, int64_t n) {
  constexpr int64_t kBlock = 100;
  float sum = 0;
  for (int64_t k = 0; k < n; k += kBlock) sum += Fused(a + k, b + k, std::min(kBlock, n - k));
  return sum;
}

TEST(SharpLimit, HonestOrdersPass) {
  for (const int64_t n : {600, 4096}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      for (const Problem& problem : {Mixed(n, seed), Positive(n, seed)}) {
        for (const auto dot : {Forward, Backward, Fused, Pairwise, Blocked}) {
          const Tensor actual = problem.Computed(dot);
          const Verdict verdict = problem.Judged(actual);
          EXPECT_TRUE(verdict.ok()) << verdict.detail;
          EXPECT_EQ(verdict.judge, Judge::kSharp);
          EXPECT_FALSE(problem.IsBiased(actual));
        }
      }
    }
  }
}

// Towards zero, to `bits` bits.
float Truncated(double value, int bits) {
  if (value == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(value) + 1 - bits);
  return static_cast<float>(std::trunc(value / unit) * unit);
}

float Truncating(Row a, Row b, int64_t n) {
  float sum = 0;
  for (int64_t k = 0; k < n; ++k) sum = Truncated(double{sum} + double{a[k]} * b[k], 24);
  return sum;
}
float InBfloat16(Row a, Row b, int64_t n) {
  BFloat16 sum(0.0f);
  for (int64_t k = 0; k < n; ++k) sum = BFloat16(static_cast<float>(sum) + a[k] * b[k]);
  return static_cast<float>(sum);
}
float LastDropped(Row a, Row b, int64_t n) { return Forward(a, b, n - 1); }
float OneTwice(Row a, Row b, int64_t n) { return Forward(a, b, n) + a[n / 2] * b[n / 2]; }

TEST(SharpLimit, MistakesFail) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    for (const Problem& problem : {Mixed(4096, seed), Positive(4096, seed)}) {
      for (const auto dot : {InBfloat16, LastDropped, OneTwice}) {
        const Verdict verdict = problem.Judged(problem.Computed(dot));
        EXPECT_EQ(verdict.failed, Gate::kBound);
        EXPECT_NE(verdict.detail.find("(sharp limit)"), std::string::npos) << verdict.detail;
      }
    }
  }
}

// What γₙ lets pass: n·u·Σ|terms| is the size of a term here.
TEST(SharpLimit, FindsWhatTheSoundBoundCannotSee) {
  const Problem problem = Positive(8192, 1);
  const Tensor dropped = problem.Computed(LastDropped);
  EXPECT_TRUE(Compare(dropped, problem.Allowed(Limits::kSound), {}).ok());
  EXPECT_FALSE(problem.Judged(dropped).ok());
}

// Of terms of one sign it is the limit that sees it, of mixed ones the bias.
TEST(SharpLimit, ATruncatingAccumulatorIsFound) {
  const Problem positive = Positive(4096, 1), mixed = Mixed(4096, 1);
  EXPECT_FALSE(positive.Judged(positive.Computed(Truncating)).ok());
  EXPECT_TRUE(mixed.IsBiased(mixed.Computed(Truncating)));
}

// Each rounding errs like the one before it.
TEST(SharpLimit, EqualTermsAreLeftToTheSoundBound) {
  constexpr int64_t kMany = 16384;
  const Problem equal(kMany, [] { return 0.1f; });
  const Tensor actual = equal.Computed(Forward);
  const Verdict verdict = equal.Judged(actual);
  EXPECT_TRUE(verdict.ok()) << verdict.detail;
  EXPECT_EQ(verdict.judge, Judge::kComputed);
  const double magnitude = kMany * 0.01,
               error = std::fabs(actual.data<float>()[0] - equal.expected.tensor.data<float>()[0]);
  EXPECT_GT(error, 6 * std::sqrt(double{kMany}) * 0x1p-24 * magnitude);  // the sharp limit would have been wrong
}

TEST(SharpLimit, ManyEqualTermsAmongDifferentOnesAreStillOfLowEntropy) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  int64_t drawn = 0;
  const Problem problem(4096, [&] { return drawn++ % 4 == 0 ? uniform(random) : 0.1f; });
  EXPECT_EQ(problem.Judged(problem.Computed(Forward)).judge, Judge::kComputed);
}

TEST(SharpLimit, IsOnlyForThoseWhoAskForIt) { EXPECT_FALSE(Mixed(1000, 1).Allowed(Limits::kSound).sharp); }

}  // namespace
}  // namespace plumb::conformance
