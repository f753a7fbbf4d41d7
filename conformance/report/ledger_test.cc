#include "conformance/report/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status.h"

namespace plumb::conformance {
namespace {

CaseResult Failing(const std::string& name, const std::string& backend, const std::string& gate) {
  return {name, backend, Outcome::kFailed, gate, "at [0]"};
}

Outcome Forgiven(Ledger& ledger, CaseResult result) {
  ledger.Apply(&result);
  return result.outcome;
}

TEST(Ledger, TurnsKnownFailuresIntoDeviations) {
  Ledger ledger(
      "# why\ncpu | a/*/0 | exact | it differs\n\ncpu | never | exact | stale\nreference | b | exact | other\n");
  EXPECT_EQ(Forgiven(ledger, Failing("a/test/0", "cpu", "exact")), Outcome::kDeviation);
  EXPECT_EQ(Forgiven(ledger, Failing("a/test/1", "cpu", "exact")), Outcome::kFailed);
  EXPECT_EQ(Forgiven(ledger, Failing("a/test/0", "reference", "exact")), Outcome::kFailed);
  EXPECT_EQ(ledger.Unused({"cpu"}), std::vector<std::string>{"cpu | never | exact"});
  EXPECT_EQ(ledger.Unused({"cpu", "reference"}).size(), 2u);
}

// Each of them has to need it.
TEST(Ledger, ALineMayNameSeveralBackends) {
  Ledger ledger("reference, cpu | a | exact | it differs");
  EXPECT_EQ(Forgiven(ledger, Failing("a", "cpu", "exact")), Outcome::kDeviation);
  EXPECT_EQ(Forgiven(ledger, Failing("a", "sim", "exact")), Outcome::kFailed);
  EXPECT_EQ(ledger.Unused({"reference", "cpu"}), std::vector<std::string>{"reference | a | exact"});
  EXPECT_EQ(Forgiven(ledger, Failing("a", "reference", "exact")), Outcome::kDeviation);
  EXPECT_TRUE(ledger.Unused({"reference", "cpu"}).empty());
}

TEST(Ledger, ALineForgivesItsGateAlone) {
  Ledger ledger("cpu | a | bound | it differs");
  for (const char* gate : {"crash", "status", "type", "exact", "effect", ""}) {
    EXPECT_EQ(Forgiven(ledger, Failing("a", "cpu", gate)), Outcome::kFailed) << gate;
  }
  EXPECT_EQ(ledger.Unused({"cpu"}).size(), 1u);
  EXPECT_EQ(Forgiven(ledger, Failing("a", "cpu", "bound")), Outcome::kDeviation);
  EXPECT_TRUE(ledger.Unused({"cpu"}).empty());
}

// Of each gate, that of variables and races as well.
TEST(Ledger, ALineThatForgaveNothingIsStale) {
  for (const char* gate : {"status", "type", "exact", "bound", "effect"}) {
    Ledger ledger(Str("cpu | races/a | ", gate, " | either may come first"));
    EXPECT_EQ(ledger.Unused({"cpu"}), std::vector<std::string>{Str("cpu | races/a | ", gate)});
    EXPECT_EQ(Forgiven(ledger, Failing("races/a", "cpu", gate)), Outcome::kDeviation);
    EXPECT_TRUE(ledger.Unused({"cpu"}).empty());
  }
}

// Neither a backend that passes nor one that lacks an op uses a line up.
TEST(Ledger, OnlyFailuresUseALine) {
  Ledger ledger("cpu | a | exact | it differs");
  EXPECT_EQ(Forgiven(ledger, {"a", "cpu", Outcome::kPassed, "exact", ""}), Outcome::kPassed);
  EXPECT_EQ(Forgiven(ledger, {"a", "cpu", Outcome::kUnsupported, "exact", ""}), Outcome::kUnsupported);
  EXPECT_EQ(ledger.Unused({"cpu"}).size(), 1u);
}

TEST(Ledger, TheDeviationSaysWhyAndWhat) {
  Ledger ledger("cpu | a | exact | one | or the other");
  CaseResult result = Failing("a", "cpu", "exact");
  ledger.Apply(&result);
  EXPECT_EQ(result.detail, "one | or the other [at [0]]");
}

// Comments and empty lines count; a last line needs no end.
TEST(Ledger, TheLineThatIsRefusedIsNamed) {
  const auto refused = [](const char* text) {
    try {
      Ledger{text};
      return std::string("nothing");
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
      return error.status().message();
    }
  };
  using testing::HasSubstr;
  EXPECT_THAT(refused("cpu | a"), HasSubstr("deviations, line 1: expected 'backends | case | gate | reason'"));
  EXPECT_THAT(refused("# why\n\n \t\ncpu | a | exact | it differs\ncpu | a"), HasSubstr("deviations, line 5: "));
  EXPECT_THAT(refused("\ncpu | a | crash | it crashes\n"), HasSubstr("deviations, line 2: 'crash' is no gate"));
  EXPECT_EQ(refused("# a\n  # b | c\n\n"), "nothing");
}

// The first line that fits is the one that is used; blanks around names are no part of them.
TEST(Ledger, TheFirstLineThatFitsForgives) {
  Ledger ledger("  cpu\t,  sim | a* |exact|  one \r\ncpu | ab | exact | two\n");
  CaseResult result = Failing("ab", "cpu", "exact");
  ledger.Apply(&result);
  EXPECT_EQ(result.detail, "one [at [0]]");
  EXPECT_EQ(ledger.Unused({"cpu", "sim"}), (std::vector<std::string>{"sim | a* | exact", "cpu | ab | exact"}));
  EXPECT_EQ(Forgiven(ledger, Failing("a", "sim", "exact")), Outcome::kDeviation);
  EXPECT_EQ(ledger.Unused({"cpu", "sim"}), std::vector<std::string>{"cpu | ab | exact"});
}

TEST(Ledger, ALineOfAnotherFormIsRefused) {
  for (const char* line :
       {"cpu", "cpu | a/test/0", "cpu | a/test/0 | it differs", "cpu | a/test/0 | exact | ",
        "cpu | | exact | it differs", "cpu | a | crash | it crashes", "cpu | a | any | it differs"}) {
    EXPECT_THROW(Ledger{line}, Error) << line;
  }
}

}  // namespace
}  // namespace plumb::conformance
