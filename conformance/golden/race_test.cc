// Steps that start together, and outcomes of which one must come out.
#include "conformance/golden/race.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <set>

#include "conformance/golden/play.h"
#include "conformance/golden/run_only_testing.h"

namespace plumb::conformance {
namespace {

// Answers a step that fetches "meet N" when N of them are there, with the number that it was given for it.
class Meeting : public RunOnlySession {
 public:
  explicit Meeting(std::vector<int32_t> answers) : answers_(std::move(answers)) {}
  Status Run(const RunOptions&, std::span<const Feed>, std::span<const std::string> fetches,
             std::span<const std::string>, std::vector<Tensor>* outputs, RunMetadata*) override {
    if (fetches[0] == "fail") return Status(Code::kCancelled, "as asked");
    std::unique_lock lock(mutex_);
    const size_t rank = come_++;
    all_there_.notify_all();
    const size_t wanted = std::stoul(fetches[0].substr(5));
    if (!all_there_.wait_for(lock, std::chrono::seconds(10), [&] { return come_ >= wanted; })) {
      return Status(Code::kDeadlineExceeded, "alone");
    }
    outputs->push_back(MakeScalar<int32_t>(answers_.at(rank)));
    return OkStatus();
  }

 private:
  const std::vector<int32_t> answers_;
  std::mutex mutex_;
  std::condition_variable all_there_;
  size_t come_ = 0;
};

RecordedStep StepFor(const std::string& fetch, int group, std::vector<RecordedValue> values = {}) {
  RecordedStep step;
  step.request.fetches = {fetch};
  step.group = group;
  step.values = std::move(values);
  return step;
}

TEST(GroupAt, IsTheStepsBehindTheFirstThatShareItsGroup) {
  const std::vector<RecordedStep> steps = {StepFor("a", 0), StepFor("b", 0), StepFor("c", 1),
                                           StepFor("d", 1), StepFor("e", 2), StepFor("f", 1)};
  const std::span<const RecordedStep> all(steps);
  size_t expected[] = {1, 1, 2, 1, 1, 1};
  for (size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(GroupAt(all.subspan(i)).size(), expected[i]) << i;
}

TEST(PlayTogether, StepsOfAGroupMeet) {
  Meeting session({1, 2, 3});
  const std::vector<RecordedStep> steps = {StepFor("meet 3", 1), StepFor("meet 3", 1), StepFor("meet 3", 1)};
  for (const PlayedStep& played : PlayTogether(session, steps)) EXPECT_TRUE(played.status.ok());
}

// ---- Whole cases
// -----------------------------------------------------------------------------------------------------

CaseResult Judged(GoldenCase golden, const std::vector<int32_t>& answers) {
  golden.name = "case";
  return JudgeCase(golden,
                   {"fake", [=] { return std::make_unique<Meeting>(answers); }, [](std::string_view) { return true; }});
}
RecordedOutcome Seen(std::vector<Code> codes, const std::vector<int32_t>& values) {
  RecordedOutcome outcome{std::move(codes), {}};
  for (const int32_t value : values) outcome.values.push_back(MakeScalar<int32_t>(value));
  return outcome;
}

TEST(Groups, AreJudgedStepByStep) {
  GoldenCase golden;
  const std::vector<RecordedValue> seven = {{MakeScalar<int32_t>(7), Check::kExact}};
  golden.steps = {StepFor("meet 2", 1, seven), StepFor("meet 2", 1, seven)};
  EXPECT_EQ(Judged(golden, {7, 7}).outcome, Outcome::kPassed);
  const CaseResult wrong = Judged(golden, {7, 8});
  EXPECT_EQ(wrong.outcome, Outcome::kFailed);
  EXPECT_EQ(wrong.gate, "exact");
}

TEST(Races, EndAsOneOfTheOutcomesThatWereSeen) {
  GoldenCase golden;
  golden.steps = {StepFor("meet 1", 0), StepFor("fail", 0)};
  golden.observed = {Seen({Code::kOk, Code::kCancelled}, {1}), Seen({Code::kOk, Code::kCancelled}, {2})};
  EXPECT_EQ(Judged(golden, {1}).outcome, Outcome::kPassed);
  EXPECT_EQ(Judged(golden, {2}).outcome, Outcome::kPassed);
  EXPECT_GT(Judged(golden, {2}).compared, 1);
  const CaseResult other = Judged(golden, {3});
  EXPECT_EQ(other.outcome, Outcome::kFailed);
  EXPECT_EQ(other.gate, "effect");
  EXPECT_NE(other.detail.find("OK CANCELLED int32[] {3}"), std::string::npos) << other.detail;
}

// Says its answer after it has noted what it was fed.
class Noting : public Meeting {
 public:
  Noting(Status loaded, std::vector<Feed>* noted) : Meeting({1}), loaded_(std::move(loaded)), noted_(*noted) {}
  Status Extend(const GraphDef&) override { return loaded_; }
  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    noted_.insert(noted_.end(), feeds.begin(), feeds.end());
    return Meeting::Run(options, feeds, fetches, targets, outputs, metadata);
  }

 private:
  const Status loaded_;
  std::vector<Feed>& noted_;
};

// Placeholders named for it say how large the products are that delay what races; others are fed what was recorded.
TEST(Races, ArePlayedManyTimesWithOtherDelays) {
  GoldenCase golden;
  golden.steps = {StepFor("meet 1", 0)};
  golden.steps[0].request.feeds = {
      {"delay_1:0", MakeScalar<int32_t>(1)}, {"delay_2:0", MakeScalar<float>(5)}, {"other:0", MakeScalar<int32_t>(3)}};
  golden.observed = {Seen({Code::kOk}, {1})};
  std::vector<Feed> noted;
  const CaseResult result = JudgeCase(golden, {"fake", [&] { return std::make_unique<Noting>(OkStatus(), &noted); },
                                               [](std::string_view) { return true; }});
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
  EXPECT_EQ(result.gate, "exact");
  ASSERT_EQ(static_cast<int64_t>(noted.size()), 3 * result.compared);
  std::set<int32_t> delays;
  for (size_t i = 0; i < noted.size(); i += 3) {
    delays.insert(noted[i].second.scalar<int32_t>());
    EXPECT_EQ(noted[i + 1].second.scalar<float>(), 5);
    EXPECT_EQ(noted[i + 2].second.scalar<int32_t>(), 3);
  }
  EXPECT_EQ(delays, (std::set<int32_t>{1, 16, 64, 128}));
}

TEST(Races, AGraphThatIsRefusedIsAFailureAtOnce) {
  GoldenCase golden;
  golden.steps = {StepFor("meet 1", 0)};
  golden.observed = {Seen({Code::kOk}, {1})};
  std::vector<Feed> noted;
  const Status refused(Code::kInvalidArgument, "no such graph");
  const CaseResult result = JudgeCase(golden, {"fake", [&] { return std::make_unique<Noting>(refused, &noted); },
                                               [](std::string_view) { return true; }});
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.gate, "status");
  EXPECT_EQ(result.detail, "INVALID_ARGUMENT: no such graph");
  EXPECT_EQ(result.compared, 0);
}

TEST(Races, AFailureSaysWhyItsStepsFailedAndWhatWasSeen) {
  GoldenCase golden;
  golden.steps = {StepFor("fail", 0), StepFor("meet 1", 0), StepFor("fail", 0)};
  golden.observed = {Seen({Code::kOk, Code::kOk, Code::kOk}, {1}), Seen({Code::kOk, Code::kOk, Code::kOk}, {2})};
  const CaseResult result = Judged(golden, {1});
  EXPECT_EQ(result.detail,
            "run 1 ended with CANCELLED OK CANCELLED int32[] {1} (as asked; as asked), which is none of the 2 outcomes "
            "that TensorFlow showed, and none that the reference comes to: OK OK OK int32[] {1}");
  EXPECT_EQ(result.compared, 1);
}

TEST(Races, AnOutcomeIsAsManyValues) {
  GoldenCase golden;
  golden.steps = {StepFor("meet 1", 0)};
  golden.observed = {Seen({Code::kOk}, {1, 1}), Seen({Code::kOk}, {})};
  EXPECT_EQ(Judged(golden, {1}).outcome, Outcome::kFailed);
}

TEST(Races, AnOutcomeIsTheCodesAsWell) {
  GoldenCase golden;
  golden.steps = {StepFor("meet 1", 0), StepFor("fail", 0)};
  golden.observed = {Seen({Code::kOk, Code::kOk}, {1}), Seen({Code::kOk, Code::kCancelled}, {1, 1})};
  EXPECT_EQ(Judged(golden, {1}).outcome, Outcome::kFailed);
}

// What no run of TensorFlow showed is judged by what the reference comes to in some order.
TEST(Races, MayEndAsTheReferenceDoesInSomeOrder) {
  const auto constant = [](const std::string& name, int32_t value) {
    return NodeDef{name, "Const", {}, "", {{"dtype", DType::kInt32}, {"value", MakeScalar(value)}}, ""};
  };
  GoldenCase golden;
  golden.graph.versions = {kGraphVersion, 0, {}};
  golden.graph.nodes = {{"v", "VariableV2", {}, "", {{"dtype", DType::kInt32}, {"shape", PartialShape(Shape())}}, ""},
                        constant("zero", 0),
                        constant("one", 1),
                        {"begin", "Assign", {"v", "zero"}, "", {{"T", DType::kInt32}}, ""},
                        {"write", "Assign", {"v", "one"}, "", {{"T", DType::kInt32}}, ""},
                        {"read", "AddV2", {"v", "zero"}, "", {{"T", DType::kInt32}}, ""}};
  golden.steps.resize(3);
  golden.steps[0].request.targets = {"begin"};
  golden.steps[1].request.targets = {"write"};
  golden.steps[2].request.fetches = {"read"};
  golden.steps[1].group = golden.steps[2].group = 1;
  const std::vector<Code> ok = {Code::kOk, Code::kOk, Code::kOk};
  EXPECT_TRUE(IsReachable(golden, Seen(ok, {0})));
  EXPECT_TRUE(IsReachable(golden, Seen(ok, {1})));
  EXPECT_FALSE(IsReachable(golden, Seen(ok, {2})));
}

}  // namespace
}  // namespace plumb::conformance
