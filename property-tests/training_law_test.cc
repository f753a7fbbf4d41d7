// Laws of training: gradients, updates and the aliases between them leave in the variables what the reference allows,
// however many threads share a step and wherever its nodes lie.
#include <rapidcheck.h>

#include "backends/backends.h"
#include "conformance/compare/oracle.h"
#include "property-tests/allowed_answers.h"
#include "property-tests/generators/placement.h"
#include "property-tests/generators/random_training.h"
#include "property-tests/law.h"
#include "property-tests/threads.h"

namespace plumb::property {
namespace {

using conformance::StepRequest;

// Initialises, and then trains and looks in turn.
std::vector<StepRequest> StepsOf(const RandomTraining& training) {
  std::vector<StepRequest> steps = {{{}, {}, training.initializers}};
  for (int i = 0; i < training.steps; ++i) {
    steps.push_back({training.feeds, {}, {training.train}});
    steps.push_back({training.feeds, training.state, {}});
  }
  return steps;
}

struct Answer {
  Status status;
  std::vector<Tensor> values;
};

// What the steps answer, up to the first that fails.
std::vector<Answer> RunSteps(const RandomTraining& training, const SessionOptions& options) {
  const auto session = OpenSession("cpu", options);
  std::vector<Answer> answers(1);
  answers[0].status = session->Extend(training.graph);
  for (const StepRequest& step : StepsOf(training)) {
    if (!answers.back().status.ok()) break;
    Answer& answer = answers.emplace_back();
    answer.status = session->Run(kWithLimit, step.feeds, step.fetches, step.targets, &answer.values, nullptr);
  }
  return answers;
}

void SameBits(const std::vector<Answer>& one, const std::vector<Answer>& several) {
  RC_ASSERT(one.size() == several.size());
  for (size_t step = 0; step < one.size(); ++step) {
    RC_LOG() << "step " << step << ": " << several[step].status.ToString() << "\n";
    RC_ASSERT(one[step].status.code() == several[step].status.code());
    for (size_t i = 0; i < one[step].values.size(); ++i) {
      const Tensor &expected = one[step].values[i], &actual = several[step].values[i];
      const ToldIfBroken told(
          [&] { return Str("value ", i, ": ", actual.ToString(16), ", not ", expected.ToString(16)); });
      RC_ASSERT(actual.BitwiseEquals(expected));
    }
  }
}

void AllowedByTheReference(const RandomTraining& training, const std::vector<Answer>& answers,
                           const SessionOptions& options) {
  conformance::Oracle oracle(training.graph, conformance::Limits::kSound, options);
  RC_LOG() << "reference: " << oracle.loaded().ToString() << "\nfast: " << answers[0].status.ToString() << "\n";
  RC_ASSERT(oracle.loaded().ok() && answers[0].status.ok());
  const std::vector<StepRequest> steps = StepsOf(training);
  for (size_t step = 0; step < steps.size(); ++step) {
    std::vector<reference::Value> allowed;
    const Status status = oracle.Run(steps[step], &allowed);
    RC_ASSERT(step + 1 < answers.size());
    const Answer& answer = answers[step + 1];
    RC_LOG() << "step " << step + 1 << ": reference: " << status.ToString() << "\nfast: " << answer.status.ToString()
             << "\n";
    RC_ASSERT(status.ok() && answer.status.ok());
    CheckAllowed(answer.values, allowed, steps[step].fetches, oracle);
  }
}

PLUMB_SLOW_LAW(Training, LeavesWhatTheReferenceAllowsOnAnyNumberOfThreads) {
  const RandomTraining training = RandomModel(tape);
  const int percent = AnyPercent(tape);
  const ToldIfBroken told([&] { return Describe(training); });
  const std::vector<Answer> one = RunSteps(training, {.threads = 1});
  AllowedByTheReference(training, one, {});
  for (const int threads : kThreadCounts) {
    RC_LOG() << threads << " threads, " << percent << " % shared\n";
    SameBits(one, RunSteps(training, {.threads = threads, .forced_sharing = percent}));
  }
}

PLUMB_SLOW_LAW(Training, LeavesWhatTheReferenceAllowsOnAnyDevices) {
  RandomTraining training = RandomModel(tape);
  training.graph = SpreadOverDevices(std::move(training.graph), tape);
  const SessionOptions options =
      OnAllDevices(AnyThreadCount(tape), AnyPercent(tape), static_cast<uint64_t>(tape.Below(100)), 2);
  const ToldIfBroken told([&] { return Describe(training); });
  AllowedByTheReference(training, RunSteps(training, options), options);
}

}  // namespace
}  // namespace plumb::property
