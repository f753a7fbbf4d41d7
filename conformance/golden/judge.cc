#include "conformance/golden/judge.h"

#include <algorithm>
#include <optional>

#include "backends/backends.h"
#include "backends/library/library.h"
#include "conformance/golden/play.h"
#include "conformance/golden/race.h"
#include "spec/graph/graph.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/shapes.h"

namespace plumb::conformance {
namespace {

// Nodes whose types somebody else's backend does not declare.
std::string UndeclaredTypes(const GraphDef& graph, const Backend& backend) {
  std::string undeclared;
  for (const NodeDef& node : graph.nodes) {
    if (backend.declares(node.op, node.attrs)) continue;
    undeclared += Str(undeclared.empty() ? "" : ", ", node.op, " (no kernel for the types of '", node.name, "')");
  }
  return undeclared;
}

// What the case needs and the backend lacks; empty: nothing.
std::string MissingFor(const GoldenCase& golden, const Backend& backend) {
  std::string missing;
  for (const std::string& op : golden.ops) {
    const bool known = FindOp(op) != nullptr;
    if (known && backend.implements(op)) continue;
    missing += Str(missing.empty() ? "" : ", ", op, known ? " (no kernel)" : "");
  }
  if (missing.empty() && backend.declares) missing = UndeclaredTypes(golden.graph, backend);
  const bool grouped =
      std::any_of(golden.steps.begin(), golden.steps.end(), [](const RecordedStep& step) { return step.group != 0; });
  if (missing.empty() && grouped && backend.name == "reference") {
    missing = "steps that start together: the reference takes them one after the other";
  }
  return missing;
}

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

class Replay {
 public:
  Replay(const GoldenCase& golden, const Backend& backend)
      : golden_(golden), is_reference_(backend.name == "reference") {
    result_.name = golden.name;
    result_.backend = backend.name;
    loaded_ = golden.graph_status;
    if (!loaded_.ok()) return;
    session_ = backend.open();
    loaded_ = session_->Extend(golden.graph);
    if (loaded_.ok() && golden.refused) loaded_ = Imported(golden.graph);
    if (loaded_.ok() && (is_reference_ || NeedsBounds())) oracle_.emplace(golden.graph);
  }

  CaseResult Judged() {
    for (size_t first = 0; first < golden_.steps.size() && ok();) {
      const auto group = GroupAt(std::span(golden_.steps).subspan(first));
      JudgeGroup(first, group);
      first += group.size();
    }
    if (ok() && result_.compared == 0) Fail(Gate::kNone, "vacuous: nothing was compared");
    if (ok()) result_.gate = JudgeName(judge_);
    return std::move(result_);
  }

 private:
  bool ok() const { return result_.outcome == Outcome::kPassed; }

  bool NeedsBounds() const {
    for (const RecordedStep& step : golden_.steps) {
      for (const RecordedValue& value : step.values) {
        if (value.check == Check::kBounded) return true;
      }
    }
    return false;
  }

  void JudgeGroup(size_t first, std::span<const RecordedStep> group) {
    std::vector<PlayedStep> played(group.size(), {loaded_, {}});
    if (loaded_.ok() && !is_reference_) played = PlayTogether(*session_, group);
    for (size_t i = 0; i < group.size() && ok(); ++i) {
      std::vector<reference::Value> allowed;
      where_ = Str("step ", first + i + 1, ": ");
      if (loaded_.ok() && oracle_) AskOracle(group[i].request, &played[i], &allowed);
      JudgeStep(group[i], played[i], allowed);
    }
  }

  // Where bounds are needed, the reference takes the step too; it is itself always judged by the oracle, which holds
  // the shape rules against the shapes that arise.
  void AskOracle(const StepRequest& request, PlayedStep* played, std::vector<reference::Value>* allowed) {
    const Status expected = oracle_->Run(request, allowed);
    if (is_reference_) {
      played->status = expected;
      for (const reference::Value& value : *allowed) played->outputs.push_back(value.tensor);
    } else if (played->status.ok() && !expected.ok()) {
      played->status = expected.WithMessage("the reference gave no bounds: " + expected.message());
    }
  }

  void JudgeStep(const RecordedStep& step, const PlayedStep& played, const std::vector<reference::Value>& allowed) {
    const Status& status = played.status;
    ++result_.compared;
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
    for (size_t i = 0; i < played.outputs.size() && ok(); ++i) {
      where_ = Str(step_name, ", ", Describe(golden_.graph, step.request.fetches[i]), ": ");
      JudgeValue(step.values[i], played.outputs[i], allowed, i);
    }
  }

  void JudgeValue(const RecordedValue& recorded, const Tensor& actual, const std::vector<reference::Value>& allowed,
                  size_t fetch) {
    const Sides mine{is_reference_ ? "reference" : "actual", "TensorFlow"};
    if (recorded.check == Check::kType) return Take(CompareType(actual, recorded.tensor, mine));
    if (recorded.check == Check::kExact) {
      const Verdict equal = Compare(actual, recorded.tensor, {}, {}, mine);
      // Exact values may hang on inexact ones (the position of the largest, say): then both must be what the reference
      // shows under random rounding.
      if (equal.ok() || !oracle_ || !NeedsBounds()) return Take(equal);
    }
    const Samples samples = oracle_->Sampler(fetch);
    // The recorded value, like the backend's, has to lie where the reference allows.
    if (!is_reference_) Take(Compare(actual, allowed[fetch], samples, {}, {"actual", "reference"}));
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
  const bool is_reference_;
  std::unique_ptr<Session> session_;
  std::optional<Oracle> oracle_;
  Status loaded_;
  Judge judge_ = Judge::kExact;
  std::string where_;
  CaseResult result_;
};

}  // namespace

Backend FindBackend(const std::string& name) {
  SessionOptions options;
  options.allow_soft_placement = true;
  Backend backend{name, [=] { return OpenSession(name, options); },
                  [=](std::string_view op) { return IsImplemented(name, op); }};
  if (library::IsLibrary(name)) {
    backend.declares = [=](std::string_view op, const AttrMap& types) {
      return library::Library::Open(name).HasKernel(op, types);
    };
  }
  return backend;
}

CaseResult JudgeCase(const GoldenCase& golden, const Backend& backend) {
  const auto failed = [&](const std::string& detail) {
    return CaseResult{golden.name, backend.name, Outcome::kFailed, std::string(GateName(Gate::kStatus)), detail};
  };
  try {
    const std::string missing = MissingFor(golden, backend);
    if (!missing.empty()) return {golden.name, backend.name, Outcome::kUnsupported, "", missing};
    if (!golden.contents_status.ok()) return failed("unreadable: " + golden.contents_status.ToString());
    return golden.observed.empty() ? Replay(golden, backend).Judged() : JudgeRace(golden, backend);
  } catch (const Error& error) {
    return failed(error.status().ToString());
  }
}

}  // namespace plumb::conformance
