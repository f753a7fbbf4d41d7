// A step whose reads and updates no edge orders: a backend may end as TensorFlow did not, if the reference can.
#include "conformance/golden/orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "conformance/compare/oracle.h"
#include "conformance/golden/judge.h"
#include "conformance/golden/run_only_testing.h"
#include "reference/test_graph.h"

namespace plumb::conformance {
namespace {

// Answers each step with the next of some numbers.
class Answering : public RunOnlySession {
 public:
  // `failure`: of a step that is to answer 0.
  explicit Answering(std::vector<float> answers, Code failure = Code::kOk)
      : answers_(std::move(answers)), failure_(failure) {}
  Status Run(const RunOptions&, std::span<const Feed>, std::span<const std::string>, std::span<const std::string>,
             std::vector<Tensor>* outputs, RunMetadata*) override {
    const float answer = answers_.at(steps_++);
    if (answer == 0 && failure_ != Code::kOk) return Status(failure_, "as asked");
    outputs->push_back(MakeScalar<float>(answer));
    return OkStatus();
  }

 private:
  const std::vector<float> answers_;
  const Code failure_;
  size_t steps_ = 0;
};

RecordedStep Fetching(const std::string& fetch, float number, Check check) {
  RecordedStep step;
  step.request.fetches = {fetch};
  step.values = {{MakeScalar<float>(number), check}};
  return step;
}

// Two updates of a variable race; a second step reads what is left. The reference chooses that the second is the last.
GoldenCase TwoUpdates(Check check) {
  const AttrMap type = {{"T", DType::kFloat}};
  GoldenCase golden;
  golden.name = "case";
  golden.graph = reference::TestGraph()
                     .Const<float>("one", 1)
                     .Const<float>("two", 2)
                     .Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}})
                     .Add("to_one", "Assign", {"v", "one"}, type)
                     .Add("to_two", "Assign", {"v", "two"}, type)
                     .Add("last", "Identity", {"v", "^to_one", "^to_two"}, type)
                     .Add("left", "Identity", {"v"}, type)
                     .def;
  golden.ops = {"Assign", "Const", "Identity", "VariableV2"};
  golden.steps = {Fetching("last", 2, check), Fetching("left", 2, check)};
  return golden;
}

CaseResult Judged(const GoldenCase& golden, std::vector<float> answers, Code failure = Code::kOk) {
  return JudgeCase(golden, {"fake", [=] { return std::make_unique<Answering>(answers, failure); },
                            [](std::string_view) { return true; }});
}
// With which the reference answers the second step.
Code JudgedCode(const GoldenCase& golden) {
  Oracle oracle(golden.graph);
  return oracle.RunTogether(RequestsOf(std::span(golden.steps).subspan(1, 1))).at(0).status.code();
}

TEST(OrdersOfEvents, LetABackendEndAsTheReferenceCan) {
  for (const Check check : {Check::kExact, Check::kBounded}) {
    EXPECT_EQ(Judged(TwoUpdates(check), {2, 2}).outcome, Outcome::kPassed);
    const CaseResult other = Judged(TwoUpdates(check), {1, 1});
    EXPECT_EQ(other.outcome, Outcome::kPassed) << other.detail;
    EXPECT_EQ(other.backend, "fake");
    for (const std::vector<float>& impossible : {std::vector<float>{3, 3}, {2, 1}, {1, 2}}) {
      const CaseResult wrong = Judged(TwoUpdates(check), impossible);
      EXPECT_EQ(wrong.outcome, Outcome::kFailed);
      EXPECT_THAT(wrong.detail, testing::HasSubstr("nor does the reference end so in any order"));
    }
  }
}

// Each step of a case has an order of its own: the two race in the same way, and end each in the other's.
TEST(OrdersOfEvents, AreSoughtForEachStepByItself) {
  GoldenCase golden = TwoUpdates(Check::kExact);
  golden.steps = {Fetching("last", 2, Check::kExact), Fetching("last", 2, Check::kExact),
                  Fetching("last", 2, Check::kExact)};
  for (const std::vector<float>& ends : {std::vector<float>{1, 2, 1}, {2, 1, 1}, {1, 1, 2}, {2, 2, 1}}) {
    const CaseResult result = Judged(golden, ends);
    EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
  }
  EXPECT_EQ(Judged(golden, {1, 2, 3}).outcome, Outcome::kFailed);
}

// A step that fails has no values, and has to fail on the reference too.
TEST(OrdersOfEvents, HoldEveryFetchOfAStep) {
  for (const Check check : {Check::kExact, Check::kBounded}) {
    GoldenCase golden = TwoUpdates(check);
    RecordedStep both = Fetching("last", 2, check);
    both.request.fetches.push_back("one");
    both.values.push_back({MakeScalar<float>(1), check});
    golden.steps = {both};
    const auto allows = [&](float last, float one) {
      const std::vector<PlayedStep> played = {{OkStatus(), {MakeScalar(last), MakeScalar(one)}}};
      return IsAllowedInSomeOrder(golden, played);
    };
    EXPECT_TRUE(allows(1, 1));
    EXPECT_TRUE(allows(2, 1));
    EXPECT_FALSE(allows(1, 5));
    EXPECT_FALSE(allows(3, 1));
  }
}

TEST(OrdersOfEvents, HoldStepsThatFailToTheirCode) {
  GoldenCase golden = TwoUpdates(Check::kExact);
  golden.steps.insert(golden.steps.begin() + 1, golden.steps[0]);
  golden.steps[1].request.fetches = {"no such node:0"};
  golden.steps[1].values.clear();
  golden.steps[1].code = JudgedCode(golden);
  ASSERT_NE(golden.steps[1].code, Code::kOk);
  constexpr float kFails = 0;
  EXPECT_EQ(Judged(golden, {1, kFails, 1}, golden.steps[1].code).outcome, Outcome::kPassed);
  EXPECT_EQ(Judged(golden, {1, kFails, 2}, golden.steps[1].code).outcome, Outcome::kFailed);
  EXPECT_EQ(Judged(golden, {1, kFails, 1}, Code::kAborted).outcome, Outcome::kFailed);
}

TEST(OrdersOfEvents, OfNoStepsAreAllowed) { EXPECT_TRUE(IsAllowedInSomeOrder(GoldenCase(), {})); }

TEST(OrdersOfEvents, NeedAValueForEachFetchOfItsType) {
  const GoldenCase golden = TwoUpdates(Check::kExact);
  const auto allowed = [&](std::vector<Tensor> first) {
    const PlayedStep played[] = {{OkStatus(), std::move(first)}, {OkStatus(), {MakeScalar<float>(1)}}};
    return IsAllowedInSomeOrder(golden, played);
  };
  EXPECT_TRUE(allowed({MakeScalar<float>(1)}));
  EXPECT_FALSE(allowed({}));
  EXPECT_FALSE(allowed({MakeScalar<float>(1), MakeScalar<float>(1)}));
  EXPECT_FALSE(allowed({MakeScalar<double>(1)}));
  GoldenCase of_type = golden;
  of_type.steps[0].values[0].check = Check::kType;
  const PlayedStep seven[] = {{OkStatus(), {MakeScalar<float>(7)}}, {OkStatus(), {MakeScalar<float>(1)}}};
  EXPECT_TRUE(IsAllowedInSomeOrder(of_type, seven));
  const PlayedStep other[] = {{OkStatus(), {MakeScalar<double>(7)}}, {OkStatus(), {MakeScalar<float>(1)}}};
  EXPECT_FALSE(IsAllowedInSomeOrder(of_type, other));
}

// Which of two rounded numbers is the larger one hangs on their rounding; of the step that says it, and of no other.
TEST(OrdersOfEvents, AStepIsJudgedByItsOwnSamples) {
  GoldenCase golden;
  golden.graph = reference::TestGraph()
                     .Value("numbers", MakeVector<float>({1, 1}))
                     .Add("powers", "Exp", {"numbers"}, {{"T", DType::kFloat}})
                     .Const<int32_t>("axis", 0)
                     .Add("largest", "ArgMax", {"powers", "axis"},
                          {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"output_type", DType::kInt64}})
                     .Const<int64_t>("seven", 7)
                     .def;
  const Tensor powers = MakeVector<float>({std::exp(1.0F), std::exp(1.0F)}), seven = MakeScalar<int64_t>(7);
  golden.steps.resize(2);
  golden.steps[0].request.fetches = {"seven:0", "powers:0"};
  golden.steps[0].values = {{seven, Check::kExact}, {powers, Check::kBounded}};
  golden.steps[1].request.fetches = {"largest:0"};
  golden.steps[1].values = {{MakeScalar<int64_t>(1), Check::kExact}};
  golden.steps[0].group = golden.steps[1].group = 1;
  const auto allowed = [&](int64_t largest) {
    const PlayedStep played[] = {{OkStatus(), {seven, powers}}, {OkStatus(), {MakeScalar<int64_t>(largest)}}};
    return IsAllowedInSomeOrder(golden, played);
  };
  EXPECT_TRUE(allowed(0));
  EXPECT_TRUE(allowed(1));
}

// What TensorFlow and a backend were asked was not drawn by the court: sums are held to what holds for any numbers.
TEST(OrdersOfEvents, HoldSumsToTheSoundBound) {
  constexpr int64_t kMany = 1024;
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Tensor row(DType::kFloat, {1, kMany}), column(DType::kFloat, {kMany, 1});
  for (Tensor* drawn : {&row, &column}) {
    for (float& x : drawn->mutable_data<float>()) x = uniform(random);
  }
  GoldenCase golden;
  golden.graph = reference::TestGraph()
                     .Value("row", row)
                     .Value("column", column)
                     .Add("sum", "MatMul", {"row", "column"}, {{"T", DType::kFloat}})
                     .def;
  golden.steps = {Fetching("sum:0", 0, Check::kBounded)};
  const auto allowed = [&](Limits limits) {
    std::vector<reference::Value> values;
    const Status status = Oracle(golden.graph, limits).Run(golden.steps[0].request, &values);
    if (!status.ok()) throw Error(status);
    return values.at(0);
  };
  const reference::Value by_proof = allowed(Limits::kSound), by_chance = allowed(Limits::kSharp);
  const double between = ((*by_proof.bound)[0] + (*by_chance.bound)[0]) / 2;
  const float far = by_proof.tensor.data<float>()[0] + static_cast<float>(between);
  golden.steps[0].values[0].tensor = by_proof.tensor;
  const PlayedStep played[] = {{OkStatus(), {MakeTensor<float>({1, 1}, {far})}}};
  ASSERT_FALSE(Compare(played[0].outputs[0], by_chance, {}).ok());
  EXPECT_TRUE(IsAllowedInSomeOrder(golden, played));
}

TEST(OrdersOfEvents, DoNotExcuseWhatTensorFlowAnsweredOtherwise) {
  GoldenCase golden = TwoUpdates(Check::kExact);
  golden.steps[0].values[0].tensor = golden.steps[1].values[0].tensor = MakeScalar<float>(3);
  EXPECT_EQ(Judged(golden, {1, 1}).outcome, Outcome::kFailed) << "the reference does not answer as recorded";
}

TEST(OrdersOfEvents, AreAskedForWhereThereIsState) {
  GoldenCase golden = TwoUpdates(Check::kExact);
  EXPECT_TRUE(HangsOnOrder(golden));
  golden.ops = {"Const", "Identity"};
  EXPECT_FALSE(HangsOnOrder(golden));
  golden.steps[0].group = golden.steps[1].group = 1;
  EXPECT_TRUE(HangsOnOrder(golden));
}

}  // namespace
}  // namespace plumb::conformance
