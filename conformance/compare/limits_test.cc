// Both sides of what decides how the comparator judges a number.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conformance/compare/compare.h"

namespace plumb::conformance {
namespace {

using reference::Value;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kLeast = std::numeric_limits<float>::min();  // the smallest normal number

Value Bounded(std::initializer_list<float> values, std::initializer_list<double> bounds) {
  return {MakeVector<float>(values), std::make_shared<const std::vector<double>>(bounds), nullptr};
}
Samples Sampled(std::vector<Tensor> samples) {
  return [samples = std::move(samples)] { return samples; };
}
Samples Unwanted() {
  return []() -> std::vector<Tensor> { throw Internal("sampled without need"); };
}
Verdict Judged(std::initializer_list<float> actual, const Value& expected, const Samples& samples = {},
               const Profile& profile = {}) {
  return Compare(MakeVector<float>(actual), expected, samples, profile);
}

TEST(Names, AreThoseOfTheReportsAndTheLedger) {
  const std::pair<Gate, const char*> gates[] = {
      {Gate::kNone, ""},       {Gate::kCrash, "crash"}, {Gate::kStatus, "status"}, {Gate::kType, "type"},
      {Gate::kExact, "exact"}, {Gate::kBound, "bound"}, {Gate::kEffect, "effect"}};
  for (const auto& [gate, name] : gates) EXPECT_EQ(GateName(gate), name);
  const std::pair<Judge, const char*> judges[] = {{Judge::kExact, "exact"},
                                                  {Judge::kComputed, "computed bound"},
                                                  {Judge::kSharp, "sharp limit"},
                                                  {Judge::kMeasured, "measured sensitivity"}};
  for (const auto& [judge, name] : judges) EXPECT_EQ(JudgeName(judge), name);
}

TEST(Judges, AreNamedByWhatSetTheLimit) {
  Value sharp = Bounded({1}, {1e-6});
  sharp.sharp = true;
  EXPECT_EQ(Judged({1}, sharp).judge, Judge::kSharp);
  EXPECT_EQ(Judged({1}, Bounded({1}, {1e-6})).judge, Judge::kComputed);
  EXPECT_EQ(Judged({1}, Value(MakeVector<float>({1}))).judge, Judge::kExact);
}

// A hundredth of the largest finite number of the tensor, here of 100, is the largest bound that says something.
TEST(AUsefulBound, IsAHundredthOfTheScale) {
  const auto expected = [](double bound) { return Bounded({-100, 1, kInf, 2}, {0, bound, 0, 0}); };
  const Verdict useful = Judged({-100, 1.5F, kInf, 2}, expected(1), Unwanted());
  EXPECT_TRUE(useful.ok()) << useful.detail;
  EXPECT_EQ(useful.judge, Judge::kComputed);
  const Samples samples = Sampled({MakeVector<float>({-100, 1.25F, kInf, 2})});
  const Verdict vague = Judged({-100, 1.5F, kInf, 2}, expected(std::nextafter(1.0, 2.0)), samples);
  EXPECT_TRUE(vague.ok()) << vague.detail;
  EXPECT_EQ(vague.judge, Judge::kMeasured);
}

TEST(AUsefulBound, LeavesNoRoomForAnotherClass) {
  const Verdict broken = Judged({kNan, 1}, Bounded({100, 1}, {0.5, 0}), Unwanted());
  EXPECT_EQ(broken.failed, Gate::kBound);
}

// What a sample shows of one number says nothing of another.
TEST(AnotherClass, IsRightWhereASampleShowsIt) {
  const Value vague = Bounded({1, 100}, {60, 60});
  const Samples samples = Sampled({MakeVector<float>({kNan, 100}), MakeVector<float>({1, 99})});
  EXPECT_TRUE(Judged({kNan, 100}, vague, samples).ok());
  EXPECT_EQ(Judged({kNan, 100}, vague, samples).compared, 2);
  EXPECT_FALSE(Judged({1, kNan}, vague, samples).ok());
  // Where a sample is NaN, an infinity may come out too, but nothing is known of the number.
  EXPECT_TRUE(Judged({kInf, 100}, vague, samples).ok());
  EXPECT_EQ(Judged({kInf, 100}, vague, samples).compared, 1);
  EXPECT_FALSE(Judged({1, kInf}, vague, samples).ok());
}

TEST(AnotherClass, IsRightWhereTheBoundReachesInfinityFromEitherSide) {
  EXPECT_TRUE(Judged({kMax}, Bounded({kInf}, {1e-6 * kMax})).ok());
  EXPECT_FALSE(Judged({kMax / 2}, Bounded({kInf}, {1e-6 * kMax})).ok());
  EXPECT_FALSE(Judged({-kMax}, Bounded({kInf}, {1e-6 * kMax})).ok());
  EXPECT_FALSE(Judged({kMax}, Bounded({kInf}, {0})).ok());
  // Beside another number.
  EXPECT_TRUE(Judged({1, kMax}, Bounded({1, kInf}, {0, 1e-6 * kMax})).ok());
  EXPECT_TRUE(Judged({1, kInf}, Bounded({1, kMax}, {0, 1e-6 * kMax})).ok());
  EXPECT_FALSE(Judged({kInf, 1}, Bounded({1, kMax}, {0, 1e-6 * kMax})).ok());
}

TEST(Samples, OfAnotherTypeAreNone) {
  const Samples samples = Sampled({MakeVector<double>({100.5})});
  const Verdict verdict = Judged({149}, Bounded({100}, {50}), samples);
  EXPECT_TRUE(verdict.ok());
  EXPECT_EQ(verdict.judge, Judge::kComputed);
  EXPECT_FALSE(Judged({151}, Bounded({100}, {50}), samples).ok());
}

// The second sample has moved the first number by 1, and the other one not at all: each has a spread of its own.
TEST(Samples, AreTakenNumberByNumber) {
  const Samples samples = Sampled({MakeVector<float>({100, 100}), MakeVector<float>({101, 140})});
  const Value vague = Bounded({100, 100}, {50, 500});
  EXPECT_TRUE(Judged({106, 339}, vague, samples).ok());  // six spreads of 1, and of 40
  EXPECT_FALSE(Judged({108, 339}, vague, samples).ok());
  EXPECT_FALSE(Judged({106, 341}, vague, samples).ok());
}

TEST(Flushing, ReachesToTheSmallestNormalNumber) {
  const Value tiny = Bounded({2 * kLeast}, {1e-47});
  EXPECT_TRUE(Judged({kLeast}, tiny).ok());
  EXPECT_FALSE(Judged({std::nextafter(kLeast, 0.0F)}, tiny).ok());
  EXPECT_EQ(Judged({kLeast}, tiny).worst, 0) << "what is flushed is no error";
}

TEST(SignedZeros, AreEqualToThemselves) {
  const Profile signed_zeros{.signed_zeros = true};
  for (const float zero : {0.0F, -0.0F}) {
    EXPECT_TRUE(Judged({zero}, Bounded({zero}, {0}), {}, signed_zeros).ok());
    EXPECT_FALSE(Judged({zero}, Bounded({-zero}, {1}), {}, signed_zeros).ok()) << "however wide the bound";
  }
  EXPECT_TRUE(Judged({1}, Bounded({1}, {0}), {}, signed_zeros).ok());
}

TEST(Worst, IsTheLargestErrorInBounds) {
  EXPECT_EQ(Judged({8.03125F, 8.015625F}, Bounded({8, 8}, {0.0625, 0.0625})).worst, 0.5);
  EXPECT_EQ(Judged({8.015625F, 8.03125F}, Bounded({8, 8}, {0.0625, 0.0625})).worst, 0.5);
}

TEST(Complex, NumbersThatAreOpenCountOnce) {
  using Complex = std::complex<float>;
  const Value expected{MakeVector<Complex>({{1, 2}, {3, 4}}),
                       std::make_shared<const std::vector<double>>(std::vector<double>{kInf, kInf, 0, 0}), nullptr};
  const Verdict verdict = Compare(MakeVector<Complex>({{5, 6}, {3, 4}}), expected, {});
  EXPECT_TRUE(verdict.ok());
  EXPECT_EQ(verdict.compared, 1);
}

// The parts of a number belong together, those of two numbers do not.
TEST(Complex, ABrokenNumberExcusesNoOther) {
  using Complex = std::complex<float>;
  const auto judged = [](Complex a, Complex b, Complex c, Complex d) {
    return Compare(MakeVector<Complex>({a, b}), Value(MakeVector<Complex>({c, d})), {}).ok();
  };
  EXPECT_TRUE(judged({1, 2}, {kInf, kNan}, {1, 2}, {3, kInf}));
  EXPECT_FALSE(judged({1, 2}, {kInf, 4}, {1, kInf}, {3, 4}));
}

TEST(Bounds, AreAsManyAsNumbers) {
  try {
    Judged({1, 2}, Bounded({1, 2}, {0}));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInternal);
  }
}

TEST(Details, SayWhatAndWhereAndHowMany) {
  EXPECT_EQ(CompareExact(MakeVector<int32_t>({1, 5, 6}), MakeVector<int32_t>({1, 2, 3})).detail,
            "at [1] actual {5}, expected {2}; 2 of 3 elements differ");
  EXPECT_EQ(CompareExact(MakeVector<int32_t>({1, 5, 3}), MakeVector<int32_t>({1, 2, 3}), {"mine", "theirs"}).detail,
            "at [1] mine {5}, theirs {2}");
  EXPECT_EQ(CompareExact(MakeVector<int32_t>({1, 5}), MakeVector<int32_t>({1, 5})).compared, 2);
  EXPECT_EQ(CompareType(MakeVector<float>({1, 2}), MakeVector<double>({1, 2, 3})).detail,
            "actual float32[2], expected float64[3]");
  Value alias(MakeVector<int32_t>({1}));
  EXPECT_EQ(Compare(MakeVector<int32_t>({2}), alias, {}).detail, "at [0] actual {2}, expected {1}");
  alias.was_alias = true;
  EXPECT_EQ(Compare(MakeVector<int32_t>({2}), alias, {}).detail,
            "at [0] actual {2}, expected {1}; an alias of a variable, to be read when the step is over (rule F28)");
}

}  // namespace
}  // namespace plumb::conformance
