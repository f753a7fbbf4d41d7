#include "property-tests/law.h"

#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "conformance/golden/judge.h"
#include "spec/files/file.h"

namespace plumb::property {
namespace {

using Clock = std::chrono::steady_clock;
using Words = std::vector<uint64_t>;

constexpr char kOurs[] = "cpu";

std::string NameOfTest() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return Str(test->test_suite_name(), ".", test->name());
}

Words ParseWords(const char* text) {
  Words words;
  for (char* end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
    words.push_back(std::strtoull(text, &end, 10));
    Require(end != text, "PLUMB_TAPE is no list of numbers: '", text, "'");
  }
  return words;
}

std::string ReplayCommand(const Words& words) {
  std::string text;
  for (const uint64_t word : words) text += Str(text.empty() ? "" : ",", word);
  const std::string tried = TriedBackend();
  const std::string library = tried == kOurs ? "" : Str("PLUMB_LAW_BACKEND='", tried, "' ");
  return Str(library, "PLUMB_TAPE='", text, "' build/bin/plumb_property_test --gtest_filter=", NameOfTest());
}

// As `plumb run` reads it.
std::string Literal(const Tensor& tensor) {
  std::string text = tensor.ToString(tensor.elements());
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

// One law, tried by RapidCheck, which tells what became of each case.
class Trial : public rc::detail::TestListenerAdapter {
 public:
  Trial(Law law, std::chrono::milliseconds& shrink_time) : law_(law), shrink_time_(shrink_time) {}

  // Once the time is over, cases that are simpler still count as holding, untried: so the shrinking ends.
  void Try(const Words& words) {
    latest_ = words;
    if (broken_ && Clock::now() >= deadline_ && words != simplest_) return;
    Tape tape(words);
    try {
      law_(tape);
    } catch (const NothingToCompare& nothing) {
      untried_ = nothing.what();
    }
  }

  void onTestCaseFinished(const rc::detail::CaseDescription& description) override {
    if (description.result.type != rc::detail::CaseResult::Type::Failure) return;
    Remember(description);
    broken_ = true;
    broken_at_ = Clock::now();
    deadline_ = broken_at_ + shrink_time_;
    std::cerr << NameOfTest() << " does not hold; seed: RC_PARAMS='seed=" << rc::detail::configuration().testParams.seed
              << "'\nreplay: " << ReplayCommand(latest_) << std::endl;
  }
  void onShrinkTried(const rc::detail::CaseDescription& shrink, bool accepted) override {
    if (accepted) Remember(shrink);
  }

  // The shrunk case, or why none could be drawn; nothing if no case broke the law.
  std::string Failure() {
    if (!untried_.empty()) return "nothing was compared: " + untried_;
    if (!broken_) return "";
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - broken_at_);
    shrink_time_ = std::max(shrink_time_ - spent, std::chrono::milliseconds(0));
    return Str("replay: ", ReplayCommand(simplest_), "\n", simplest_description_);
  }

 private:
  // What a case said when it broke the law: where threads take part, it may hold the next time.
  void Remember(const rc::detail::CaseDescription& description) {
    simplest_ = latest_;
    simplest_description_ = description.result.description;
  }

  const Law law_;
  std::chrono::milliseconds& shrink_time_;
  Words latest_, simplest_;
  std::string simplest_description_, untried_;
  bool broken_ = false;
  Clock::time_point broken_at_, deadline_;
};

std::string Message(const rc::detail::TestResult& result) {
  std::ostringstream text;
  printResultMessage(result, text);
  return text.str();
}

// A case takes more words than the 100 that RapidCheck would draw at most: a session some 300.
constexpr double kLonger = 4;

}  // namespace

std::string TryLaw(Law law, std::chrono::milliseconds& shrink_time, Share share) {
  Trial trial(law, shrink_time);
  const char* given = std::getenv("PLUMB_TAPE");
  const Words given_words = given == nullptr ? Words() : ParseWords(given);
  const auto once = [&] {
    trial.Try(given != nullptr ? given_words : *rc::gen::scale(kLonger, rc::gen::arbitrary<Words>()));
  };
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  const int one_of = static_cast<int>(share);
  params.maxSuccess = given != nullptr ? 1 : (params.maxSuccess + one_of - 1) / one_of;
  const auto result =
      rc::detail::checkTestable(once, rc::detail::TestMetadata{NameOfTest(), NameOfTest()}, params, trial);
  std::string failure = trial.Failure();
  if (!failure.empty()) return failure;
  if (!result.is<rc::detail::SuccessResult>()) return Message(result);
  if (!result.get<rc::detail::SuccessResult>().distribution.empty()) std::cout << Message(result) << std::endl;
  return "";
}

void CheckLaw(Law law, Share share) {
  static std::chrono::milliseconds shrink_time = kShrinkTime;
  const std::string failure = TryLaw(law, shrink_time, share);
  if (!failure.empty()) FAIL() << failure;
}

std::string TellWithCommands(const RandomCase& random_case, const std::string& backend) {
  const std::string path = testing::TempDir() + "plumb_" + NameOfTest() + ".pbtxt", text = Describe(random_case);
  WriteFile(path, text);
  std::string command = "build/bin/plumb run " + path;
  for (const auto& [name, value] : random_case.feeds) command += Str(" --feed '", name, "=", Literal(value), "'");
  for (const std::string& name : random_case.fetches) command += " --fetch " + name;
  for (const std::string& name : random_case.targets) command += " --target " + name;
  return Str(text, "run: ", command, " --backend ", backend, "    (or reference)");
}

std::string TriedBackend() {
  const char* const given = std::getenv("PLUMB_LAW_BACKEND");
  return given == nullptr ? kOurs : given;
}

Declares DeclaredByTried() { return conformance::FindBackend(TriedBackend()).declares; }

}  // namespace plumb::property
