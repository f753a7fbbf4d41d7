#include "conformance/suites/drawn_cases.h"

#include <gtest/gtest.h>

#include <set>

#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

void ExpectSame(const DrawnCases::Cases& actual, const DrawnCases::Cases& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t c = 0; c < actual.size(); ++c) {
    EXPECT_EQ(actual[c].label, expected[c].label);
    EXPECT_EQ(actual[c].attrs, expected[c].attrs);
    ASSERT_EQ(actual[c].inputs.size(), expected[c].inputs.size());
    for (size_t i = 0; i < actual[c].inputs.size(); ++i) {
      EXPECT_TRUE(actual[c].inputs[i].BitwiseEquals(expected[c].inputs[i])) << actual[c].label;
    }
  }
}

TEST(DrawnCases, AreThoseOfTheirSeedAndSizeAndDrawnOnce) {
  const OpDef& op = GetOp("MatMul");
  const AttrMap types = {{"T", DType::kFloat}};
  constexpr int64_t kVolume = 1 << 12;
  DrawnCases cases(op, types);
  std::set<const DrawnCases::Cases*> all;
  for (const uint64_t seed : {1, 2}) {
    const auto small = cases.Small(seed), by_one = cases.Large(seed, kVolume, true);
    const auto empty = cases.Empty(seed), lengthy = cases.Long(seed), large = cases.Large(seed, kVolume, false);
    ExpectSame(*small, SampleInputs(op, types, seed));
    ExpectSame(*empty, SampleEmptyInputs(op, types, seed));
    ExpectSame(*lengthy, SampleLongInputs(op, types, seed));
    ExpectSame(*large, SampleLargeInputs(op, types, seed, kVolume));
    ExpectSame(*by_one, SampleLargeInputs(op, types, seed, kVolume, true));
    ExpectSame(*cases.Large(seed, 2 * kVolume, false), SampleLargeInputs(op, types, seed, 2 * kVolume));
    EXPECT_EQ(cases.Small(seed), small);
    EXPECT_EQ(cases.Empty(seed), empty);
    EXPECT_EQ(cases.Long(seed), lengthy);
    EXPECT_EQ(cases.Large(seed, kVolume, false), large);
    EXPECT_EQ(cases.Large(seed, kVolume, true), by_one);
    for (const auto& each : {small, by_one, empty, lengthy, large}) all.insert(each.get());
  }
  EXPECT_EQ(all.size(), 10u);
}

}  // namespace
}  // namespace plumb::conformance
