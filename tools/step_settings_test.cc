// What is given on the command line reaches the session and its steps.
#include "tools/step_settings.h"

#include <gtest/gtest.h>

#include <map>

namespace plumb::tools {
namespace {

// Gives each number its value by name, and sets every flag that is named.
class GivenNumbers final : public Options {
 public:
  explicit GivenNumbers(std::map<std::string, int> values) : values_(std::move(values)) {}
  void Flag(const std::string& name, bool* value, const std::string&) override { *value = values_.contains(name); }
  void Option(const std::string&, std::string*, const std::string&) override {}
  void Option(const std::string& name, int* value, const std::string&) override {
    if (const auto given = values_.find(name); given != values_.end()) *value = given->second;
  }
  void Option(const std::string&, double*, const std::string&) override {}
  void Option(const std::string&, std::vector<std::string>*, const std::string&) override {}
  void Argument(const std::string&, std::string*, const std::string&) override {}
  void OptionalArgument(const std::string&, std::string*, const std::string&) override {}

 private:
  const std::map<std::string, int> values_;
};

TEST(StepSettings, ReachTheSessionAndItsSteps) {
  StepSettings settings;
  EXPECT_EQ(settings.session_options().threads, 0);
  EXPECT_FALSE(settings.session_options().allow_soft_placement);
  EXPECT_EQ(settings.run_options().timeout_ms, 0);
  GivenNumbers given({{"--threads", 3}, {"--timeout", 4}, {"--soft-placement", 1}});
  settings.Declare(given);
  EXPECT_EQ(settings.session_options().threads, 3);
  EXPECT_TRUE(settings.session_options().allow_soft_placement);
  EXPECT_EQ(settings.run_options().timeout_ms, 4000);
}

}  // namespace
}  // namespace plumb::tools
