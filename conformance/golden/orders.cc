#include "conformance/golden/orders.h"

#include <algorithm>
#include <functional>

#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kAttempts = 8;

// Samples cost several runs of the case. Most orders leave numbers far outside their bounds, which samples do not
// widen; what changes discretely may be as a sample shows it all the same, so that a thorough search asks them of all.
enum class Care { kQuick, kThorough };

Verdict CompareInBounds(const Tensor& actual, const reference::Value& allowed, const Samples& samples,
                        const Sides& sides, Care care) {
  if (care == Care::kQuick) {
    Verdict verdict = Compare(actual, allowed, {}, {}, sides);
    if (!verdict.ok()) return verdict;
  }
  return Compare(actual, allowed, samples, {}, sides);
}

bool IsAllowed(const RecordedStep& recorded, const PlayedStep& played, const reference::StepOutcome& outcome,
               bool in_bounds, const std::function<Samples(size_t)>& sampler, Care care) {
  if (played.status.code() != outcome.status.code()) return false;
  if (!played.status.ok()) return true;
  if (played.outputs.size() != outcome.values.size()) return false;
  const Sides sides{"actual", "reference"};
  for (size_t i = 0; i < played.outputs.size(); ++i) {
    const Tensor& actual = played.outputs[i];
    const reference::Value& allowed = outcome.values[i];
    const bool type_only = i < recorded.values.size() && recorded.values[i].check == Check::kType;
    const Verdict verdict = type_only   ? CompareType(actual, allowed.tensor, sides)
                            : in_bounds ? CompareInBounds(actual, allowed, sampler(i), sides, care)
                                        : Compare(actual, allowed.tensor, {}, {}, sides);
    if (!verdict.ok()) return false;
  }
  return true;
}

// Looks for an order of the events group by group: what a group ended with restricts the next one's state, so each is
// found by itself. Where none is found, an earlier group may have left another state than it showed, and all begins
// anew with other walks.
class Search {
 public:
  Search(const GoldenCase& golden, std::span<const PlayedStep> played, Care care)
      : golden_(golden), played_(played), in_bounds_(NeedsBounds(golden)), care_(care) {}

  bool Succeeds() {
    for (uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
      walks_.clear();
      while (AddsGroup(attempt)) {
        if (steps_done_ == golden_.steps.size()) return true;
      }
    }
    return false;
  }

 private:
  bool AddsGroup(uint64_t attempt) {
    walks_.push_back(0);
    for (uint64_t walk = 0; walk < kWalks; ++walk) {
      walks_.back() = attempt * kWalks + walk;
      if (EndsAsPlayed()) return true;
    }
    return false;
  }

  // Whether the last of the groups that have a walk ends so; those before it did.
  bool EndsAsPlayed() {
    Oracle oracle(golden_.graph, Limits::kSound, {.allow_soft_placement = true});
    steps_done_ = 0;
    for (size_t i = 0; i < walks_.size(); ++i) {
      const auto group = GroupAt(std::span(golden_.steps).subspan(steps_done_));
      oracle.Walk(walks_[i]);
      const std::vector<reference::StepOutcome> outcomes = oracle.RunTogether(RequestsOf(group));
      if (i + 1 == walks_.size() && !AreAllowed(oracle, group, outcomes)) return false;
      steps_done_ += group.size();
    }
    return true;
  }

  bool AreAllowed(Oracle& oracle, std::span<const RecordedStep> group,
                  const std::vector<reference::StepOutcome>& outcomes) const {
    for (size_t i = 0; i < group.size(); ++i) {
      const auto sampler = [&oracle, i](size_t fetch) { return oracle.Sampler(fetch, i); };
      if (!IsAllowed(group[i], played_[steps_done_ + i], outcomes[i], in_bounds_, sampler, care_)) return false;
    }
    return true;
  }

  const GoldenCase& golden_;
  const std::span<const PlayedStep> played_;
  const bool in_bounds_;
  const Care care_;
  std::vector<uint64_t> walks_;  // of the groups so far
  size_t steps_done_ = 0;
};

}  // namespace

bool HangsOnOrder(const GoldenCase& golden) {
  const auto has_state = [](const std::string& op) {
    const OpDef* def = FindOp(op);
    return def != nullptr && def->is_stateful;
  };
  return HasGroups(golden) || std::any_of(golden.ops.begin(), golden.ops.end(), has_state);
}

bool IsAllowedInSomeOrder(const GoldenCase& golden, std::span<const PlayedStep> played) {
  return golden.steps.empty() || Search(golden, played, Care::kQuick).Succeeds() ||
         (NeedsBounds(golden) && Search(golden, played, Care::kThorough).Succeeds());
}

}  // namespace plumb::conformance
