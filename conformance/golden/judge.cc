#include "conformance/golden/judge.h"

#include <algorithm>
#include <optional>

#include "backends/backends.h"
#include "spec/graph/graph.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/shapes.h"

namespace plumb::conformance {
namespace {

// What the case needs and the backend lacks; empty: nothing.
std::string MissingFor(const GoldenCase& golden, const Backend& backend) {
  if (golden.races) return "a race: the reference does not enumerate outcomes";
  std::string missing;
  for (const std::string& op : golden.ops) {
    const bool known = FindOp(op) != nullptr;
    if (known && backend.implements(op)) continue;
    missing += Str(missing.empty() ? "" : ", ", op, known ? " (no kernel)" : "");
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
    for (size_t i = 0; i < golden_.steps.size() && result_.outcome == Outcome::kPassed; ++i) JudgeStep(i);
    if (result_.outcome == Outcome::kPassed) result_.gate = JudgeName(judge_);
    return std::move(result_);
  }

 private:
  bool NeedsBounds() const {
    for (const RecordedStep& step : golden_.steps) {
      for (const RecordedValue& value : step.values) {
        if (value.check == Check::kBounded) return true;
      }
    }
    return false;
  }

  void JudgeStep(size_t number) {
    const RecordedStep& step = golden_.steps[number];
    where_ = Str("step ", number + 1, ": ");
    std::vector<Tensor> outputs;
    std::vector<reference::Value> allowed;
    const Status status = loaded_.ok() ? RunBoth(step, &outputs, &allowed) : loaded_;
    if (status.code() != step.code) {
      return Fail(Gate::kStatus,
                  Str(CodeName(status.code()), status.ok() ? "" : " (" + status.message() + ")", ", expected ",
                      CodeName(step.code), step.message.empty() ? "" : " (" + step.message.substr(0, 200) + ")"));
    }
    if (!status.ok()) return;
    if (outputs.size() != step.values.size()) {
      return Fail(Gate::kType, Str(outputs.size(), " values, expected ", step.values.size()));
    }
    for (size_t i = 0; i < outputs.size() && result_.outcome == Outcome::kPassed; ++i) {
      where_ = Str("step ", number + 1, ", ", Describe(golden_.graph, step.request.fetches[i]), ": ");
      JudgeValue(step.values[i], outputs[i], allowed, i);
    }
  }

  // One step on the backend and, where bounds are needed, on the reference, which is always judged by the oracle: it
  // holds the shape rules against the shapes that arise.
  Status RunBoth(const RecordedStep& step, std::vector<Tensor>* outputs, std::vector<reference::Value>* allowed) {
    const StepRequest& request = step.request;
    Status expected;
    if (oracle_) expected = oracle_->Run(request, allowed);
    if (!is_reference_) {
      const Status status = session_->Run(request.feeds, request.fetches, request.targets, outputs);
      if (status.ok() && !expected.ok()) {
        return Status(expected.code(), "the reference gave no bounds: " + expected.message());
      }
      return status;
    }
    for (const reference::Value& value : *allowed) outputs->push_back(value.tensor);
    return expected;
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
    if (result_.outcome != Outcome::kPassed) return;
    Take(Compare(recorded.tensor, allowed[fetch], samples, {}, {"TensorFlow", "reference"}));
  }

  void Take(const Verdict& verdict) {
    judge_ = std::max(judge_, verdict.judge);
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

std::string_view OutcomeName(Outcome outcome) {
  constexpr std::string_view kNames[] = {"passed", "failed", "unsupported", "deviation"};
  return kNames[static_cast<int>(outcome)];
}

Backend FindBackend(const std::string& name) {
  SessionOptions options;
  options.allow_soft_placement = true;
  return {name, [=] { return OpenSession(name, options); },
          [=](std::string_view op) { return IsImplemented(name, op); }};
}

CaseResult JudgeCase(const GoldenCase& golden, const Backend& backend) {
  const std::string missing = MissingFor(golden, backend);
  if (!missing.empty()) return {golden.name, backend.name, Outcome::kUnsupported, "", missing};
  if (!golden.contents_status.ok()) {
    return {golden.name, backend.name, Outcome::kFailed, "status", "unreadable: " + golden.contents_status.ToString()};
  }
  try {
    return Replay(golden, backend).Judged();
  } catch (const Error& error) {
    return {golden.name, backend.name, Outcome::kFailed, "status", error.status().ToString()};
  }
}

}  // namespace plumb::conformance
