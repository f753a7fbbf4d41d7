#include "conformance/report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status.h"

namespace plumb::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Summary SummaryOf(const std::vector<CaseResult>& cases) { return Summarize({{"file", "cpu", cases}}, {"cpu"}); }

TEST(Summary, ARunThatComparedSomethingAndFailedNowhereIsGreen) {
  const Summary summary = SummaryOf({{"a", "cpu", Outcome::kPassed, "exact", "", 1},
                                     {"b", "cpu", Outcome::kUnsupported, "", "Op"},
                                     {"c", "cpu", Outcome::kDeviation, "exact", "known", 1}});
  EXPECT_TRUE(summary.green());
  EXPECT_EQ(summary.ExitCode(), 0);
}

TEST(Summary, AFailureIsNotGreen) {
  const Summary summary =
      SummaryOf({{"a", "cpu", Outcome::kPassed, "exact", "", 1}, {"b", "cpu", Outcome::kFailed, "exact", "", 1}});
  EXPECT_EQ(summary.ExitCode(), 1);
  EXPECT_TRUE(summary.objections.empty());
}

TEST(Summary, ARunInWhichNothingMatchedIsNotGreen) {
  const Summary summary = SummaryOf({});
  EXPECT_EQ(summary.ExitCode(), 1);
  EXPECT_THAT(summary.objections, ElementsAre(HasSubstr("no case matched")));
}

TEST(Summary, ARunInWhichNothingWasComparedIsNotGreen) {
  const Summary summary = SummaryOf({{"a", "cpu", Outcome::kUnsupported, "", "Op"}});
  EXPECT_EQ(summary.ExitCode(), 1);
  EXPECT_THAT(summary.objections, ElementsAre(HasSubstr("nothing was compared")));
}

TEST(Summary, EachBackendHasToCompareSomething) {
  const std::vector<FileResults> files = {{"file", "cpu", {{"a", "cpu", Outcome::kPassed, "exact", "", 1}}}};
  const Summary summary = Summarize(files, {"cpu", "reference"});
  EXPECT_THAT(summary.objections, ElementsAre(HasSubstr("reference: no case matched")));
}

TEST(Summary, AStaleLineOfTheLedgerIsNotGreen) {
  Summary summary = SummaryOf({{"a", "cpu", Outcome::kPassed, "exact", "", 1}});
  const Ledger ledger("cpu | b | exact | it differs\nsim | c | exact | it differs");
  HoldAgainst(ledger, {"cpu"}, &summary);
  EXPECT_EQ(summary.ExitCode(), 1);
  EXPECT_THAT(summary.objections, ElementsAre(HasSubstr("cpu | b | exact")));
}

TEST(Floor, AFallBelowItIsNotGreen) {
  const Floor floor(R"({"golden cpu": {"passed": 10, "points": 3}, "ops cpu": {"passed": 5}})");
  Summary summary = SummaryOf({{"a", "cpu", Outcome::kPassed, "exact", "", 1}});
  HoldAgainst(floor, {{"golden cpu", {{"passed", 10}, {"points", 3}}}}, &summary);
  HoldAgainst(floor, {{"golden cpu", {{"passed", 11}, {"points", 4}, {"new", 1}}}}, &summary);
  HoldAgainst(floor, {{"golden sim", {{"passed", 0}}}}, &summary);
  EXPECT_TRUE(summary.green());
  HoldAgainst(floor, {{"golden cpu", {{"passed", 9}}}}, &summary);
  EXPECT_THAT(summary.objections,
              ElementsAre("golden cpu: 9 passed, the floor is 10", "golden cpu: 0 points, the floor is 3"));
}

TEST(Floor, OnlyRises) {
  Floor floor(R"({"golden cpu": {"passed": 10}})");
  EXPECT_FALSE(floor.Raise("golden cpu", {{"passed", 9}}));
  EXPECT_FALSE(floor.Raise("golden cpu", {{"passed", 10}}));
  EXPECT_TRUE(floor.Raise("golden cpu", {{"passed", 12}}));
  EXPECT_TRUE(floor.Raise("ops cpu", {{"passed", 0}}));
  const Floor again(floor.ToJson());
  EXPECT_EQ(again.Below("golden cpu", {{"passed", 11}}).size(), 1u);
  EXPECT_TRUE(again.Below("golden cpu", {{"passed", 12}}).empty());
}

TEST(Floor, AnythingElseIsRefused) {
  for (const char* json : {"", "[", "[]", "{\"golden cpu\": 3}", "{\"golden cpu\": {\"passed\": \"all\"}}",
                           "{\"golden cpu\": {\"passed\": 1.5}}"}) {
    EXPECT_THROW(Floor{json}, Error) << json;
  }
}

}  // namespace
}  // namespace plumb::conformance
