#include "conformance/golden/race.h"

#include <algorithm>
#include <array>
#include <random>

#include "conformance/compare/compare.h"
#include "conformance/golden/play.h"
#include "reference/session.h"
#include "reference/world/drivers/seeded.h"

namespace plumb::conformance {
namespace {

constexpr int kRuns = 24;

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

RecordedOutcome OutcomeOf(Session& session, const std::vector<RecordedStep>& steps) {
  RecordedOutcome outcome;
  for (std::span<const RecordedStep> left = steps; !left.empty();) {
    const auto group = GroupAt(left);
    for (PlayedStep& played : PlayTogether(session, group)) {
      outcome.codes.push_back(played.status.code());
      if (!played.status.ok()) continue;
      for (Tensor& output : played.outputs) outcome.values.push_back(std::move(output));
    }
    left = left.subspan(group.size());
  }
  return outcome;
}

bool Same(const RecordedOutcome& a, const RecordedOutcome& b) {
  const auto same = [](const Tensor& x, const Tensor& y) { return CompareExact(x, y).ok(); };
  return a.codes == b.codes && a.values.size() == b.values.size() &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), same);
}

// One way in which the reference takes the steps; empty where the graph is refused.
RecordedOutcome ReferenceOutcome(const GoldenCase& golden, uint64_t seed) {
  RecordedOutcome outcome;
  reference::ReferenceSession session;
  if (!session.Extend(golden.graph).ok()) return outcome;
  reference::SeededDriver driver(seed);
  for (std::span<const RecordedStep> left = golden.steps; !left.empty();) {
    const auto group = GroupAt(left);
    std::vector<reference::StepRequest> requests;
    for (const RecordedStep& step : group) {
      requests.push_back(
          {{step.request.feeds.begin(), step.request.feeds.end()}, step.request.fetches, step.request.targets});
    }
    for (reference::StepOutcome& ended : session.RunTogether(requests, driver).outcomes) {
      outcome.codes.push_back(ended.status.code());
      if (!ended.status.ok()) continue;
      for (reference::Value& value : ended.values) outcome.values.push_back(std::move(value.tensor));
    }
    left = left.subspan(group.size());
  }
  return outcome;
}

std::string Printed(const RecordedOutcome& outcome) {
  std::string text;
  for (const Code code : outcome.codes) text += Str(text.empty() ? "" : " ", CodeName(code));
  for (const Tensor& value : outcome.values) text += " " + value.ToString();
  return text;
}

}  // namespace

bool IsReachable(const GoldenCase& golden, const RecordedOutcome& outcome) {
  constexpr uint64_t kOrders = 400;
  for (uint64_t seed = 1; seed <= kOrders; ++seed) {
    if (Same(ReferenceOutcome(golden, seed), outcome)) return true;
  }
  return false;
}

CaseResult JudgeRace(const GoldenCase& golden, const Backend& backend) {
  CaseResult result{golden.name, backend.name, Outcome::kPassed, std::string(JudgeName(Judge::kExact)), "", 0};
  std::mt19937 random(1);
  const int runs = backend.name == "reference" ? 1 : kRuns;
  for (int run = 0; run < runs; ++run) {
    const auto session = backend.open();
    if (const Status loaded = session->Extend(golden.graph); !loaded.ok()) {
      return {golden.name, backend.name, Outcome::kFailed, std::string(GateName(Gate::kStatus)), loaded.ToString(), 1};
    }
    const RecordedOutcome outcome = OutcomeOf(*session, WithDelays(golden.steps, random));
    ++result.compared;
    const bool seen = std::any_of(golden.observed.begin(), golden.observed.end(),
                                  [&](const RecordedOutcome& observed) { return Same(outcome, observed); });
    if (seen || IsReachable(golden, outcome)) continue;
    result.outcome = Outcome::kFailed;
    result.gate = GateName(Gate::kEffect);
    result.detail = Str(
        "run ", run + 1, " ended with ", Printed(outcome), ", which is none of the ", golden.observed.size(),
        " outcomes that TensorFlow showed, and none that the reference comes to: ", Printed(golden.observed.front()),
        golden.observed.size() > 1 ? ", …" : "");
    break;
  }
  return result;
}

}  // namespace plumb::conformance
