// S10: between any two steps a session may be saved and taken up by another one, and no answer changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "backends/backends.h"
#include "conformance/golden/judge.h"
#include "conformance/golden/orders.h"
#include "spec/files/file_system.h"
#include "spec/files/working_folder_testing.h"
#include "spec/formats/record.h"
#include "spec/graph/function_testing.h"
#include "spec/session/saved_state.h"

namespace plumb::conformance {
namespace {

// Each step runs in a session of its own, which takes up what the one before it left.
class SavedBetweenSteps : public Session {
 public:
  using Session::Run;
  explicit SavedBetweenSteps(std::string_view backend) : backend_(backend), current_(Open()) {}

  Status Extend(const GraphDef& graph) override {
    graphs_.push_back(graph);
    return current_->Extend(graph);
  }
  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    const Status status = current_->Run(options, feeds, fetches, targets, outputs, metadata);
    const Status moved = MoveToAnother();
    return moved.ok() ? status : moved;
  }
  Status MakeCallable(std::span<const std::string>, std::span<const std::string>, std::span<const std::string>,
                      std::unique_ptr<Callable>*) override {
    return Status(Code::kUnimplemented, "no recorded case has callables");
  }
  Status Reset(std::span<const std::string> containers) override { return current_->Reset(containers); }
  Status Close() override { return current_->Close(); }

 private:
  std::unique_ptr<Session> Open() const { return OpenSession(backend_, {.allow_soft_placement = true}); }

  Status MoveToAnother() {
    SavedState state;
    if (Status status = dynamic_cast<SavedSession&>(*current_).Save(&state); !status.ok()) return status;
    current_ = Open();
    for (const GraphDef& graph : graphs_) {
      if (Status status = current_->Extend(graph); !status.ok()) return status;
    }
    if (Status status = dynamic_cast<SavedSession&>(*current_).Restore(state); !status.ok()) return status;
    return ExpectTheSame(state);
  }
  // What is taken up and saved at once is what was saved: steps that do not meet it lie between its own.
  Status ExpectTheSame(const SavedState& state) {
    SavedState again;
    if (Status status = dynamic_cast<SavedSession&>(*current_).Save(&again); !status.ok()) return status;
    for (const auto& [name, value] : state) {
      const auto found = again.find(name);
      const bool is_same = found != again.end() && found->second.BitwiseEquals(value);
      EXPECT_TRUE(is_same) << name << " was " << value.ToString() << " and is "
                           << (found == again.end() ? "nothing" : found->second.ToString());
    }
    EXPECT_EQ(again.size(), state.size());
    return OkStatus();
  }

  const std::string backend_;
  std::vector<GraphDef> graphs_;
  std::unique_ptr<Session> current_;
};

// Steps that run one after the other and may keep something for each other. An alias that a queue keeps is saved as
// what it shows, so one case must change its answer.
bool IsOfInterest(const GoldenCase& golden) {
  if (golden.name.find("test_queue_keeps_alias_across_steps") != std::string::npos) return false;
  return golden.steps.size() > 1 && !HasGroups(golden) && golden.observed.empty() && HangsOnOrder(golden);
}

// Files with relative names are written in a folder of the test's own.
class SavedSteps : public testing::TestWithParam<std::string_view> {
 protected:
  const TemporaryWorkingFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, SavedSteps, testing::Values("reference", "cpu"),
                         [](const auto& info) { return std::string(info.param); });

// Q60: the session that the second step runs in hands on what it took up, though no step of its own asked for it.
TEST_P(SavedSteps, WhatNoStepTouchesIsHandedOn) {
  Files().Write("records", FrameRecord("a") + FrameRecord("b") + FrameRecord("c"));
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  graph.nodes = {
      MakeNode("input", "RecordInput", {}, {{"file_pattern", std::string("records")}, {"batch_size", int64_t{1}}}),
      MakeNode("other", "Const", {}, {{"dtype", DType::kInt32}, {"value", MakeScalar(1)}})};
  SavedBetweenSteps session(GetParam());
  ASSERT_TRUE(session.Extend(graph).ok());
  std::string read;
  for (const std::string fetch : {"input", "other", "input", "input", "other", "other", "input"}) {
    std::vector<Tensor> outputs;
    ASSERT_EQ(session.Run({}, {}, {&fetch, 1}, {}, &outputs, nullptr).ToString(), "OK");
    if (fetch == "input") read += outputs.at(0).data<std::string>()[0];
  }
  EXPECT_EQ(read, "abca");
}

// Q60: commas separate patterns, and a round has the records of the files of each.
TEST_P(SavedSteps, RecordsOfEachPatternMakeARound) {
  Files().Write("a1", FrameRecord("k") + FrameRecord("l"));
  Files().Write("a2", FrameRecord("m"));
  Files().Write("b1", FrameRecord("n") + FrameRecord("o"));
  Files().Write("c1", FrameRecord("p"));
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  graph.nodes = {
      MakeNode("input", "RecordInput", {}, {{"file_pattern", std::string("a*,b*")}, {"batch_size", int64_t{5}}})};
  const auto plain = OpenSession(GetParam());
  SavedBetweenSteps saved(GetParam());
  for (Session* const session : {plain.get(), static_cast<Session*>(&saved)}) {
    ASSERT_EQ(session->Extend(graph).ToString(), "OK");
    for (int round = 0; round < 2; ++round) {
      const std::string fetch = "input";
      std::vector<Tensor> outputs;
      ASSERT_EQ(session->Run({}, {}, {&fetch, 1}, {}, &outputs, nullptr).ToString(), "OK");
      std::string read;
      for (const std::string& record : outputs.at(0).data<std::string>()) read += record;
      std::sort(read.begin(), read.end());
      EXPECT_EQ(read, "klmno");
    }
  }
}

TEST_P(SavedSteps, OfRecordedCasesAnswerAsRecorded) {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  const Backend plain = FindBackend(std::string(GetParam()));
  Backend saved = plain;
  saved.name = Str("saved ", GetParam());
  saved.open = [] { return std::make_unique<SavedBetweenSteps>(GetParam()); };
  int passed = 0;
  for (const auto& file : std::filesystem::directory_iterator(Str(root, "/conformance/golden/cases"))) {
    if (!file.path().string().ends_with(".golden.gz")) continue;
    CaseReader cases(file.path());
    for (auto golden = cases.Next(folder_.path()); golden; golden = cases.Next(folder_.path())) {
      if (!IsOfInterest(*golden)) continue;
      const CaseResult result = JudgeCase(*golden, saved);
      if (result.outcome == Outcome::kPassed) {
        ++passed;
      } else if (result.outcome == Outcome::kFailed) {
        EXPECT_NE(JudgeCase(*golden, plain).outcome, Outcome::kPassed) << golden->name << ": " << result.detail;
      }
    }
  }
  EXPECT_GT(passed, 0);
}

}  // namespace
}  // namespace plumb::conformance
