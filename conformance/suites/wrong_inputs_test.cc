// What fits no op is refused by all implementations with one code, or answered alike: every check of a kernel is met
// from both sides.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backends.h"
#include "conformance/suites/trial_folders_testing.h"
#include "conformance/suites/wrong_cases_testing.h"
#include "conformance/suites/wrong_judge_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kSeed = 5;
constexpr size_t kAnswered = 60, kAnsweredByGpus = 12;

class WrongInputsOf : public testing::TestWithParam<const char*> {};

void JudgeOps(const std::vector<const OpDef*>& ops, std::string_view backend, size_t most) {
  const TemporaryTrialFolders folders;
  int tried = 0, refused = 0;
  for (const OpDef* op : ops) {
    for (const WrongCase& wrong : ChosenWrongCases(*op, kSeed, most, *folders)) {
      WrongJudge judge(*op, *wrong.answers, backend);
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
    for (const SampledCase& wrong : AllWrongInputs(*op, kSeed, WrongInputs)) {
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
