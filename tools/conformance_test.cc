// What `plumb conformance` answers to the shell.
#include "tools/conformance.h"

#include <gtest/gtest.h>

#include <map>

#include "spec/core/status.h"

namespace plumb::tools {
namespace {

// Gives a command the values of a command line.
class Given : public Options {
 public:
  explicit Given(std::map<std::string, std::string> values) : values_(std::move(values)) {}
  void Flag(const std::string& names, bool* value, const std::string&) override { *value = values_.contains(names); }
  void Option(const std::string& names, std::string* value, const std::string&) override { *value = values_[names]; }
  void Option(const std::string& names, int* value, const std::string&) override {
    if (values_.contains(names)) *value = std::stoi(values_[names]);
  }
  void Option(const std::string&, double*, const std::string&) override {}
  void Option(const std::string& names, std::vector<std::string>* values, const std::string&) override {
    values->clear();
    if (values_.contains(names)) values->push_back(values_[names]);
  }
  void Argument(const std::string& name, std::string* value, const std::string&) override { *value = values_[name]; }
  void OptionalArgument(const std::string& name, std::string* value, const std::string&) override {
    *value = values_[name];
  }

 private:
  std::map<std::string, std::string> values_;
};

struct Answer {
  int exit_code;
  std::string output;
};
Answer Answered(Command& command, const std::map<std::string, std::string>& values) {
  Given given(values);
  command.Declare(given);
  testing::internal::CaptureStdout();
  const int exit_code = command.Run();
  return {exit_code, testing::internal::GetCapturedStdout()};
}

std::map<std::string, std::string> Ops(const std::string& filter) {
  return {{"--backend", "cpu"}, {"--filter", filter}};
}
std::map<std::string, std::string> Golden(const std::string& filter) {
  return {{"dir", ProjectPath("conformance/golden/cases")}, {"--backend", "cpu"}, {"--filter", filter}};
}

TEST(ConformanceCommand, RefusesRoundsThatDrawNothing) {
  std::map<std::string, std::string> values = Ops("Neg");
  for (const char* rounds : {"-1", "0"}) {  // in the end as usual: commands keep what they are not given
    values["--rounds"] = rounds;
    Given given(values);
    OpsSuiteCommand().Declare(given);
    if (std::stoi(rounds) < 0) {
      EXPECT_THROW(OpsSuiteCommand().Run(), Error);
    }
  }
}

TEST(ConformanceCommand, AnswersZeroWhenSomethingWasComparedAndNothingFailed) {
  EXPECT_EQ(Answered(OpsSuiteCommand(), Ops("Neg/T=float32")).exit_code, 0);
  EXPECT_EQ(Answered(GoldenCommand(), Golden("alias_test/nothing_of_the_kind")).exit_code, 1);
  EXPECT_EQ(Answered(GoldenCommand(), Golden("argmax_op_test/*")).exit_code, 0);
}

TEST(ConformanceCommand, AnswersOneWhenNothingMatched) {
  for (const Answer& answer :
       {Answered(OpsSuiteCommand(), Ops("NoSuchOp")), Answered(GoldenCommand(), Golden("no such case"))}) {
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_NE(answer.output.find("no case matched"), std::string::npos) << answer.output;
  }
}

TEST(ConformanceCommand, AnswersOneWhenNothingWasCompared) {
  const Answer answer = Answered(OpsSuiteCommand(), Ops("NoOp"));  // cannot be tried alone
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.output.find("nothing was compared"), std::string::npos) << answer.output;
}

// What only the host computed is counted apart, and named on demand.
TEST(ConformanceCommand, SaysWhatRanOnTheAccelerator) {
  std::map<std::string, std::string> sim = {{"--backend", "sim"}, {"--filter", "StringJoin"}, {"--rounds", "1"}};
  const Answer quiet = Answered(OpsSuiteCommand(), sim);
  EXPECT_EQ(quiet.exit_code, 1);
  EXPECT_NE(quiet.output.find("on /device:SIM:0: 0 ops (0 choices of types); elsewhere only: 1 ops (1)"),
            std::string::npos)
      << quiet.output;
  EXPECT_EQ(quiet.output.find("StringJoin"), std::string::npos) << quiet.output;
  sim["--elsewhere"] = "";
  EXPECT_NE(Answered(OpsSuiteCommand(), sim).output.find("StringJoin"), std::string::npos);
  sim["--filter"] = "Neg/T=float32";
  const Answer there = Answered(OpsSuiteCommand(), sim);
  EXPECT_EQ(there.exit_code, 0);
  EXPECT_NE(there.output.find("on /device:SIM:0: 1 ops (1 choices of types); elsewhere only: 0 ops (0)"),
            std::string::npos)
      << there.output;
  EXPECT_NE(there.output.find("1 passed, 0 failed, 0 unsupported, 0 elsewhere"), std::string::npos) << there.output;
}

TEST(ConformanceCommand, SaysOnDemandWhichFetchesAreAliases) {
  const std::string name = "alias_test/Alias/test_fetched_beside_updates/0";
  std::map<std::string, std::string> golden = Golden(name);
  golden["--backend"] = "reference";
  const Answer quiet = Answered(GoldenCommand(), golden);
  EXPECT_EQ(quiet.output.find("aliases"), std::string::npos) << quiet.output;
  golden["-v,--verbose"] = "";
  const Answer verbose = Answered(GoldenCommand(), golden);
  EXPECT_NE(verbose.output.find("aliases reference " + name + ": Identity:0 AssignAdd:0 VariableV2:0\n"),
            std::string::npos)
      << verbose.output;
}

TEST(ConformanceCommand, OnlyAFullRunRaisesTheFloor) {
  auto part = Ops("Neg/T=float32");
  part["--raise-floor"] = "";
  EXPECT_THROW(Answered(OpsSuiteCommand(), part), Error);
  testing::internal::GetCapturedStdout();
}

TEST(ProjectPath, IsEmptyForWhatIsNotThere) {
  EXPECT_NE(ProjectPath("conformance/floor.json"), "");
  EXPECT_EQ(ProjectPath("conformance/no_such_file"), "");
}

TEST(FloorFile, AFullRunBelowItIsNotGreen) {
  const FloorFile floor;
  conformance::Summary summary;
  floor.Hold({{"golden cpu", {{{"passed", 0}, {"compared", 0}}}}}, &summary);
  EXPECT_EQ(Finish(summary), 1);
}

TEST(FloorFile, ARunWithoutAFloorSaysSo) {
  const FloorFile floor;
  conformance::Summary summary;
  testing::internal::CaptureStdout();
  floor.Hold({{"ops nobody --rounds 2", {{{"passed", 0}}}}}, &summary);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("none for 'ops nobody --rounds 2'"), std::string::npos);
}

}  // namespace
}  // namespace plumb::tools
