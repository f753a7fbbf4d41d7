#include "conformance/golden/orders.h"

#include <algorithm>
#include <functional>

#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

// More than for groups: a step's events are many, and which of them race is not known.
constexpr uint64_t kStepWalks = 8 * kWalks;

bool IsAllowed(const RecordedStep& recorded, const PlayedStep& played, const reference::StepOutcome& outcome,
               bool in_bounds, const std::function<Samples(size_t)>& sampler) {
  if (played.status.code() != outcome.status.code()) return false;
  if (!played.status.ok()) return true;
  if (played.outputs.size() != outcome.values.size()) return false;
  const Sides sides{"actual", "reference"};
  for (size_t i = 0; i < played.outputs.size(); ++i) {
    const Tensor& actual = played.outputs[i];
    const reference::Value& allowed = outcome.values[i];
    const bool type_only = i < recorded.values.size() && recorded.values[i].check == Check::kType;
    const Verdict verdict = type_only   ? CompareType(actual, allowed.tensor, sides)
                            : in_bounds ? Compare(actual, allowed, sampler(i), {}, sides)
                                        : Compare(actual, allowed.tensor, {}, {}, sides);
    if (!verdict.ok()) return false;
  }
  return true;
}

bool IsAllowedInOrder(const GoldenCase& golden, std::span<const PlayedStep> played, uint64_t walk) {
  Oracle oracle(golden.graph, Limits::kSound, {.allow_soft_placement = true}, walk);
  const bool in_bounds = NeedsBounds(golden);
  for (size_t first = 0; first < golden.steps.size();) {
    const auto group = GroupAt(std::span(golden.steps).subspan(first));
    std::vector<StepRequest> requests;
    for (const RecordedStep& step : group) requests.push_back(step.request);
    const std::vector<reference::StepOutcome> outcomes = oracle.RunTogether(requests);
    for (size_t i = 0; i < group.size(); ++i) {
      const auto sampler = [&](size_t fetch) { return oracle.Sampler(fetch, i); };
      if (!IsAllowed(group[i], played[first + i], outcomes[i], in_bounds, sampler)) return false;
    }
    first += group.size();
  }
  return true;
}

}  // namespace

bool HangsOnOrder(const GoldenCase& golden) {
  const auto has_state = [](const std::string& op) {
    const OpDef* def = FindOp(op);
    return def != nullptr && def->is_stateful;
  };
  return HasGroups(golden) || std::any_of(golden.ops.begin(), golden.ops.end(), has_state);
}

bool IsAllowedInSomeOrder(const GoldenCase& golden, std::span<const PlayedStep> played) {
  for (uint64_t walk = 0; walk < kStepWalks; ++walk) {
    if (IsAllowedInOrder(golden, played, walk)) return true;
  }
  return false;
}

}  // namespace plumb::conformance
