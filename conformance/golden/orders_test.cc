// A step whose reads and updates no edge orders: a backend may end as TensorFlow did not, if the reference can.
#include "conformance/golden/orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/golden/judge.h"
#include "reference/test_graph.h"

namespace plumb::conformance {
namespace {

// Answers each step with the next of some numbers.
class Answering : public Session {
 public:
  using Session::Run;
  explicit Answering(std::vector<float> answers) : answers_(std::move(answers)) {}
  Status Extend(const GraphDef&) override { return OkStatus(); }
  Status Run(const RunOptions&, std::span<const Feed>, std::span<const std::string>, std::span<const std::string>,
             std::vector<Tensor>* outputs, RunMetadata*) override {
    outputs->push_back(MakeScalar<float>(answers_.at(steps_++)));
    return OkStatus();
  }
  Status MakeCallable(std::span<const std::string>, std::span<const std::string>, std::span<const std::string>,
                      std::unique_ptr<Callable>*) override {
    return Status(Code::kUnimplemented, "not needed");
  }
  Status Reset(std::span<const std::string>) override { return OkStatus(); }
  Status Close() override { return OkStatus(); }

 private:
  const std::vector<float> answers_;
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

CaseResult Judged(const GoldenCase& golden, std::vector<float> answers) {
  return JudgeCase(
      golden, {"fake", [=] { return std::make_unique<Answering>(answers); }, [](std::string_view) { return true; }});
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
