#include "conformance/report/result.h"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "spec/files/file_pattern.h"

namespace plumb::conformance {
namespace {

const std::vector<FileResults> kFiles = {{"f",
                                          "cpu",
                                          {{"a", "cpu", Outcome::kPassed, "exact", "", 5},
                                           {"b", "cpu", Outcome::kFailed, "bound", "at \xff", 2, "plumb again", 0.5},
                                           {"c", "cpu", Outcome::kUnsupported, "", "Op"},
                                           {"d", "cpu", Outcome::kDeviation, "status", "known", 1},
                                           {"e", "cpu", Outcome::kElsewhere, "exact", "on the host", 3}}},
                                         {"f", "reference", {{"a", "reference", Outcome::kPassed, "exact", "", 7}}}};

TEST(Report, HasTotalsAndCases) {
  const auto report = nlohmann::json::parse(ReportJson({kFiles[0]}));
  EXPECT_EQ(
      report["totals"],
      (nlohmann::json{
          {"passed", 1}, {"failed", 1}, {"unsupported", 1}, {"deviations", 1}, {"elsewhere", 1}, {"compared", 7}}));
  ASSERT_EQ(report["cases"].size(), 5u);
  EXPECT_EQ(report["cases"][1]["name"], "b");
  EXPECT_EQ(report["cases"][1]["outcome"], "failed");
  EXPECT_EQ(report["cases"][1]["gate"], "bound");
  EXPECT_EQ(report["cases"][1]["reproduce"], "plumb again");
  EXPECT_EQ(report["cases"][3]["outcome"], "deviation");
  EXPECT_EQ(report["cases"][1]["seconds"], 0.5);
  EXPECT_FALSE(report["cases"][3].contains("reproduce"));
  EXPECT_FALSE(report["cases"][3].contains("seconds"));
  EXPECT_FALSE(report.contains("coverage"));
}

TEST(Report, SaysOfEachCaseWhatItSaysOfItself) {
  const auto cases = nlohmann::json::parse(ReportJson(kFiles))["cases"];
  ASSERT_EQ(cases.size(), 6u);
  const nlohmann::json failed = {{"name", "b"},     {"backend", "cpu"},      {"outcome", "failed"},
                                 {"gate", "bound"}, {"detail", "at \ufffd"}, {"reproduce", "plumb again"},
                                 {"seconds", 0.5}};
  EXPECT_EQ(cases[1], failed);
  EXPECT_EQ(cases[5]["name"], "a");
  EXPECT_EQ(cases[5]["backend"], "reference");
  const char* outcomes[] = {"passed", "failed", "unsupported", "deviation", "elsewhere", "passed"};
  for (size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(cases[i]["outcome"], outcomes[i]) << i;
}

TEST(Report, SaysWhichFetchesAreAliases) {
  CaseResult result{"a", "reference", Outcome::kPassed, "exact", "", 2};
  result.aliases = {"v:0", "same:0"};
  const auto report = nlohmann::json::parse(ReportJson({{"f", "reference", {result, kFiles[1].cases[0]}}}));
  EXPECT_EQ(report["cases"][0]["aliases"], (nlohmann::json{"v:0", "same:0"}));
  EXPECT_FALSE(report["cases"][1].contains("aliases"));
}

TEST(Report, SaysWhatWasNotCovered) {
  const auto report = nlohmann::json::parse(ReportJson({}, {{"attributes", {{"x", "y"}, {"z"}, {"r"}}}}));
  EXPECT_EQ(report["coverage"]["attributes"],
            (nlohmann::json{{"covered", {"x", "y"}}, {"missing", {"z"}}, {"refused", {"r"}}}));
}

TEST(Totals, AreOfOneBackendOrOfAll) {
  EXPECT_EQ(TotalsOf(kFiles).passed, 2);
  EXPECT_EQ(TotalsOf(kFiles, "reference").passed, 1);
  EXPECT_EQ(TotalsOf(kFiles, "reference").compared, 7);
  EXPECT_EQ(TotalsOf(kFiles, "cpu").cases(), 5);
  EXPECT_EQ(TotalsOf(kFiles, "sim").cases(), 0);
}

TEST(Totals, KnowWhatChanceDecides) {
  CaseResult drawn{"d", "cpu", Outcome::kPassed, "exact", "", 9}, deviation{"e", "cpu", Outcome::kDeviation, "", "", 4};
  drawn.by_chance = 9, deviation.by_chance = 4;
  const Totals totals = TotalsOf({{"f", "cpu", {drawn, deviation, kFiles[0].cases[0]}}});
  EXPECT_EQ(totals.compared, 14);
  EXPECT_EQ(totals.by_chance, 9);
}

TEST(CommandLine, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(CommandLine({"conformance", "ops", "--filter", "Add/T=float32"}),
            "plumb conformance ops --filter Add/T=float32");
  EXPECT_EQ(CommandLine({"a b", "it's", "x*", ""}), "plumb 'a b' 'it'\\''s' 'x*' ''");
}

TEST(FilterFor, MatchesItsNameAlone) {
  for (const char* name : {"plain/0", "with[0]", "a*b?c", "back\\slash"}) {
    EXPECT_EQ(fnmatch(LiteralPattern(name).c_str(), name, 0), 0) << name;
  }
  EXPECT_NE(fnmatch(LiteralPattern("a*").c_str(), "ab", 0), 0);
  EXPECT_NE(fnmatch(LiteralPattern("[ab]").c_str(), "a", 0), 0);
}

}  // namespace
}  // namespace plumb::conformance
