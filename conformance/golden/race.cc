#include "conformance/golden/race.h"

#include <algorithm>
#include <array>
#include <random>

#include "conformance/compare/oracle.h"
#include "conformance/golden/play.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kRuns = 24;

// Placeholders of these names hold the size of a product that delays what races, and nothing hangs on its value.
constexpr std::string_view kDelay = "delay";
constexpr std::array<int32_t, 5> kDelays = {1, 1, 16, 64, 128};

std::vector<RecordedStep> WithDelays(std::vector<RecordedStep> steps, std::mt19937& random) {
  for (RecordedStep& step : steps) {
    for (Feed& feed : step.request.feeds) {
      const bool delays = feed.first.starts_with(kDelay) && feed.second.dtype() == DType::kInt32;
      if (delays) feed.second = MakeScalar<int32_t>(kDelays[random() % kDelays.size()]);
    }
  }
  return steps;
}

// How a run ended, and why steps of it failed.
struct Ending {
  RecordedOutcome outcome;
  std::string messages;
};

// play(group) runs steps that start together.
template <class Play>
Ending EndingOf(const std::vector<RecordedStep>& steps, const Play& play) {
  Ending ending;
  for (std::span<const RecordedStep> left = steps; !left.empty();) {
    const auto group = GroupAt(left);
    for (PlayedStep& played : play(group)) {
      ending.outcome.codes.push_back(played.status.code());
      if (!played.status.ok()) ending.messages += Str(ending.messages.empty() ? "" : "; ", played.status.message());
      if (!played.status.ok()) continue;
      for (Tensor& output : played.outputs) ending.outcome.values.push_back(std::move(output));
    }
    left = left.subspan(group.size());
  }
  return ending;
}

bool Same(const RecordedOutcome& a, const RecordedOutcome& b) {
  const auto same = [](const Tensor& x, const Tensor& y) { return CompareExact(x, y).ok(); };
  return a.codes == b.codes && a.values.size() == b.values.size() &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), same);
}

std::string Printed(const RecordedOutcome& outcome) {
  std::string text;
  for (const Code code : outcome.codes) text += Str(text.empty() ? "" : " ", CodeName(code));
  for (const Tensor& value : outcome.values) text += " " + value.ToString();
  return text;
}

std::string Printed(const Ending& ending) {
  return Printed(ending.outcome) + (ending.messages.empty() ? "" : " (" + ending.messages + ")");
}

std::string Others(const GoldenCase& golden) {
  return Str(", which is none of the ", golden.observed.size(), " outcomes that TensorFlow showed");
}

// Which of the outcomes that were seen this is; as many as there are: none.
size_t NumberOf(const GoldenCase& golden, const RecordedOutcome& outcome) {
  const auto seen = std::find_if(golden.observed.begin(), golden.observed.end(),
                                 [&](const RecordedOutcome& observed) { return Same(outcome, observed); });
  return static_cast<size_t>(seen - golden.observed.begin());
}

CaseResult Passed(const GoldenCase& golden, const Backend& backend) {
  return {golden.name, backend.name, Outcome::kPassed, std::string(JudgeName(Judge::kExact)), "", 0};
}

void Fail(CaseResult* result, Gate gate, const std::string& detail) {
  result->outcome = Outcome::kFailed;
  result->gate = GateName(gate);
  result->detail = detail;
}

Ending Walked(const GoldenCase& golden, uint64_t walk) {
  Oracle oracle(golden.graph, Limits::kSound, {.allow_soft_placement = true}, walk);
  return EndingOf(golden.steps, [&](std::span<const RecordedStep> group) {
    std::vector<PlayedStep> played;
    for (const reference::StepOutcome& outcome : oracle.RunTogether(RequestsOf(group))) {
      played.push_back({outcome.status, {}});
      for (const reference::Value& value : outcome.values) played.back().outputs.push_back(value.tensor);
    }
    return played;
  });
}

// What TensorFlow showed is what rules allow, so some order of the events has to end so. Where steps run one after the
// other, what the reference chooses by itself has to be among it; how steps that start together take turns is as open
// as the time at which clients start them.
CaseResult JudgeReach(const GoldenCase& golden, const Backend& backend) {
  CaseResult result = Passed(golden, backend);
  std::vector<bool> reached(golden.observed.size() + 1);  // and whether anything else is
  std::string all;
  const auto is_through = [&] { return std::find(reached.begin(), reached.end() - 1, false) == reached.end() - 1; };
  for (uint64_t walk = 0; walk < kWalks && !is_through(); ++walk) {
    const Ending ending = Walked(golden, walk);
    const size_t number = NumberOf(golden, ending.outcome);
    if (walk == 0 && !HasGroups(golden) && number == golden.observed.size()) {
      result.compared = 1;
      Fail(&result, Gate::kEffect,
           Str("by its own choice it ended with ", Printed(ending), Others(golden), ": ", Printed(golden.observed[0])));
      return result;
    }
    if (!reached[number]) all += Str(all.empty() ? "" : "; ", Printed(ending));
    reached[number] = true;
  }
  for (size_t i = 0; i < golden.observed.size(); ++i) {
    ++result.compared;
    if (reached[i]) continue;
    Fail(&result, Gate::kEffect,
         Str("TensorFlow showed ", Printed(golden.observed[i]), ", which the reference reaches in none of ", kWalks,
             " orders of events; it reaches ", all));
    break;
  }
  return result;
}

}  // namespace

bool IsReachable(const GoldenCase& golden, const RecordedOutcome& outcome) {
  for (uint64_t walk = 0; walk < kWalks; ++walk) {
    if (Same(Walked(golden, walk).outcome, outcome)) return true;
  }
  return false;
}

CaseResult JudgeRace(const GoldenCase& golden, const Backend& backend) {
  if (backend.name == "reference") return JudgeReach(golden, backend);
  CaseResult result = Passed(golden, backend);
  std::mt19937 random(1);
  for (uint64_t run = 0; run < kRuns && result.outcome == Outcome::kPassed; ++run) {
    const auto session = backend.open();
    if (const Status loaded = session->Extend(golden.graph); !loaded.ok()) {
      Fail(&result, Gate::kStatus, loaded.ToString());
      break;
    }
    const Ending ending = EndingOf(WithDelays(golden.steps, random),
                                   [&](std::span<const RecordedStep> group) { return PlayTogether(*session, group); });
    ++result.compared;
    const bool seen = NumberOf(golden, ending.outcome) < golden.observed.size();
    if (!seen && !IsReachable(golden, ending.outcome)) {
      Fail(&result, Gate::kEffect,
           Str("run ", run + 1, " ended with ", Printed(ending), Others(golden),
               ", and none that the reference comes to: ", Printed(golden.observed[0])));
    }
  }
  return result;
}

}  // namespace plumb::conformance
