// A backend against the reference on a case that may be wrong: the same code, or the same values.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backends.h"
#include "conformance/compare/equivalence.h"
#include "conformance/suites/answers.h"
#include "conformance/suites/trial_folders.h"
#include "conformance/suites/wrong_cases_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {

// What differs between the reference and a backend; empty: nothing.
class WrongJudge {
 public:
  WrongJudge(const OpDef& op, Answers& answers, std::string_view backend, const SessionOptions& options = {})
      : answers_(answers), backend_(backend), options_(options), has_one_answer_(op.name != "NegTrain") {}

  std::string Difference(const TrialFolders& folders) {
    // What waits for ever says so within a moment; a busy machine may need more of them.
    for (const int64_t moment_ms : {100, 1000, 5000}) {
      moment_ms_ = moment_ms;
      is_late_ = false;
      const std::string difference = DifferenceOnce(folders);
      if (!is_late_) return difference;
    }
    return Str(backend_, ": its time is up, and nothing of it waits");
  }
  bool failed() const { return failed_; }
  // Who has no memory for a case may say so before it sees what the other finds wrong.
  void LetMemoryEnd() { memory_ends_ = true; }

 private:
  std::string DifferenceOnce(const TrialFolders& folders) {
    const SingleNode& single = answers_.single();
    session_ = OpenSession(backend_, options_);
    folders.Empty();
    Status loaded = session_->Extend(single.graph);
    if (const std::string other = Other(loaded, answers_.loaded()); !other.empty() || !loaded.ok()) return other;
    size_t number = 0;
    for (const StepRequest* step : StepsOf(single)) {
      const std::string difference = Step(*step, number++, folders);
      if (failed_ || !difference.empty()) return difference;
    }
    return "";
  }

  std::string Other(const Status& actual, const Status& expected) {
    failed_ = !expected.ok();
    if (actual.code() == expected.code() || (memory_ends_ && RefusedForMemory(actual, expected))) return "";
    return Str(backend_, ": ", actual.ToString(), "; reference: ", expected.ToString());
  }

  std::string Step(const StepRequest& step, size_t number, const TrialFolders& folders) {
    folders.EnterReference();
    const reference::StepOutcome& expected = answers_.To(number, step);
    if (expected.status.code() == Code::kInternal) return CodeBesideTheRule(step, folders);
    std::vector<Tensor> outputs;
    folders.EnterBackend();
    const bool waits = expected.status.message().find("nothing can move any more") != std::string::npos;
    const Status actual = session_->Run({.timeout_ms = waits ? moment_ms_ : 5000}, step.feeds, step.fetches,
                                        step.targets, &outputs, nullptr);
    is_late_ = waits && actual.code() == Code::kDeadlineExceeded && !SaysWhoWaits(actual.message());
    folders.EnterReference();
    if (const std::string other = Other(actual, expected.status); !other.empty() || failed_) return other;
    if (!has_one_answer_) return "";
    Alignment alignment(answers_.single().graph);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const reference::Value& allowed = expected.values[i];
      const bool opaque = IsOpaque(outputs[i].dtype());
      const Tensor aligned = alignment.Aligned(step.fetches[i], outputs[i], allowed.tensor);
      const Equivalence equivalence = EquivalenceOf(answers_.single().graph, step.fetches[i]);
      const Verdict verdict = opaque ? CompareType(outputs[i], allowed.tensor)
                                     : Compare(aligned, Settled(allowed, equivalence), answers_.Sampler(number, i));
      if (!verdict.ok()) return Str(step.fetches[i], ": ", verdict.detail);
    }
    return "";
  }
  // A shape rule refuses what kernels take: they are held against each other without it.
  std::string CodeBesideTheRule(const StepRequest& step, const TrialFolders& folders) {
    reference::ReferenceSession reference{SessionOptions{}};
    std::vector<Tensor> outputs;
    const SingleNode& single = answers_.single();
    Status expected = reference.Extend(single.graph);
    const StepRequest& before = single.initialize;
    if (expected.ok() && !before.targets.empty()) {
      expected = reference.Run(before.feeds, before.fetches, before.targets, &outputs);
    }
    if (expected.ok()) expected = reference.Run(step.feeds, step.fetches, step.targets, &outputs);
    folders.EnterBackend();
    const Status actual = session_->Run(step.feeds, step.fetches, step.targets, &outputs);
    folders.EnterReference();
    const std::string other = Other(actual, expected);
    failed_ = true;  // nothing else can be compared
    return other;
  }
  // Whether a node of the case is among those that the message of a deadline lists.
  bool SaysWhoWaits(const std::string& message) const {
    const auto& nodes = answers_.single().graph.nodes;
    return std::any_of(nodes.begin(), nodes.end(), [&](const NodeDef& node) {
      return message.find(Str("; '", node.name, "' (")) != std::string::npos;
    });
  }
  static bool RefusedForMemory(const Status& one, const Status& other) {
    const bool is_late = one.code() == Code::kDeadlineExceeded || other.code() == Code::kDeadlineExceeded;
    const bool is_short = one.code() == Code::kResourceExhausted || other.code() == Code::kResourceExhausted;
    return !one.ok() && !other.ok() && is_short && !is_late;
  }
  static bool IsOpaque(DType type) { return type == DType::kResource || type == DType::kVariant; }

  Answers& answers_;
  const std::string backend_;
  const SessionOptions options_;
  std::unique_ptr<Session> session_;
  int64_t moment_ms_ = 0;
  bool is_late_ = false, failed_ = false, memory_ends_ = false;
  const bool has_one_answer_;  // what NegTrain draws, it draws with a seed of its own
};

inline std::vector<const OpDef*> OpsOf(std::string_view family) {
  std::vector<const OpDef*> ops;
  for (const Topic& topic : Topics()) {
    if (topic.family != family) continue;
    for (const OpRow& row : topic.rows) {
      const std::string_view signature = row.signature;
      const OpDef& op = GetOp(signature.substr(0, signature.find('(')));
      if (CanSample(op)) ops.push_back(&op);
    }
  }
  return ops;
}

}  // namespace plumb::conformance
