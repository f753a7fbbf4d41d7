// Every gradient rule that no law tries on the samples of its row is tried by a test that testdata/gradient_trials.txt
// names, with values of its attributes other than the default.
#include "property-tests/gradient_trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "conformance/suites/attributes.h"
#include "spec/files/file.h"
#include "spec/files/source_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::property {
namespace {

namespace fs = std::filesystem;

bool TakesAHandle(const OpDef& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(),
                     [](const ArgDef& input) { return input.type == DType::kResource || input.is_ref; });
}

bool IsLaw(const std::string& test) { return test == kLawOfOrders || test == kLawOfComplexNumbers; }

// The source of each test, by its name.
std::map<std::string, std::string> BodiesOfTests() {
  static const std::regex begin(R"((?:TEST|TEST_P|TEST_F|PLUMB_LAW|PLUMB_SLOW_LAW)\((\w+), (\w+)\) \{\n)");
  std::map<std::string, std::string> bodies;
  for (const char* const folder : {"client", "property-tests", "backends"}) {
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(SourcePath(folder))) {
      if (!file.path().string().ends_with("_test.cc")) continue;
      const std::string source = ReadFile(file.path());
      for (auto test = std::sregex_iterator(source.begin(), source.end(), begin); test != std::sregex_iterator();
           ++test) {
        const auto first = static_cast<size_t>(test->position() + test->length());
        bodies[Str((*test)[1].str(), ".", (*test)[2].str())] =
            source.substr(first, source.find("\n}\n", first) - first);
      }
    }
  }
  return bodies;
}

bool Names(const std::string& body, const std::string& text) {
  return body.find(Str('"', text, '"')) != std::string::npos;
}

// Attributes with a default, but for types and what counts arguments.
std::vector<const AttrDef*> Settings(const OpDef& op) {
  std::vector<const AttrDef*> settings;
  for (const AttrDef& attr : op.attrs) {
    const bool is_type = attr.kind == AttrKind::kType && !attr.is_list;
    if (attr.default_value && !is_type && !conformance::CountsArguments(op, attr)) settings.push_back(&attr);
  }
  return settings;
}

// Whether a value follows the attribute's name in the test that is not, as it is written, the default of a bool.
bool IsSet(const std::string& body, const AttrDef& attr) {
  const bool* is_on = attr.default_value->Get<bool>();
  const std::string but = is_on == nullptr ? "" : *is_on ? "(?!true\\b)" : "(?!false\\b)";
  return std::regex_search(body, std::regex(Str("\"", attr.name, R"("[\],]*\s*[,=]\s*)", but, R"(\S)")));
}

TEST(GradientTrials, AreThoseOfRulesThatSamplesDoNotShow) {
  std::set<std::string> listed;
  for (const auto& [op, test] : GradientTrials()) listed.insert(op);
  for (const OpDef* op : AllOps()) {
    const bool has_rule = op->gradient.kind == Differentiation::Kind::kRule;
    const bool is_shown = !TakesAHandle(*op) && *op->gradient_trial.untried == '\0';
    if (has_rule && !is_shown) {
      EXPECT_EQ(listed.count(op->name), 1U)
          << "no law tries the gradient of " << op->name << ": add a line with the op and the test that does, as "
          << "\"TopK OlderGradients.OfTheLargestOfEachRow\", to property-tests/testdata/gradient_trials.txt";
    }
    if (!has_rule || is_shown) {
      EXPECT_EQ(listed.count(op->name), 0U)
          << op->name << (has_rule ? ": the laws try its gradient on its samples" : " has no rule for a gradient")
          << "; take it out of property-tests/testdata/gradient_trials.txt";
    }
    listed.erase(op->name);
  }
  EXPECT_THAT(listed, ::testing::IsEmpty()) << "there is no row for these";
}

TEST(GradientTrials, AreTestsThatDifferentiateTheOp) {
  const auto bodies = BodiesOfTests();
  for (const auto& [op, test] : GradientTrials()) {
    ASSERT_TRUE(bodies.contains(test)) << op << ": there is no test " << test
                                       << " in client/, property-tests/ or backends/";
    if (IsLaw(test)) continue;
    EXPECT_TRUE(Names(bodies.at(test), op)) << test << " does not name " << op;
    EXPECT_NE(bodies.at(test).find("radient"), std::string::npos) << test << " takes no gradient";
  }
}

// Laws set what samples set.
TEST(GradientTrials, SetTheAttributesOfTheOp) {
  const auto bodies = BodiesOfTests();
  std::map<std::string, std::string> sources;  // of all tests of an op
  for (const auto& [op, test] : GradientTrials()) {
    if (!IsLaw(test) && bodies.contains(test)) sources[op] += bodies.at(test);
  }
  for (const auto& [op, source] : sources) {
    for (const AttrDef* attr : Settings(GetOp(op))) {
      EXPECT_TRUE(IsSet(source, *attr)) << "the tests of " << op << " leave its attribute " << attr->name
                                        << " at its default, where a rule that forgets it is right";
    }
  }
}

}  // namespace
}  // namespace plumb::property
