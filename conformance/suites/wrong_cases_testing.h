// Which of the inputs that an op is not made for are tried: of each way in which the reference refuses one a few, and
// of what it answers some.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/suites/answers.h"
#include "conformance/suites/trial_folders.h"
#include "conformance/suites/wrong_inputs_testing.h"

namespace plumb::conformance {

inline constexpr size_t kMostOfARefusal = 3;

// Of a case, in their order; those without fetches and targets are none.
inline std::vector<const StepRequest*> StepsOf(const SingleNode& single) {
  std::vector<const StepRequest*> steps;
  for (const StepRequest* step : {&single.initialize, &single.run, &single.inspect}) {
    if (!step->fetches.empty() || !step->targets.empty()) steps.push_back(step);
  }
  return steps;
}

struct WrongCase {
  SampledCase inputs;
  std::shared_ptr<Answers> answers;  // to all steps up to the one that fails
};

// The code and the words of the first failure, without numbers; empty: there is none.
inline std::string RefusalIn(Answers& answers) {
  const auto way_of = [](const Status& status) {
    std::string way = status.ToString();
    std::erase_if(way, [](unsigned char c) { return std::isdigit(c) != 0 || c == '-' || c == ',' || c == ' '; });
    return way;
  };
  if (!answers.loaded().ok()) return way_of(answers.loaded());
  size_t number = 0;
  for (const StepRequest* step : StepsOf(answers.single())) {
    const Status& status = answers.To(number++, *step).status;
    if (!status.ok()) return way_of(status);
  }
  return "";
}

// What `made` makes of each ordinary sample.
template <class Made>
std::vector<SampledCase> AllWrongInputs(const OpDef& op, uint64_t seed, const Made& made) {
  std::vector<SampledCase> all;
  for (const SampledCase& sample : SampleInputs(op, {}, seed)) {
    if (sample.label.find("ordinary") == std::string::npos) continue;
    for (SampledCase& wrong : made(op, sample)) all.push_back(std::move(wrong));
  }
  return all;
}

// Every refusal is among them, and up to `most` cases that are answered, evenly from all such.
inline std::vector<WrongCase> ChosenWrongCases(const OpDef& op, uint64_t seed, size_t most,
                                               const TrialFolders& folders) {
  std::vector<WrongCase> chosen, answered;
  std::map<std::string, size_t> met;
  for (SampledCase& inputs : AllWrongInputs(op, seed, WrongInputs)) {
    folders.Empty();
    folders.EnterReference();
    auto answers = std::make_shared<Answers>(MakeSingleNode(op, inputs));
    const std::string refusal = RefusalIn(*answers);
    if (refusal.empty()) {
      answered.push_back({std::move(inputs), std::move(answers)});
    } else if (++met[refusal] <= kMostOfARefusal) {
      chosen.push_back({std::move(inputs), std::move(answers)});
    }
  }
  const size_t taken = std::min(most, answered.size());
  for (size_t i = 0; i < taken; ++i) chosen.push_back(std::move(answered[i * answered.size() / taken]));
  return chosen;
}

}  // namespace plumb::conformance
