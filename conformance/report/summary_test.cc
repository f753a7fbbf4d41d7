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
  ASSERT_EQ(summary.failed.size(), 1u);
  EXPECT_EQ(summary.failed[0].name, "b");
}

TEST(Summary, AnObjectionAloneIsNotGreen) {
  Summary summary = SummaryOf({{"a", "cpu", Outcome::kPassed, "exact", "", 1}});
  EXPECT_TRUE(summary.green());
  summary.objections.push_back("it fell");
  EXPECT_FALSE(summary.green());
  EXPECT_EQ(summary.ExitCode(), 1);
}

TEST(Summary, ARunInWhichNothingMatchedIsNotGreen) {
  const Summary summary = SummaryOf({});
  EXPECT_EQ(summary.ExitCode(), 1);
  EXPECT_THAT(summary.objections, ElementsAre(HasSubstr("no case matched")));
}

TEST(Summary, ARunInWhichNothingWasComparedIsNotGreen) {
  const Summary summary = SummaryOf({{"a", "cpu", Outcome::kUnsupported, "", "Op"}});
  EXPECT_EQ(summary.ExitCode(), 1);
  EXPECT_THAT(summary.objections, ElementsAre("cpu: nothing was compared, in 1 cases"));
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
  HoldAgainst(floor, {{"golden cpu", {{{"passed", 10}, {"points", 3}}}}}, &summary);
  HoldAgainst(floor, {{"golden cpu", {{{"passed", 11}, {"points", 4}, {"new", 1}}}}}, &summary);
  HoldAgainst(floor, {{"golden sim", {{{"passed", 0}}}}}, &summary);
  EXPECT_TRUE(summary.green());
  HoldAgainst(floor, {{"golden cpu", {{{"passed", 9}}}}}, &summary);
  EXPECT_THAT(summary.objections,
              ElementsAre("golden cpu: 9 passed, the floor is 10", "golden cpu: 0 points, the floor is 3"));
}

TEST(Floor, LeavesNoRoomBelow) {
  const Floor floor(R"({"golden cpu": {"passed": 5000, "compared": 500000}})");
  EXPECT_TRUE(floor.Below("golden cpu", {{{"passed", 5000}, {"compared", 500000}}}).empty());
  EXPECT_THAT(floor.Below("golden cpu", {{{"passed", 5000}, {"compared", 499999}}}),
              ElementsAre("golden cpu: 499999 compared, the floor is 500000"));
}

Reached Passed(const Counts& by_name) { return {{}, {}, {{"passed", by_name}}}; }

// More cases of one file do not make up for fewer of another, and the message says which has fewer.
TEST(Floor, CountsOfNamesStandEachForItself) {
  Floor floor(R"({"golden cpu": {"passed": {"a_test": 4, "b_test": 7, "c_test": 1}}})");
  EXPECT_TRUE(floor.Below("golden cpu", Passed({{"a_test", 4}, {"b_test", 8}, {"c_test", 1}, {"new", 1}})).empty());
  EXPECT_THAT(floor.Below("golden cpu", Passed({{"a_test", 3}, {"b_test", 20}})),
              ElementsAre("golden cpu: fewer passed: a_test 3, the floor is 4; c_test 0, the floor is 1"));
  EXPECT_EQ(floor.Below("golden cpu", {}).size(), 1u);
  EXPECT_EQ(floor.Below("golden cpu", {{{"passed", 100}}}).size(), 1u) << "nobody knows of which";
  EXPECT_FALSE(floor.Raise("golden cpu", Passed({{"a_test", 3}})));
  EXPECT_TRUE(floor.Raise("golden cpu", Passed({{"a_test", 5}, {"d_test", 2}})));
  EXPECT_EQ(Floor(floor.ToJson()).ToJson(), floor.ToJson());
  EXPECT_THAT(floor.Below("golden cpu", Passed({{"a_test", 4}, {"b_test", 7}, {"c_test", 1}, {"d_test", 1}})),
              ElementsAre("golden cpu: fewer passed: a_test 4, the floor is 5; d_test 1, the floor is 2"));
}

TEST(Floor, ACountIsHeldAgainstTheSumOfNamesUntilItBecomesThem) {
  Floor floor(R"({"golden cpu": {"passed": 10}})");
  EXPECT_EQ(floor.Below("golden cpu", Passed({{"a_test", 4}, {"b_test", 5}})).size(), 1u);
  EXPECT_TRUE(floor.Below("golden cpu", Passed({{"a_test", 4}, {"b_test", 6}})).empty());
  EXPECT_TRUE(floor.Raise("golden cpu", Passed({{"a_test", 4}, {"b_test", 6}})));
  EXPECT_EQ(floor.Below("golden cpu", Passed({{"a_test", 3}, {"b_test", 7}})).size(), 1u);
}

// Another op in its place does not make up for one that fell out, and the message says which it was.
TEST(Floor, NamesMayNotFallOut) {
  const Floor floor(R"({"ops sim": {"ops": ["Add", "MatMul", "Sum"]}})");
  EXPECT_TRUE(floor.Below("ops sim", {{}, {{"ops", {"Add", "MatMul", "Neg", "Sum"}}}}).empty());
  EXPECT_THAT(floor.Below("ops sim", {{}, {{"ops", {"Add", "Div", "Exp", "Neg"}}}}),
              ElementsAre("ops sim: fell out of ops: MatMul; Sum"));
  EXPECT_THAT(floor.Below("ops sim", {}), ElementsAre("ops sim: fell out of ops: Add; MatMul; Sum"));
  EXPECT_THAT(floor.Below("ops sim", {{{"ops", 3}}}), ElementsAre("ops sim: fell out of ops: Add; MatMul; Sum"));
}

TEST(Floor, ACountIsHeldAgainstNamesUntilItBecomesThem) {
  Floor floor(R"({"ops cpu": {"choices": 2}})");
  EXPECT_EQ(floor.Below("ops cpu", {{}, {{"choices", {"cut: small"}}}}).size(), 1u);
  const Reached both = {{}, {{"choices", {"cut: large", "cut: small"}}}};
  EXPECT_TRUE(floor.Below("ops cpu", both).empty());
  EXPECT_TRUE(floor.Raise("ops cpu", both));
  EXPECT_FALSE(floor.Raise("ops cpu", both));
  EXPECT_THAT(floor.Below("ops cpu", {{{"choices", 2}}}), ElementsAre(HasSubstr("cut: large; cut: small")));
}

TEST(Floor, OnlyRises) {
  Floor floor(R"({"golden cpu": {"passed": 10}})");
  EXPECT_FALSE(floor.Raise("golden cpu", {{{"passed", 9}}}));
  EXPECT_FALSE(floor.Raise("golden cpu", {{{"passed", 10}}}));
  EXPECT_TRUE(floor.Raise("golden cpu", {{{"passed", 12}}}));
  EXPECT_TRUE(floor.Raise("ops cpu", {{{"passed", 0}}, {{"ops", {"Add", "Sum"}}}}));
  EXPECT_FALSE(floor.Raise("ops cpu", {{{"passed", 0}}, {{"ops", {"Sum"}}}}));
  EXPECT_TRUE(floor.Raise("ops cpu", {{{"passed", 1}}, {{"ops", {"Sum"}}}})) << "a count alone";
  EXPECT_TRUE(floor.Raise("ops cpu", {{}, {{"passed", {}}}})) << "a count that is names from now on";
  EXPECT_EQ(floor.HeldTo("ops cpu"), "ops cpu");
  EXPECT_EQ(floor.HeldTo("ops sim"), "");
  const Floor again(floor.ToJson());
  EXPECT_EQ(again.Below("golden cpu", {{{"passed", 11}}}).size(), 1u);
  EXPECT_TRUE(again.Below("golden cpu", {{{"passed", 12}}}).empty());
  EXPECT_EQ(again.Below("ops cpu", {{{"passed", 0}}, {{"ops", {"Add"}}}}).size(), 1u);
}

TEST(Floor, RunsWithOtherNumbersOfSeedsAreHeldToOne) {
  Floor floor(R"({"ops cpu": {"passed": 10}, "ops sim --rounds 1": {"passed": 5}})");
  EXPECT_EQ(floor.HeldTo("ops cpu --rounds 1"), "ops cpu");
  EXPECT_EQ(floor.HeldTo("ops sim --rounds 1"), "ops sim --rounds 1");
  EXPECT_EQ(floor.HeldTo("ops sim --rounds 2"), "ops sim --rounds 1");
  EXPECT_EQ(floor.HeldTo("ops sim"), "ops sim --rounds 1");
  EXPECT_EQ(floor.HeldTo("ops reference --rounds 1"), "");
  EXPECT_THAT(floor.Below("ops cpu --rounds 1", {{{"passed", 9}}}),
              ElementsAre("ops cpu --rounds 1: 9 passed, the floor is 10"));
  EXPECT_TRUE(floor.Raise("ops cpu --rounds 1", {{{"passed", 11}}}));
  EXPECT_EQ(floor.Below("ops cpu", {{{"passed", 10}}}).size(), 1u);
  EXPECT_TRUE(floor.Raise("ops sim", {{{"passed", 7}}}));
  EXPECT_TRUE(floor.Below("ops sim --rounds 1", {{{"passed", 5}}}).empty()) << "more seeds may reach more";
  EXPECT_EQ(floor.HeldTo("ops sim"), "ops sim");
}

TEST(Floor, IsWrittenAsItIsRead) {
  Reached reached = {{{"passed", 3}}, {{"none", {}}}};
  for (int i = 100; i < 130; ++i) reached.names["choices"].insert(Str("a \"loop\": ", i));
  Floor floor;
  floor.Raise("ops cpu", reached);
  floor.Raise("ops sim", {{{"passed", 1}}});
  const std::string text = floor.ToJson();
  EXPECT_EQ(Floor(text).ToJson(), text);
  EXPECT_TRUE(Floor(text).Below("ops cpu", reached).empty());
  size_t widest = 0;
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    widest = std::max(widest, end - at);
  }
  EXPECT_LT(widest, 130u);
  EXPECT_GT(widest, 100u);
}

TEST(Floor, AnythingElseIsRefused) {
  for (const char* json :
       {"", "[", "[]", "{\"golden cpu\": 3}", "{\"golden cpu\": {\"passed\": \"all\"}}",
        "{\"golden cpu\": {\"passed\": 1.5}}", "{\"golden cpu\": {\"ops\": [1]}}",
        "{\"golden cpu\": {\"passed\": {\"a_test\": []}}}", "{\"golden cpu\": {\"passed\": {\"a_test\": 1.5}}}"}) {
    EXPECT_THROW(Floor{json}, Error) << json;
  }
}

}  // namespace
}  // namespace plumb::conformance
