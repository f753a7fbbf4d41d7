// What fits no op is refused by all implementations with one code, or answered alike: every check of a kernel is met
// from both sides.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backends.h"
#include "conformance/compare/equivalence.h"
#include "conformance/suites/answers.h"
#include "conformance/suites/trial_folders_testing.h"
#include "conformance/suites/wrong_cases_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kSeed = 5;
constexpr size_t kAnswered = 60, kAnsweredByGpus = 12;

// What differs between the reference and a backend; empty: nothing.
class Judge {
 public:
  Judge(const OpDef& op, Answers& answers, std::string_view backend)
      : answers_(answers), backend_(backend), has_one_answer_(op.name != "NegTrain") {}

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

 private:
  std::string DifferenceOnce(const TrialFolders& folders) {
    const SingleNode& single = answers_.single();
    session_ = OpenSession(backend_);
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
    if (actual.code() == expected.code()) return "";
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
  static bool IsOpaque(DType type) { return type == DType::kResource || type == DType::kVariant; }

  Answers& answers_;
  const std::string backend_;
  std::unique_ptr<Session> session_;
  int64_t moment_ms_ = 0;
  bool is_late_ = false, failed_ = false;
  const bool has_one_answer_;  // what NegTrain draws, it draws with a seed of its own
};

std::vector<const OpDef*> OpsOf(std::string_view family) {
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

class WrongInputsOf : public testing::TestWithParam<const char*> {};

void JudgeOps(const std::vector<const OpDef*>& ops, std::string_view backend, size_t most) {
  const TemporaryTrialFolders folders;
  int tried = 0, refused = 0;
  for (const OpDef* op : ops) {
    for (const WrongCase& wrong : ChosenWrongCases(*op, kSeed, most, *folders)) {
      Judge judge(*op, *wrong.answers, backend);
      const std::string difference = judge.Difference(*folders);
      EXPECT_EQ(difference, "") << op->name << " on " << wrong.inputs.label;
      ++tried;
      refused += judge.failed();
    }
  }
  EXPECT_GE(refused, tried / 20);
}

TEST_P(WrongInputsOf, AreRefusedOrAnsweredAlike) { JudgeOps(OpsOf(GetParam()), "cpu", kAnswered); }

TEST_P(WrongInputsOf, AreRefusedOrAnsweredAlikeByGpus) {
  std::vector<const OpDef*> ops = OpsOf(GetParam());
  std::erase_if(ops, [](const OpDef* op) { return !op->gpu_types.has_value(); });
  JudgeOps(ops, "gpu-emulated", kAnsweredByGpus);
}

// Whether a case has other attributes than one that fits, and no other input.
bool HasOtherAttributes(const SampledCase& wrong) { return wrong.label.find(", input ") == std::string::npos; }

// The tried node behind a control input from a branch that is not taken.
GraphDef OnABranchNotTaken(GraphDef graph) {
  for (NodeDef& node : graph.nodes) {
    if (node.name == kTried) node.inputs.emplace_back("^not_taken");
  }
  const AttrMap of_bool = {{"T", DType::kBool}};
  graph.nodes.push_back({"no", "Const", {}, "", {{"dtype", DType::kBool}, {"value", MakeScalar(false)}}, ""});
  graph.nodes.push_back({"choice", "Switch", {"no", "no"}, "", of_bool, ""});
  graph.nodes.push_back({"not_taken", "Identity", {"choice:1"}, "", of_bool, ""});
  return graph;
}

Status RunOn(std::string_view backend, const SingleNode& single, const GraphDef& graph) {
  const auto session = OpenSession(backend);
  Status status = session->Extend(graph);
  const std::vector<std::string> tried = {kTried};
  std::vector<Tensor> outputs;
  if (status.ok()) status = session->Run(single.run.feeds, {}, tried, &outputs);
  return status;
}

// A7: attributes are looked at when kernels are made, before the step, and for nodes that never fire, too. What only
// their inputs could show is not.
TEST_P(WrongInputsOf, AreRefusedAlikeWhereTheNodeNeverFires) {
  const TemporaryTrialFolders folders;
  int tried = 0;
  for (const OpDef* op : OpsOf(GetParam())) {
    for (const SampledCase& wrong : AllWrongInputs(*op, kSeed)) {
      if (!HasOtherAttributes(wrong)) continue;
      const SingleNode single = MakeSingleNode(*op, wrong);
      const GraphDef graph = OnABranchNotTaken(single.graph);
      folders->Empty();
      folders->EnterReference();
      const Status expected = RunOn("reference", single, graph);
      folders->EnterBackend();
      const Status actual = RunOn("cpu", single, graph);
      EXPECT_EQ(actual.code(), expected.code()) << op->name << " on " << wrong.label << "\ncpu: " << actual.ToString()
                                                << "\nreference: " << expected.ToString();
      ++tried;
    }
  }
  RecordProperty("tried", tried);
}

// One suite for each family, so that what a change breaks is met by few of them.
#define PLUMB_WRONG_INPUTS(family) INSTANTIATE_TEST_SUITE_P(family, WrongInputsOf, testing::Values(#family))
PLUMB_WRONG_INPUTS(activation);
PLUMB_WRONG_INPUTS(array);
PLUMB_WRONG_INPUTS(check);
PLUMB_WRONG_INPUTS(clustering);
PLUMB_WRONG_INPUTS(convolution);
PLUMB_WRONG_INPUTS(data_flow);
PLUMB_WRONG_INPUTS(image);
PLUMB_WRONG_INPUTS(linalg);
PLUMB_WRONG_INPUTS(logging);
PLUMB_WRONG_INPUTS(loss);
PLUMB_WRONG_INPUTS(math);
PLUMB_WRONG_INPUTS(matrix);
PLUMB_WRONG_INPUTS(normalization);
PLUMB_WRONG_INPUTS(optimizer);
PLUMB_WRONG_INPUTS(parsing);
PLUMB_WRONG_INPUTS(quantization);
PLUMB_WRONG_INPUTS(ragged);
PLUMB_WRONG_INPUTS(random);
PLUMB_WRONG_INPUTS(reduction);
PLUMB_WRONG_INPUTS(rnn);
PLUMB_WRONG_INPUTS(set);
PLUMB_WRONG_INPUTS(sparse);
PLUMB_WRONG_INPUTS(spectral);
PLUMB_WRONG_INPUTS(state);
PLUMB_WRONG_INPUTS(string);
PLUMB_WRONG_INPUTS(summary);
PLUMB_WRONG_INPUTS(trees);

}  // namespace
}  // namespace plumb::conformance
