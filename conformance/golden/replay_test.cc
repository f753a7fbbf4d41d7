// How the values of a step are judged: by the record, by the reference's bounds, or by both; and what a verdict says.
#include "conformance/golden/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/golden/play.h"
#include "conformance/golden/run_only_testing.h"
#include "reference/test_graph.h"

namespace plumb::conformance {
namespace {

using reference::TestGraph;
using ::testing::HasSubstr;

const AttrMap kFloat = {{"T", DType::kFloat}};

RecordedStep Fetching(std::vector<std::string> fetches, std::vector<RecordedValue> values) {
  RecordedStep step;
  step.request.fetches = std::move(fetches);
  step.values = std::move(values);
  return step;
}
CaseResult Judged(const TestGraph& graph, std::vector<RecordedStep> steps, const std::string& backend) {
  GoldenCase golden;
  golden.name = "case";
  golden.graph = graph.def;
  golden.steps = std::move(steps);
  return JudgeCase(golden, FindBackend(backend));
}

// Answers as it is told, whatever the graph.
class Answering : public RunOnlySession {
 public:
  explicit Answering(std::vector<Tensor> answers) : answers_(std::move(answers)) {}
  Status Run(const RunOptions&, std::span<const Feed>, std::span<const std::string>, std::span<const std::string>,
             std::vector<Tensor>* outputs, RunMetadata*) override {
    *outputs = answers_;
    return OkStatus();
  }

 private:
  const std::vector<Tensor> answers_;
};
CaseResult Judged(const TestGraph& graph, const RecordedStep& step, std::vector<Tensor> answers) {
  GoldenCase golden;
  golden.graph = graph.def;
  golden.steps = {step};
  return JudgeCase(
      golden, {"fake", [=] { return std::make_unique<Answering>(answers); }, [](std::string_view) { return true; }});
}

// e, which is computed within a bound, and a whole number.
TestGraph Powers() {
  TestGraph graph;
  graph.Const<float>("one", 1).Const<float>("three", 3).Add("power", "Exp", {"one"}, kFloat);
  return graph;
}
const float kE = std::exp(1.0F);
const RecordedValue kPower = {MakeScalar<float>(kE), Check::kBounded};
const RecordedValue kOne = {MakeScalar<float>(1), Check::kExact};

// The boldest of those that were needed, in whatever order.
TEST(Replay, APassedCaseSaysWhatJudgedIt) {
  for (const char* backend : {"reference", "cpu"}) {
    EXPECT_EQ(Judged(Powers(), {Fetching({"one:0"}, {kOne})}, backend).gate, "exact");
    EXPECT_EQ(Judged(Powers(), {Fetching({"power:0", "one:0"}, {kPower, kOne})}, backend).gate, "computed bound");
    EXPECT_EQ(Judged(Powers(), {Fetching({"one:0", "power:0"}, {kOne, kPower})}, backend).gate, "computed bound");
    EXPECT_EQ(Judged(Powers(), {Fetching({"power:0"}, {kPower}), Fetching({"one:0"}, {kOne})}, backend).gate,
              "computed bound");
  }
}

// Both the backend's number and the recorded one have to lie where the reference allows.
TEST(Replay, EitherSideMayBeOutOfBounds) {
  const float far = kE + 1e-4F;
  const RecordedValue wrong = {MakeScalar<float>(far), Check::kBounded};
  for (const char* backend : {"reference", "cpu"}) {
    const CaseResult result = Judged(Powers(), {Fetching({"power:0"}, {wrong})}, backend);
    EXPECT_EQ(result.gate, "bound");
    EXPECT_THAT(result.detail, HasSubstr("step 1, 'power:0' (Exp): at [] TensorFlow 2.718"));
  }
  const CaseResult actual = Judged(Powers(), Fetching({"power:0"}, {kPower}), {MakeScalar<float>(far)});
  EXPECT_EQ(actual.gate, "bound");
  EXPECT_THAT(actual.detail, HasSubstr("step 1, 'power:0' (Exp): at [] actual 2.718"));
  EXPECT_EQ(Judged(Powers(), Fetching({"power:0"}, {kPower}), {MakeScalar<float>(kE)}).compared, 3)
      << "the code, and a number of either side";
}

TEST(Replay, OfATypeAloneAnyValueIsRight) {
  const RecordedValue type = {MakeScalar<float>(7), Check::kType};
  EXPECT_EQ(Judged(Powers(), {Fetching({"power:0"}, {type})}, "cpu").outcome, Outcome::kPassed);
  const RecordedValue other = {MakeScalar<double>(7), Check::kType};
  EXPECT_EQ(Judged(Powers(), {Fetching({"power:0"}, {other})}, "cpu").gate, "type");
}

TEST(Replay, AValueForEachFetchIsNeeded) {
  for (const size_t many : {0, 2}) {
    const std::vector<Tensor> answers(many, MakeScalar<float>(1));
    const CaseResult result = Judged(Powers(), Fetching({"one:0"}, {kOne}), answers);
    EXPECT_EQ(result.gate, "type");
    EXPECT_THAT(result.detail, HasSubstr(Str(many, " values, expected 1")));
  }
}

// How much is compared of what no seed fixes may differ from run to run, and stands apart.
TEST(Replay, WhatNoSeedFixesIsComparedByChance) {
  const RecordedValue type = {MakeVector<float>({0, 0}), Check::kType};
  for (const int64_t seed : {0, 7}) {
    TestGraph graph = Powers();
    graph.Value("shape", MakeVector<int32_t>({2}));
    graph.Add("drawn", "RandomUniform", {"shape"},
              {{"T", DType::kInt32}, {"dtype", DType::kFloat}, {"seed", int64_t{0}}, {"seed2", seed}});
    const CaseResult result = Judged(graph, {Fetching({"drawn:0", "one:0"}, {type, kOne})}, "cpu");
    EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
    EXPECT_EQ(result.compared, 2);
    EXPECT_EQ(result.by_chance, seed == 0 ? 2 : 0);
  }
  EXPECT_EQ(Judged(Powers(), {Fetching({"one:0"}, {kOne})}, "cpu").by_chance, 0);
}

// Nothing bounds BesselY1 of zero in float32. An answer that is the recorded one counts, another one does not.
TEST(Replay, WhatHasNoBoundIsComparedByChance) {
  TestGraph graph;
  graph.Value("zero", MakeVector<float>({0, 0}));
  graph.Add("pole", "BesselY1", {"zero"}, {{"T", DType::kFloat}});
  for (const auto& [first, compared] : {std::pair(-INFINITY, 3), std::pair(NAN, 2)}) {
    const RecordedValue recorded = {MakeVector<float>({first, -INFINITY}), Check::kBounded};
    const CaseResult result = Judged(graph, {Fetching({"pole:0"}, {recorded})}, "reference");
    EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
    EXPECT_EQ(result.compared, compared);
    EXPECT_EQ(result.compared - result.by_chance, 1) << "the status alone is settled";
  }
}

// Once, however often it is looked at.
TEST(Replay, WhatHasABoundIsSettled) {
  for (const char* backend : {"reference", "cpu"}) {
    const CaseResult result = Judged(Powers(), {Fetching({"power:0"}, {kPower})}, backend);
    EXPECT_EQ(result.compared - result.by_chance, 1 + kPower.tensor.elements()) << backend;
  }
}

TEST(Replay, WhatAFunctionDrawsMayHaveNoSeed) {
  GoldenCase golden;
  golden.ops = {"PartitionedCall", "RandomStandardNormal"};
  EXPECT_TRUE(DrawsByChance(golden));
  golden.ops = {"PartitionedCall", "Exp"};
  EXPECT_FALSE(DrawsByChance(golden));
}

// Where the reference refuses the step there are no bounds, and no backend is right.
TEST(Replay, WhatTheReferenceRefusesHasNoBounds) {
  TestGraph graph = Powers();
  graph.Value("pair", MakeVector<float>({1, 2})).Value("triple", MakeVector<float>({1, 2, 3}));
  graph.Add("sum", "AddV2", {"pair", "triple"}, kFloat);
  const CaseResult result = Judged(graph, Fetching({"sum:0"}, {kPower}), {MakeScalar<float>(kE)});
  EXPECT_EQ(result.gate, "status");
  EXPECT_THAT(result.detail, HasSubstr("the reference gave no bounds: "));
}

TEST(Replay, ACodeIsSaidWithItsMessages) {
  RecordedStep step = Fetching({"none:0"}, {});
  step.code = Code::kAborted;
  step.message = "why " + std::string(300, 'x');
  const CaseResult result = Judged(Powers(), {step}, "cpu");
  EXPECT_EQ(result.gate, "status");
  EXPECT_THAT(result.detail, HasSubstr(Str("expected ABORTED (why ", std::string(196, 'x'), ")")));
  EXPECT_EQ(result.compared, 1);
}

// Two numbers that are equal but for their rounding: which one is the largest hangs on it. Both answers are shown by
// the reference under random rounding, and another one is not.
TEST(Replay, AnExactValueMayHangOnAnInexactOne) {
  TestGraph graph;
  graph.Value("numbers", MakeVector<float>({1, 1, 0}));
  graph.Add("powers", "Exp", {"numbers"}, kFloat).Const<int32_t>("axis", 0);
  graph.Add("largest", "ArgMax", {"powers", "axis"},
            {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"output_type", DType::kInt64}});
  const RecordedValue powers = {MakeVector<float>({kE, kE, 1}), Check::kBounded};
  const auto judged = [&](int64_t recorded, int64_t actual) {
    const RecordedStep step = Fetching({"largest:0", "powers:0"}, {{MakeScalar<int64_t>(recorded)}, powers});
    return Judged(graph, step, {MakeScalar<int64_t>(actual), powers.tensor});
  };
  EXPECT_EQ(judged(0, 0).gate, "computed bound");
  EXPECT_EQ(judged(1, 0).outcome, Outcome::kPassed) << judged(1, 0).detail;
  EXPECT_EQ(judged(0, 1).outcome, Outcome::kPassed) << judged(0, 1).detail;
  EXPECT_EQ(judged(0, 1).gate, "measured sensitivity");
  EXPECT_EQ(judged(2, 0).gate, "exact");
  EXPECT_EQ(judged(0, 2).gate, "exact");
}

// The sign of a vector is open, its components are not, although the reference's own bound reaches from one sign to
// the other.
TEST(Replay, VectorsAreRightWithEitherSign) {
  TestGraph graph;
  graph.Value("matrix", MakeTensor<double>({2, 2}, {2, 1, 1, 2}));
  graph.Add("eig", "SelfAdjointEigV2", {"matrix"}, {{"T", DType::kDouble}, {"compute_v", true}});
  const double h = std::sqrt(0.5);  // the vectors of 1 and 3 are (h, -h) and (h, h)
  const auto judged = [&](const std::vector<double>& recorded, const std::string& backend) {
    return Judged(graph,
                  {Fetching({"eig:0", "eig:1"}, {{MakeVector<double>({1, 3}), Check::kBounded},
                                                 {MakeTensor<double>({2, 2}, recorded), Check::kBounded}})},
                  backend);
  };
  for (const char* backend : {"reference", "cpu"}) {
    for (const double first : {h, -h}) {
      for (const double second : {h, -h}) {
        const CaseResult result = judged({first, second, -first, second}, backend);
        EXPECT_EQ(result.outcome, Outcome::kPassed) << backend << ": " << result.detail;
      }
    }
    EXPECT_EQ(judged({h, h, h, h}, backend).gate, "bound") << "one component of a vector";
    EXPECT_EQ(judged({h, h, -h, h + 1e-6}, backend).gate, "bound");
  }
}

// Samples of a step are of that step, not of another one of its group.
TEST(Replay, AStepOfAGroupHasSamplesOfItsOwn) {
  TestGraph graph;
  graph.Value("numbers", MakeVector<float>({1, 1}));
  graph.Add("powers", "Exp", {"numbers"}, kFloat).Const<int32_t>("axis", 0).Const<int64_t>("seven", 7);
  graph.Add("largest", "ArgMax", {"powers", "axis"},
            {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"output_type", DType::kInt64}});
  const RecordedValue powers = {MakeVector<float>({kE, kE}), Check::kBounded};
  std::vector<RecordedStep> steps = {
      Fetching({"seven:0", "powers:0"}, {{MakeScalar<int64_t>(7)}, powers}),
      Fetching({"largest:0"}, {{MakeScalar<int64_t>(1)}}),  // by its own rounding the reference says 0
  };
  for (RecordedStep& step : steps) step.group = 1;
  for (const char* backend : {"reference", "cpu"}) {
    const CaseResult result = Judged(graph, steps, backend);
    EXPECT_EQ(result.outcome, Outcome::kPassed) << backend << ": " << result.detail;
  }
  steps[1].values[0].tensor = MakeScalar<int64_t>(7);
  EXPECT_EQ(Judged(graph, steps, "cpu").outcome, Outcome::kFailed);
}

TEST(Replay, AStepIsNamedByItsNumber) {
  const RecordedValue two = {MakeScalar<float>(2), Check::kExact};
  std::vector<RecordedStep> steps(3, Fetching({"one:0"}, {kOne}));
  steps[2] = Fetching({"one:0", "three:0"}, {kOne, two});
  EXPECT_THAT(Judged(Powers(), steps, "cpu").detail, testing::StartsWith("step 3, 'three:0' (Const): "));
  for (RecordedStep& step : steps) step.group = 1;
  EXPECT_THAT(Judged(Powers(), steps, "cpu").detail, testing::StartsWith("step 3, 'three:0' (Const): "));
}

}  // namespace
}  // namespace plumb::conformance
