// Steps that meet at a queue, as recorded cases: on the reference, which has to find an order in which they end so, and
// on a backend whose numbers the reference bounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/golden/judge.h"
#include "reference/state/queue_testing.h"

namespace plumb::conformance {
namespace {

using reference::QueueGraph;
using ::testing::AllOf;
using ::testing::HasSubstr;

RecordedStep Fetching(const std::string& fetch, std::vector<float> numbers, Check check = Check::kExact) {
  RecordedStep step;
  step.request.fetches = {fetch};
  const Shape shape = numbers.size() == 1 ? Shape() : Shape({static_cast<int64_t>(numbers.size())});
  step.values = {{MakeTensor<float>(shape, std::span<const float>(numbers)), check}};
  step.group = 1;
  return step;
}
RecordedStep Running(const std::string& target, Code code = Code::kOk) {
  RecordedStep step;
  step.request.targets = {target};
  step.code = code;
  step.group = 1;
  return step;
}

CaseResult Judged(const QueueGraph& graph, std::vector<RecordedStep> steps, const std::string& backend = "reference") {
  GoldenCase golden;
  golden.name = "case";
  golden.graph = graph.def;
  golden.steps = std::move(steps);
  return JudgeCase(golden, FindBackend(backend));
}

RecordedOutcome Seen(std::vector<float> numbers, size_t steps) {
  return {std::vector<Code>(steps, Code::kOk),
          {MakeTensor<float>({std::ssize(numbers)}, std::span<const float>(numbers))}};
}
// Two steps put a number each, and a third takes both.
CaseResult JudgedRace(std::vector<RecordedOutcome> observed) {
  GoldenCase golden;
  golden.graph = QueueGraph(1).Put("put1", 1).Put("put2", 2).TakeMany("take", 2).def;
  golden.steps = {Running("put1"), Running("put2"), Fetching("take", {})};
  golden.observed = std::move(observed);
  return JudgeCase(golden, FindBackend("reference"));
}

TEST(GroupsOnTheReference, AStepWaitsForAnotherOfItsGroup) {
  const QueueGraph graph = QueueGraph(1).Put("put", 7).Take("take");
  EXPECT_EQ(Judged(graph, {Fetching("take", {7}), Running("put")}).outcome, Outcome::kPassed);
  const CaseResult wrong = Judged(graph, {Fetching("take", {8}), Running("put")});
  EXPECT_EQ(wrong.outcome, Outcome::kFailed);
  EXPECT_EQ(wrong.gate, "exact");
}

TEST(GroupsOnTheReference, EndAsSomeOrderOfTheirEventsEnds) {
  const QueueGraph graph = QueueGraph(1).Put("put1", 1).Put("put2", 2).TakeMany("take", 2);
  const auto judged = [&](std::vector<float> numbers) {
    return Judged(graph, {Running("put1"), Running("put2"), Fetching("take", std::move(numbers))});
  };
  EXPECT_EQ(judged({1, 2}).outcome, Outcome::kPassed);
  EXPECT_EQ(judged({2, 1}).outcome, Outcome::kPassed);
  const CaseResult impossible = judged({1, 1});
  EXPECT_EQ(impossible.outcome, Outcome::kFailed);
  EXPECT_THAT(impossible.detail, HasSubstr("nor does any of 500 orders"));
}

TEST(GroupsOnTheReference, GoOnWhereTheGroupBeforeEnded) {
  const QueueGraph graph = QueueGraph(2).Put("put", 7).Take("take").TakeMany("take2", 2);
  std::vector<RecordedStep> steps = {Fetching("take2", {7, 7}), Running("put"), Running("put"), Running("put"),
                                     Fetching("take", {7})};
  steps[3].group = steps[4].group = 2;
  EXPECT_EQ(Judged(graph, steps).outcome, Outcome::kPassed);
}

TEST(GroupsOnTheReference, SayAtOnceWhoWaitsForWhat) {
  const QueueGraph graph = QueueGraph(1).Put("put", 7).Take("take").TakeMany("take2", 2);
  const CaseResult stuck = Judged(graph, {Fetching("take", {7}), Running("put"), Fetching("take2", {7, 7})});
  EXPECT_EQ(stuck.outcome, Outcome::kFailed);
  EXPECT_EQ(stuck.gate, "status");
  EXPECT_THAT(stuck.detail, AllOf(HasSubstr("DEADLINE_EXCEEDED (nothing can move any more; "), HasSubstr("'take2'")));
  EXPECT_EQ(Judged(graph, {Running("take", Code::kDeadlineExceeded)}).outcome, Outcome::kPassed);
}

TEST(GroupsOnTheReference, ReachWhatWasObservedOfARace) {
  EXPECT_EQ(JudgedRace({Seen({1, 2}, 3), Seen({2, 1}, 3)}).outcome, Outcome::kPassed);
  EXPECT_EQ(JudgedRace({Seen({1, 2}, 3), Seen({2, 1}, 3)}).compared, 2);
  EXPECT_EQ(JudgedRace({Seen({1, 2}, 3)}).outcome, Outcome::kPassed) << "not all need to be observed";
  const CaseResult impossible = JudgedRace({Seen({1, 2}, 3), Seen({1, 1}, 3)});
  EXPECT_EQ(impossible.outcome, Outcome::kFailed);
  EXPECT_EQ(impossible.gate, "effect");
  EXPECT_THAT(impossible.detail, AllOf(HasSubstr("TensorFlow showed OK OK OK float32[2] {1, 1}"),
                                       HasSubstr("it reaches OK OK OK float32[2] {1, 2}; OK OK OK float32[2] {2, 1}")));
  EXPECT_EQ(JudgedRace({Seen({2, 1}, 3)}).outcome, Outcome::kPassed) << "nor need what the reference itself chooses";
}

// Within a step, what the reference chooses by itself is something that TensorFlow showed.
TEST(RacesOnTheReference, EndByItsOwnChoiceAsWasObserved) {
  const AttrMap type = {{"T", DType::kFloat}};
  GoldenCase golden;
  golden.graph = reference::TestGraph()
                     .Const<float>("one", 1)
                     .Const<float>("two", 2)
                     .Add("v", "VariableV2", {}, {{"shape", PartialShape(Shape())}, {"dtype", DType::kFloat}})
                     .Add("to_one", "Assign", {"v", "one"}, type)
                     .Add("to_two", "Assign", {"v", "two"}, type)
                     .Add("last", "Identity", {"v", "^to_one", "^to_two"}, type)
                     .def;
  golden.steps.resize(1);
  golden.steps[0].request.fetches = {"last"};
  const RecordedOutcome one = {{Code::kOk}, {MakeScalar<float>(1)}}, two = {{Code::kOk}, {MakeScalar<float>(2)}};
  golden.observed = {one, two};
  EXPECT_EQ(JudgeCase(golden, FindBackend("reference")).outcome, Outcome::kPassed);
  golden.observed = {one};
  const CaseResult other = JudgeCase(golden, FindBackend("reference"));
  EXPECT_EQ(other.outcome, Outcome::kFailed);
  EXPECT_THAT(other.detail, HasSubstr("by its own choice it ended with OK float32[] {2}"));
}

// The steps that the reference bounds meet there as well.
TEST(GroupsOnABackend, AreBoundedByAReferenceOnWhichTheyMeet) {
  const QueueGraph graph = QueueGraph(1).Put("put", 0.5F).Take("take");
  for (const char* backend : {"cpu", "reference"}) {
    const CaseResult same = Judged(graph, {Fetching("take", {0.5F}, Check::kBounded), Running("put")}, backend);
    EXPECT_EQ(same.outcome, Outcome::kPassed) << backend << ": " << same.detail;
    const CaseResult other = Judged(graph, {Fetching("take", {0.75F}, Check::kBounded), Running("put")}, backend);
    EXPECT_EQ(other.outcome, Outcome::kFailed) << backend;
  }
}

}  // namespace
}  // namespace plumb::conformance
