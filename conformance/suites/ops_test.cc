#include "conformance/suites/ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <memory>
#include <utility>

#include "conformance/suites/ops_testing.h"
#include "conformance/suites/single_node.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

TEST(SingleNode, VariablesStandBehindReferences) {
  const OpDef& op = GetOp("AssignAdd");
  const auto cases = SampleInputs(op, {{"T", DType::kFloat}}, 1);
  ASSERT_FALSE(cases.empty());
  const SingleNode single = MakeSingleNode(op, cases[0]);
  EXPECT_EQ(single.initialize.targets, std::vector<std::string>{"assign_variable_0"});
  EXPECT_EQ(single.run.fetches, std::vector<std::string>{"node:0"});
  EXPECT_EQ(single.inspect.fetches, std::vector<std::string>{"variable_0"});
  const auto session = OpenSession("reference");
  std::vector<Tensor> outputs;
  ASSERT_TRUE(session->Extend(single.graph).ok());
  for (const StepRequest* step : {&single.initialize, &single.run, &single.inspect}) {
    const Status status = session->Run(step->feeds, step->fetches, step->targets, &outputs);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
}

void Keep(Tensor&) {}
void Nudge(Tensor& tensor) {
  for (float& x : tensor.mutable_data<float>()) x = std::nextafter(x, 1e30f);
}

TEST(OpsSuite, WhatIsQuickTriesOneChoiceOfTypesAndFloat32OrInt32BeforeOthers) {
  for (const auto& [op, type] : {std::pair("Neg", "T=float32"), {"BitwiseAnd", "T=int32"}, {"Select", "T=float32"}}) {
    const auto results =
        RunOps(FindBackend("reference"), {.filter = op, .rounds = 1, .is_quick = true}, [](const OpResult&) {});
    ASSERT_EQ(results.size(), 1u) << op;
    EXPECT_EQ(results[0].type, type) << op;
  }
}

TEST(OpsSuite, TheReferenceAgreesWithItself) {
  for (const char* filter : {"Neg/T=float32", "MatMul/T=float32", "AssignAdd/T=float32", "Neg/T=int32"}) {
    const OpResult result = Tried(filter, Keep);
    EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
    EXPECT_GT(result.compared, 0);
    EXPECT_GT(result.seconds, 0);
  }
}

TEST(OpsSuite, OneUnitInTheLastPlaceIsTooMuchForAnExactOp) {
  const OpResult result = Tried("Neg/T=float32", Nudge);
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "exact");
}

// One wrong element of the first answer, all others being exact, is what is left at the end.
TEST(OpsSuite, KeepsTheLargestError) {
  EXPECT_EQ(Tried("Exp/T=float32", Keep).worst, 0);
  const OpResult result = Tried("Exp/T=float32", [is_first = std::make_shared<bool>(true)](Tensor& tensor) {
    if (std::exchange(*is_first, false)) Nudge(tensor);
  });
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
  EXPECT_GT(result.worst, 0);
  EXPECT_LE(result.worst, 1);
}

// One unit is far inside the bound of a sum, but lattice data leaves no room.
TEST(OpsSuite, SumsOfLatticeDataAreExact) {
  const OpResult result = Tried("MatMul/T=float32", Nudge);
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "exact");
  EXPECT_NE(result.detail.find("on the lattice"), std::string::npos) << result.detail;
}

TEST(OpsSuite, AValueForEachFetchIsAskedFor) {
  for (const int more : {1, -1}) {
    const OpResult result = Tried("Neg/T=float32", Mistake{.values_more = more});
    EXPECT_EQ(result.outcome, Outcome::kFailed);
    EXPECT_EQ(result.gate, "type");
    EXPECT_NE(result.detail.find(Str(1 + more, " values for 1 fetches")), std::string::npos) << result.detail;
  }
}

void Overwrite(Tensor& tensor) {
  std::memset(tensor.mutable_raw(), 'B', static_cast<size_t>(tensor.elements()) * ElementSize(tensor.dtype()));
}

// Each fetch of a step, also a variable behind the first that a step changes.
TEST(OpsSuite, EveryFetchIsCompared) {
  const std::pair<const char*, int> steps[] = {
      {"Unique/T=float32*", 2}, {"TopKV2/T=float32*", 2}, {"FusedBatchNorm/T=float32", 5}, {"ApplyAdam/T=float32", 3}};
  for (const auto& [filter, fetches] : steps) {
    for (int i = 0; i < fetches; ++i) {
      const auto results = AllTried(filter, {.spoil = Overwrite, .output = i});
      ASSERT_FALSE(results.empty()) << filter;
      for (const OpResult& result : results) {
        EXPECT_EQ(result.outcome, Outcome::kFailed) << filter << ", fetch " << i;
        EXPECT_EQ(result.gate == "effect", i >= static_cast<int>(GetOp(result.op).outputs.size())) << result.gate;
      }
    }
  }
}

// Of either type that has a lattice.
TEST(OpsSuite, SumsOfLatticeDataAreExactInDoubleToo) {
  const OpResult result = Tried("MatMul/T=float64", [](Tensor& tensor) {
    for (double& x : tensor.mutable_data<double>()) x = std::nextafter(x, 1e30);
  });
  EXPECT_EQ(result.gate, "exact");
  EXPECT_NE(result.detail.find("on the lattice"), std::string::npos) << result.detail;
}

TEST(OpsSuite, AWrongVariableIsAnEffect) {
  const OpResult result = Tried("AssignVariableOp/dtype=float32", Nudge);
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "effect");
}

TEST(OpsSuite, ACrashIsAFailureOfItsOp) {
  const OpResult result = Tried("Neg/T=float32", [](Tensor&) { std::raise(SIGKILL); });
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.type, "T=float32");
  EXPECT_EQ(result.gate, "crash");
  EXPECT_NE(result.detail.find("crashed"), std::string::npos) << result.detail;
}

// Each seed is as many cases; `sim` is tried with one, for its kernels are tried as the CPU's.
TEST(OpsSuite, DrawsAsManySeedsAsABackendWants) {
  const auto cases = [](const char* backend, int rounds) {
    const OpsOptions options{.filter = "LogicalNot", .seed = 1, .rounds = rounds};
    return RunOps(FindBackend(backend), options, [](const OpResult&) {}).at(0).cases;
  };
  const int of_one = cases("cpu", 1);
  EXPECT_EQ(cases("cpu", 0) - of_one, 2 * (cases("cpu", 2) - of_one));
  EXPECT_LT(cases("sim", 0), cases("sim", 2));
  EXPECT_EQ(cases("sim", 0), cases("sim", 1));
}

// A step that hangs costs half of the time for which its process may be silent; the failure names the row and its seed.
TEST(OpsSuite, AHangIsAFailureOfItsSample) {
  const Backend backend{"mistaken", [] { return std::make_unique<Mistaken>(Mistake{.hangs = true}); },
                        [](std::string_view) { return true; }};
  const OpsOptions options{
      .filter = "Neg/T=float32", .seed = 7, .rounds = 2, .silence = std::chrono::milliseconds(4000)};
  const auto results = RunOps(backend, options, [](const OpResult&) {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
  EXPECT_EQ(results[0].gate, "crash");
  EXPECT_TRUE(results[0].detail.ends_with(
      "on mistaken the step of Neg, drawn with seed 7, does not end: a kernel was busy for 2000 ms"))
      << results[0].detail;
  EXPECT_EQ(results[0].reproduce,
            "plumb conformance ops --backend mistaken --filter Neg/T=float32 --seed 7 --rounds 1");
}

TEST(OpsSuite, ACrashCostsItsTypeAlone) {
  const auto results = AllTried("Neg", {.spoil = [](Tensor& tensor) {
                                  if (tensor.dtype() == DType::kFloat) std::raise(SIGKILL);
                                }});
  EXPECT_GT(results.size(), 3u);
  for (const OpResult& result : results) {
    EXPECT_EQ(result.outcome, result.type == "T=float32" ? Outcome::kFailed : Outcome::kPassed) << result.type;
  }
}

TEST(OpsSuite, AFailureSaysTheCommandThatShowsItAgain) {
  const std::string command = Tried("Neg/T=float32", Nudge).reproduce;
  EXPECT_EQ(command, "plumb conformance ops --backend mistaken --filter Neg/T=float32 --seed 1 --rounds 1");
}

void Forget(const std::string& attr, GraphDef& graph) {
  for (NodeDef& node : graph.nodes) node.attrs.erase(attr);
}

// Each of these falls back to its default on the backend.
TEST(OpsSuite, AnAttributeThatIsIgnoredIsFound) {
  const std::pair<const char*, const char*> ignored[] = {
      {"ApplyMomentum/T=float32", "use_nesterov"},
      {"ApplyFtrl/T=float32", "multiply_linear_by_lr"},
      {"FusedBatchNormV2/*U=float32", "exponential_avg_factor"},
      {"MaxPool/T=float32", "data_format"},
      {"Sum/T=float32*", "keep_dims"},
  };
  for (const auto& [filter, attr] : ignored) {
    const std::string name = attr;
    const Mistake mistake{.alter = [name](GraphDef& graph) { Forget(name, graph); }};
    bool found = false;
    for (const OpResult& result : AllTried(filter, mistake)) found |= result.outcome == Outcome::kFailed;
    EXPECT_TRUE(found) << filter << ", " << attr;
  }
}

TEST(OpsSuite, WhatWasNotDrawnIsListed) {
  const auto coverage = AttributesDrawn(AllTried("ApplyMomentum/T=float32", {}));
  EXPECT_EQ(coverage.missing, std::vector<std::string>{});
  EXPECT_EQ(coverage.covered.size(), 4u);  // use_nesterov and use_locking, both ways
  OpResult nothing;
  nothing.op = "ApplyMomentum";
  EXPECT_EQ(AttributesDrawn({nothing}).missing.size(), 4u);
}

// A mistake that shows in large results only: those of a million multiplications.
TEST(OpsSuite, LargeProductsAreTried) {
  const OpResult result = Tried("MatMul/T=float32", [](Tensor& tensor) {
    constexpr int64_t kMany = 1 << 15;
    if (tensor.elements() > kMany) tensor.mutable_data<float>()[static_cast<size_t>(tensor.elements() - 1)] += 1;
  });
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_NE(result.detail.find("large"), std::string::npos) << result.detail;
}

TEST(OpsSuite, BothSidesOfASizeThatChoosesAPathAreTaken) {
  const auto results = RunOps(FindBackend("cpu"), {.filter = "MatMul/T=float32"}, [](const OpResult&) {});
  const Coverage choices = ChoicesTaken(results);
  const auto taken = [&](const std::string& side) {
    return std::find(choices.covered.begin(), choices.covered.end(), side) != choices.covered.end();
  };
  EXPECT_TRUE(taken("matrix product: whole, or in pieces: small"));
  EXPECT_TRUE(taken("matrix product: whole, or in pieces: large"));
}

// Loops are cut by the size of an element, or behind a value of an attribute: in images whose channels come first, say.
TEST(OpsSuite, LargeSidesAreTakenInOtherTypesAndWithOtherAttributes) {
  for (const char* filter : {"AddN/T=float16", "Transpose/T=complex128", "MaxPool/T=int16",
                             "TruncatedNormal/dtype=bfloat16 T=int32", "Sum/T=float32"}) {
    const auto results = RunOps(FindBackend("cpu"), {.filter = filter}, [](const OpResult&) {});
    ASSERT_EQ(results.size(), 1u) << filter;
    EXPECT_EQ(results[0].outcome, Outcome::kPassed) << results[0].detail;
    EXPECT_EQ(ChoicesTaken(results).missing, std::vector<std::string>{}) << filter;
  }
}

TEST(OpsSuite, AValueThatBothSidesRefuseIsComparedAndSaidToBeRefused) {
  const auto results = RunOps(FindBackend("cpu"), {.filter = "MaxPool/T=float32"}, [](const OpResult&) {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].refused, std::vector<std::string>{"data_format=NCHW_VECT_C"});
  const Coverage coverage = AttributesDrawn(results);
  EXPECT_EQ(coverage.missing, std::vector<std::string>{});
  EXPECT_EQ(coverage.refused, std::vector<std::string>{"MaxPool data_format=NCHW_VECT_C"});
  EXPECT_EQ(std::count(coverage.covered.begin(), coverage.covered.end(), coverage.refused[0]), 0);
}

// What the suite would put in its place is refused; what a sample draws is not.
TEST(OpsSuite, AValueThatSomeSampleDrawsIsNotSaidToBeRefused) {
  const auto results =
      RunOps(FindBackend("cpu"), {.filter = "StringLower", .seed = 1, .rounds = 1}, [](const OpResult&) {});
  const Coverage coverage = AttributesDrawn(results);
  EXPECT_EQ(coverage.covered, (std::vector<std::string>{"StringLower encoding=default", "StringLower encoding=other"}));
  EXPECT_TRUE(coverage.refused.empty());
}

TEST(OpsSuite, ABackendThatTracesNothingHasTriedNoDevice) {
  Backend backend{"mistaken", [] { return std::make_unique<Mistaken>(Mistake()); },
                  [](std::string_view) { return true; }};
  backend.device = "/device:GPU:7";
  const auto results = RunOps(backend, {.filter = "Neg/T=float32"}, [](const OpResult&) {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kElsewhere);
  EXPECT_TRUE(ChoicesTaken(results).covered.empty());
}

// A wrong answer is one wherever it was computed.
TEST(OpsSuite, AFailureElsewhereIsAFailure) {
  Backend backend{"mistaken", [] { return std::make_unique<Mistaken>(Mistake{.spoil = Nudge}); },
                  [](std::string_view) { return true; }};
  backend.device = "/device:GPU:7";
  const auto results = RunOps(backend, {.filter = "Neg/T=float32"}, [](const OpResult&) {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].outcome, Outcome::kFailed);
}

// What a result says, its case in the report says.
TEST(OpsSuite, ACaseIsNamedByOpAndType) {
  OpResult result{"Neg", "T=float32", Outcome::kFailed, "exact", "at []"};
  result.compared = 7;
  result.reproduce = "plumb again";
  result.seconds = 0.5;
  const Backend backend{"mistaken", [] { return OpenSession("reference"); }, [](std::string_view) { return true; }};
  const CaseResult one = ToCase(result, backend);
  EXPECT_EQ(one.name, "Neg/T=float32");
  EXPECT_EQ(one.backend, "mistaken");
  EXPECT_EQ(one.outcome, Outcome::kFailed);
  EXPECT_EQ(one.gate, "exact");
  EXPECT_EQ(one.detail, "at []");
  EXPECT_EQ(one.compared, 7);
  EXPECT_EQ(one.reproduce, "plumb again");
  EXPECT_EQ(one.seconds, 0.5);
  result.type.clear();
  EXPECT_EQ(ToCase(result, backend).name, "Neg");
}

// An op counts once, and where one of its types passed it counts as passed.
TEST(OpsSuite, AnOpPassesWithAnyOfItsTypes) {
  const auto result = [](const char* op, Outcome outcome) { return OpResult{op, "", outcome, "", ""}; };
  const Coverage ops =
      OpsPassed({result("B", Outcome::kPassed), result("A", Outcome::kElsewhere), result("A", Outcome::kPassed),
                 result("A", Outcome::kPassed), result("C", Outcome::kElsewhere), result("C", Outcome::kElsewhere),
                 result("D", Outcome::kFailed), result("E", Outcome::kUnsupported)});
  EXPECT_EQ(ops.covered, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(ops.missing, std::vector<std::string>{"C"});
  EXPECT_TRUE(ops.refused.empty());
}

TEST(OpsSuite, ASideThatNothingTookIsListed) {
  OpResult result;
  result.choices = {"cut: large", "block: large", "block: small"};
  const Coverage choices = ChoicesTaken({result});
  EXPECT_EQ(choices.covered, (std::vector<std::string>{"block: large", "block: small", "cut: large"}));
  EXPECT_EQ(choices.missing, std::vector<std::string>{"cut: small"});
  result.choices = {"of a: b: small"};
  EXPECT_EQ(ChoicesTaken({result}).missing, std::vector<std::string>{"of a: b: large"});
}

}  // namespace
}  // namespace plumb::conformance
