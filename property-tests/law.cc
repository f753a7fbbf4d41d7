#include "property-tests/law.h"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "spec/formats/file.h"

namespace plumb::property {
namespace {

std::string NameOfTest() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return Str(test->test_suite_name(), ".", test->name());
}

std::vector<uint64_t> ParseWords(const char* text) {
  std::vector<uint64_t> words;
  for (char* end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
    words.push_back(std::strtoull(text, &end, 10));
    Require(end != text, "PLUMB_TAPE is no list of numbers: '", text, "'");
  }
  return words;
}

std::string PrintWords(const std::vector<uint64_t>& words) {
  std::string text;
  for (const uint64_t word : words) text += Str(text.empty() ? "" : ",", word);
  return text;
}

// As `plumb run` reads it.
std::string Literal(const Tensor& tensor) {
  std::string text = tensor.ToString(tensor.elements());
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

}  // namespace

void CheckLaw(Law law) {
  const auto once = [law](const std::vector<uint64_t>& words) {
    RC_LOG() << "replay: PLUMB_TAPE='" << PrintWords(words)
             << "' build/bin/plumb_property_test --gtest_filter=" << NameOfTest() << "\n";
    Tape tape(words);
    law(tape);
  };
  if (const char* words = std::getenv("PLUMB_TAPE")) {
    return rc::detail::checkGTest([=] { once(ParseWords(words)); });
  }
  constexpr double kLonger = 4;  // than the 100 words that RapidCheck would draw at most: a session takes some 300
  rc::detail::checkGTest([=] { once(*rc::gen::scale(kLonger, rc::gen::arbitrary<std::vector<uint64_t>>())); });
}

void LogFailure(const RandomCase& random_case) {
  const std::string path = testing::TempDir() + "plumb_" + NameOfTest() + ".pbtxt", text = Describe(random_case);
  WriteFile(path, text);
  std::string command = "build/bin/plumb run " + path;
  for (const auto& [name, value] : random_case.feeds) command += Str(" --feed '", name, "=", Literal(value), "'");
  for (const std::string& name : random_case.fetches) command += " --fetch " + name;
  for (const std::string& name : random_case.targets) command += " --target " + name;
  RC_LOG() << text << "run: " << command << " --backend cpu    (or reference)\n";
}

}  // namespace plumb::property
