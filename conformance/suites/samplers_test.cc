// What the suites feed is itself judged: by what the samplers promise (spec/samples/values.h, spec/samples/sample.h).
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "conformance/compare/elements.h"
#include "spec/ops/catalogue.h"
#include "spec/samples/sample.h"
#include "spec/samples/values.h"

namespace plumb::conformance {
namespace {

constexpr int64_t kMany = 20000;
constexpr DType kFloats[] = {DType::kHalf, DType::kBfloat16, DType::kFloat, DType::kDouble};

std::vector<double> Drawn(DType type, const ValueRange& range) {
  SampleRandom random(1);
  return ToDoubles(RandomTensor(type, {kMany}, range, random));
}

// A share of n draws with this chance, within six deviations.
bool IsShare(double count, double chance) {
  return std::fabs(count - kMany * chance) < 6 * std::sqrt(kMany * chance * (1 - chance));
}
double CountOf(const std::vector<double>& numbers, const std::function<bool(double)>& counts) {
  double count = 0;
  for (const double x : numbers) count += counts(x) ? 1 : 0;
  return count;
}

// What speaks against ordinary numbers: of either sign alike, magnitudes spread over eight binades; empty: nothing.
std::string Objection(const std::vector<double>& numbers) {
  std::map<int, double> binades;
  std::set<double> different(numbers.begin(), numbers.end());
  for (const double x : numbers) {
    if (!(std::fabs(x) >= 1.0 / 16 && std::fabs(x) <= 16)) return "not ordinary";
    ++binades[std::min(3, std::ilogb(x))];
  }
  if (!IsShare(CountOf(numbers, [](double x) { return x < 0; }), 0.5)) return "one sign";
  for (int binade = -4; binade <= 3; ++binade) {
    if (std::fabs(binades[binade] - kMany / 8.0) > kMany / 32.0) return "a binade is left out";
  }
  return different.size() < 1000 ? "few numbers" : "";
}

TEST(Samplers, OrdinaryNumbersAreSpreadOverSignsAndSizes) {
  for (const DType type : kFloats) EXPECT_EQ(Objection(Drawn(type, {})), "") << DTypeName(type);
}

TEST(Samplers, WhatIsNotOrdinaryIsNoticed) {
  const std::vector<double> honest = Drawn(DType::kFloat, {});
  const auto spoiled = [&](const std::function<double(double)>& spoil) {
    std::vector<double> numbers = honest;
    for (double& x : numbers) x = spoil(x);
    return Objection(numbers);
  };
  EXPECT_EQ(spoiled([](double) { return 0; }), "not ordinary");
  EXPECT_EQ(spoiled([](double) { return 1; }), "one sign");
  EXPECT_EQ(spoiled([](double x) { return std::fabs(x); }), "one sign");
  EXPECT_EQ(spoiled([](double x) { return std::copysign(1 + std::fabs(x) / 32, x); }), "a binade is left out");
  EXPECT_EQ(spoiled([](double x) { return std::copysign(std::exp2(std::ilogb(x)), x); }), "few numbers");
}

// One in six, each kind alike.
TEST(Samplers, SpecialNumbersComeUpAllOfThem) {
  for (const DType type : kFloats) {
    const double tiny = SmallestNormal(type), huge = Largest(type);
    for (const Specials specials : {Specials::kNoExtremes, Specials::kAll}) {
      const double chance = 1.0 / 6 / (specials == Specials::kAll ? 9 : 7);
      ValueRange range;
      range.specials = specials;
      const std::vector<double> numbers = Drawn(type, range);
      const auto is_drawn = [&](const std::function<bool(double)>& kind) {
        return IsShare(CountOf(numbers, kind), chance);
      };
      EXPECT_TRUE(is_drawn([](double x) { return std::isnan(x); })) << DTypeName(type);
      EXPECT_TRUE(is_drawn([](double x) { return x == INFINITY; }));
      EXPECT_TRUE(is_drawn([](double x) { return x == -INFINITY; }));
      EXPECT_TRUE(is_drawn([](double x) { return x == 0 && std::signbit(x); }));
      EXPECT_TRUE(is_drawn([](double x) { return x == 0 && !std::signbit(x); }));
      EXPECT_TRUE(is_drawn([=](double x) { return x > 0 && x < tiny; }));
      EXPECT_TRUE(is_drawn([=](double x) { return x == -tiny; }));
      const bool extremes = specials == Specials::kAll;
      EXPECT_EQ(is_drawn([=](double x) { return x == huge; }), extremes);
      EXPECT_EQ(is_drawn([=](double x) { return x == -huge; }), extremes);
    }
  }
}

TEST(Samplers, IntegersReachBothEnds) {
  SampleRandom random(1);
  ValueRange range;
  range.specials = Specials::kAll;
  const Tensor tensor = RandomTensor(DType::kInt8, {kMany}, range, random);
  std::set<int> seen;
  for (const int8_t x : tensor.data<int8_t>()) seen.insert(x);
  for (const int x : {-128, 127, 0}) EXPECT_TRUE(seen.contains(x)) << x;
  for (int x = -9; x <= 9; ++x) EXPECT_TRUE(seen.contains(x)) << x;
}

TEST(Samplers, PermutationsAreEvenlyDrawn) {
  SampleRandom random(1);
  std::map<std::vector<int32_t>, double> counts;
  for (int64_t i = 0; i < kMany; ++i) {
    const Tensor tensor = RandomPermutation(DType::kInt32, {3}, random);
    ++counts[{tensor.data<int32_t>().begin(), tensor.data<int32_t>().end()}];
  }
  EXPECT_EQ(counts.size(), 6u);
  for (const auto& [order, count] : counts) EXPECT_TRUE(IsShare(count, 1.0 / 6)) << order[0] << order[1] << order[2];
}

// Scalars, and handles, are what they are.
void CountElements(const Tensor& tensor, int64_t* most) {
  if (tensor.IsSet() && tensor.rank() > 0) *most = std::max(*most, tensor.elements());
}

// Each op that can be tried, and takes more than scalars, gets inputs with more than one element.
TEST(Samplers, EveryOpGetsSomethingToTellItsElementsApart) {
  std::string dull;
  for (const OpDef* op : AllOps()) {
    if (!CanSample(*op) || op->inputs.empty()) continue;
    int64_t most = -1;  // no input with a dimension
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      for (const SampledCase& sampled : SampleInputs(*op, {}, seed)) {
        for (const Tensor& input : sampled.inputs) CountElements(input, &most);
        for (const auto* nodes : {&sampled.before, &sampled.after}) {
          for (const SampledNode& node : *nodes) {
            for (const SampledInput& input : node.inputs) {
              if (const Tensor* value = std::get_if<Tensor>(&input)) CountElements(*value, &most);
            }
          }
        }
      }
    }
    if (most == 0 || most == 1) dull += op->name + " ";
  }
  EXPECT_EQ(dull, "");
}

TEST(Samplers, LongInputsAreLongInEachNameInTurn) {
  const auto cases = SampleLongInputs(GetOp("MatMul"), {{"T", DType::kFloat}}, 1);
  std::set<size_t> long_dims;
  for (const SampledCase& sampled : cases) {
    const Shape &a = sampled.inputs.at(0).shape(), &b = sampled.inputs.at(1).shape();
    const int64_t dims[] = {a.dim(0), a.dim(1), b.dim(0), b.dim(1)};
    int count = 0;
    for (size_t i = 0; i < 4; ++i) {
      if (dims[i] < 1024) continue;
      EXPECT_LT(dims[i], 2048);
      long_dims.insert(i);
      ++count;
    }
    EXPECT_GE(count, 1);
    EXPECT_LE(count, 2);  // a name may stand in both
  }
  EXPECT_EQ(long_dims.size(), 4u);
}

}  // namespace
}  // namespace plumb::conformance
