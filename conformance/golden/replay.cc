#include "conformance/golden/replay.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "conformance/compare/equivalence.h"
#include "conformance/golden/orders.h"
#include "conformance/golden/play.h"
#include "spec/graph/graph.h"
#include "spec/validate/shapes.h"

namespace plumb::conformance {
namespace {

// "'mul:0' (Mul)".
std::string Describe(const GraphDef& graph, const std::string& fetch) {
  const std::string name = ParseTensorName(fetch).node;
  for (const NodeDef& node : graph.nodes) {
    if (node.name == name) return Str("'", fetch, "' (", node.op, ")");
  }
  return Str("'", fetch, "'");
}

// What importing the graph into a client says of it: its shapes are inferred besides (rule T7).
Status Imported(const GraphDef& graph) {
  try {
    InferGraphShapes(Graph::Load(graph));
    return OkStatus();
  } catch (const Error& error) {
    return error.status();
  }
}

// How many elements a bound judges: nothing is known of those that have an infinite one, which may yet be equal.
int64_t BoundedElements(const reference::Value& value) {
  const int64_t elements = value.tensor.elements();
  if (value.bound == nullptr) return elements;
  const auto is_open = [](double bound) { return !std::isfinite(bound); };
  return elements - std::min<int64_t>(elements, std::count_if(value.bound->begin(), value.bound->end(), is_open));
}

// A case on a backend, of which each step is run once, however often it is judged.
class Player {
 public:
  Player(const GoldenCase& golden, const Backend& backend)
      : is_reference_(backend.name == "reference"), loaded_(golden.graph_status) {
    if (!loaded_.ok()) return;
    session_ = backend.open();
    loaded_ = session_->Extend(golden.graph);
    if (loaded_.ok() && golden.refused) loaded_ = Imported(golden.graph);
  }

  bool is_reference() const { return is_reference_; }
  const Status& loaded() const { return loaded_; }

  // What the steps from number `first` on answered, which run now unless they have run. The reference has not: the
  // judge's oracle speaks for it.
  std::span<const PlayedStep> Played(size_t first, std::span<const RecordedStep> group) {
    if (steps_.size() <= first) {
      const bool runs = loaded_.ok() && !is_reference_;
      const std::vector<PlayedStep> played =
          runs ? PlayTogether(*session_, group) : std::vector(group.size(), PlayedStep{loaded_, {}});
      steps_.insert(steps_.end(), played.begin(), played.end());
    }
    return std::span(steps_).subspan(first, group.size());
  }

  // What all of them answered.
  std::span<const PlayedStep> PlayedAll(std::span<const RecordedStep> steps) {
    for (size_t first = 0; first < steps.size();) first += Played(first, GroupAt(steps.subspan(first))).size();
    return steps_;
  }

 private:
  const bool is_reference_;
  Status loaded_;
  std::unique_ptr<Session> session_;
  std::vector<PlayedStep> steps_;
};

class Replay {
 public:
  // The reference is always judged by the oracle, which holds the shape rules against the shapes that arise.
  Replay(const GoldenCase& golden, const std::string& backend, Player& player, uint64_t walk)
      : golden_(golden), needs_bounds_(NeedsBounds(golden)), player_(player) {
    result_.name = golden.name;
    result_.backend = backend;
    if (player.loaded().ok() && (player.is_reference() || needs_bounds_)) {
      oracle_.emplace(golden.graph, Limits::kSound, SessionOptions{.allow_soft_placement = true}, walk);
    }
  }

  CaseResult Judged() {
    for (size_t first = 0; first < golden_.steps.size() && ok();) {
      const auto group = GroupAt(std::span(golden_.steps).subspan(first));
      JudgeGroup(first, group);
      first += group.size();
    }
    if (ok() && result_.compared == 0) Fail(Gate::kNone, "vacuous: nothing was compared");
    if (ok()) result_.gate = JudgeName(judge_);
    result_.by_chance = result_.compared - std::min(result_.compared, settled_);
    return std::move(result_);
  }

 private:
  bool ok() const { return result_.outcome == Outcome::kPassed; }

  void JudgeGroup(size_t first, std::span<const RecordedStep> group) {
    const std::span<const PlayedStep> answers = player_.Played(first, group);
    std::vector<PlayedStep> played(answers.begin(), answers.end());
    std::vector<reference::StepOutcome> allowed(group.size());
    if (oracle_) allowed = AskOracle(group, &played);
    for (size_t i = 0; i < group.size(); ++i) NameAliases(group[i].request.fetches, allowed[i].values);
    for (size_t i = 0; i < group.size() && ok(); ++i) {
      where_ = Str("step ", first + i + 1, ": ");
      step_in_group_ = i;
      JudgeStep(group[i], played[i], allowed[i].values);
    }
  }

  // The reference takes the steps too; for itself, it answers.
  std::vector<reference::StepOutcome> AskOracle(std::span<const RecordedStep> group, std::vector<PlayedStep>* played) {
    std::vector<reference::StepOutcome> allowed = oracle_->RunTogether(RequestsOf(group));
    for (size_t i = 0; i < allowed.size(); ++i) {
      const Status& expected = allowed[i].status;
      Status& status = played->at(i).status;
      if (player_.is_reference()) {
        status = expected;
        for (const reference::Value& value : allowed[i].values) played->at(i).outputs.push_back(value.tensor);
      } else if (status.ok() && !expected.ok()) {
        status = expected.WithMessage("the reference gave no bounds: " + expected.message());
      }
    }
    return allowed;
  }

  void NameAliases(const std::vector<std::string>& fetches, const std::vector<reference::Value>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      const bool is_named =
          std::find(result_.aliases.begin(), result_.aliases.end(), fetches[i]) != result_.aliases.end();
      if (values[i].was_alias && !is_named) result_.aliases.push_back(fetches[i]);
    }
  }

  void JudgeStep(const RecordedStep& step, const PlayedStep& played, const std::vector<reference::Value>& allowed) {
    const Status& status = played.status;
    ++result_.compared;
    ++settled_;
    if (status.code() != step.code) {
      return Fail(Gate::kStatus,
                  Str(CodeName(status.code()), status.ok() ? "" : " (" + status.message() + ")", ", expected ",
                      CodeName(step.code), step.message.empty() ? "" : " (" + step.message.substr(0, 200) + ")"));
    }
    if (!status.ok()) return;
    if (played.outputs.size() != step.values.size()) {
      return Fail(Gate::kType, Str(played.outputs.size(), " values, expected ", step.values.size()));
    }
    const std::string step_name = where_.substr(0, where_.size() - 2);
    Alignment mine(golden_.graph), recorded(golden_.graph);
    for (size_t i = 0; i < played.outputs.size() && ok(); ++i) {
      where_ = Str(step_name, ", ", Describe(golden_.graph, step.request.fetches[i]), ": ");
      const std::string& fetch = step.request.fetches[i];
      const Equivalence equivalence = EquivalenceOf(golden_.graph, fetch);
      if (!IsAligned(equivalence) || step.values[i].check != Check::kBounded) {
        JudgeValue(step.values[i], played.outputs[i], allowed, i);
      } else {
        // In the form of the reference's own answer, within what it settles.
        const Tensor& own = allowed[i].tensor;
        std::vector<reference::Value> settled = allowed;
        settled[i] = Settled(allowed[i], equivalence);
        const RecordedValue value{recorded.Aligned(fetch, step.values[i].tensor, own), step.values[i].check};
        JudgeValue(value, mine.Aligned(fetch, played.outputs[i], own), settled, i);
      }
    }
  }

  void JudgeValue(const RecordedValue& recorded, const Tensor& actual, const std::vector<reference::Value>& allowed,
                  size_t fetch) {
    const Sides mine{player_.is_reference() ? "reference" : "actual", "TensorFlow"};
    if (recorded.check == Check::kType) return Take(CompareType(actual, recorded.tensor, mine));
    settled_ += recorded.check == Check::kExact ? recorded.tensor.elements() : BoundedElements(allowed[fetch]);
    if (recorded.check == Check::kExact) {
      const Verdict equal = Compare(actual, recorded.tensor, {}, {}, mine);
      // Exact values may hang on inexact ones (the position of the largest, say): then both must be what the reference
      // shows under random rounding.
      if (equal.ok() || !oracle_ || !needs_bounds_) return Take(equal);
    }
    const Samples samples = oracle_->Sampler(fetch, step_in_group_);
    // The recorded value, like the backend's, has to lie where the reference allows.
    if (!player_.is_reference()) Take(Compare(actual, allowed[fetch], samples, {}, {"actual", "reference"}));
    if (!ok()) return;
    Take(Compare(recorded.tensor, allowed[fetch], samples, {}, {"TensorFlow", "reference"}));
  }

  void Take(const Verdict& verdict) {
    judge_ = std::max(judge_, verdict.judge);
    result_.compared += verdict.compared;
    if (!verdict.ok()) Fail(verdict.failed, verdict.detail);
  }

  void Fail(Gate gate, const std::string& detail) {
    result_.outcome = Outcome::kFailed;
    result_.gate = GateName(gate);
    result_.detail = where_ + detail;
  }

  const GoldenCase& golden_;
  const bool needs_bounds_;
  Player& player_;
  std::optional<Oracle> oracle_;
  Judge judge_ = Judge::kExact;
  std::string where_;
  size_t step_in_group_ = 0;
  int64_t settled_ = 0;  // what is compared in any run: elements with a bound or an exact value, and each step's status
  CaseResult result_;
};

// What was recorded of steps that start together, or whose nodes share an object, in the orders in which the reference
// can take their events (rule S3).
CaseResult JudgeReference(const GoldenCase& golden, Player& player) {
  CaseResult first = Replay(golden, "reference", player, 0).Judged();
  if (first.outcome == Outcome::kPassed || !player.loaded().ok() || !HangsOnOrder(golden)) return first;
  for (uint64_t walk = 1; walk < kWalks; ++walk) {
    CaseResult other = Replay(golden, "reference", player, walk).Judged();
    if (other.outcome == Outcome::kPassed) return other;
  }
  first.detail += Str("; nor does any of ", kWalks, " orders of its steps' events on the reference end as recorded");
  return first;
}

}  // namespace

CaseResult JudgeReplay(const GoldenCase& golden, const Backend& backend) {
  Player player(golden, backend);
  if (player.is_reference()) return JudgeReference(golden, player);
  CaseResult as_recorded = Replay(golden, backend.name, player, 0).Judged();
  if (as_recorded.outcome == Outcome::kPassed || !player.loaded().ok() || !HangsOnOrder(golden)) return as_recorded;
  CaseResult reference = JudgeReplay(golden, FindBackend("reference"));
  if (reference.outcome == Outcome::kPassed && IsAllowedInSomeOrder(golden, player.PlayedAll(golden.steps))) {
    reference.backend = backend.name;
    return reference;
  }
  as_recorded.detail += "; nor does the reference end so in any order of the events that was tried";
  return as_recorded;
}

}  // namespace plumb::conformance
