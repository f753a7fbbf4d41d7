// All files of a folder on all backends: in which order, by which names, and what the ledger makes of it.
#include "conformance/golden/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/golden/golden_testing.h"
#include "reference/test_graph.h"
#include "spec/files/file.h"

namespace plumb::conformance {
namespace {

using reference::TestGraph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A case that fetches "x", of which it is recorded that it is 7.
golden::Case Constant(const std::string& name, int32_t value) {
  golden::Case one = FetchCase("x:0", Code::kOk, 7);
  one.set_name(name);
  ToProto(TestGraph().Const<int32_t>("x", value).def, one.mutable_graph());
  return one;
}

class Runs : public testing::Test {
 protected:
  void Write(const std::string& file, const std::vector<golden::Case>& cases) {
    RecordWriter writer(folder_.path() + "/" + file, Compression::kGzip);
    for (const golden::Case& one : cases) writer.Write(one.SerializeAsString());
    writer.Close();
  }
  std::vector<FileResults> RunAll(std::vector<std::string> backends, int jobs = 1) {
    told_.clear();
    return RunGolden({.folder = folder_.path(), .backends = std::move(backends), .worker = {}, .jobs = jobs}, &ledger_,
                     [&](const FileResults& file) { told_.push_back(file.file + " " + file.backend); });
  }
  const TemporaryFolder folder_;
  Ledger ledger_;
  std::vector<std::string> told_;
};

TEST_F(Runs, FilesAreSortedByNameAndEachIsOnAllBackends) {
  for (const char* name : {"b", "c", "a"}) Write(std::string(name) + ".golden.gz", {Constant(name, 7)});
  WriteFile(folder_.path() + "/other.txt", "no case");
  const auto files = RunAll({"cpu", "reference"});
  EXPECT_THAT(told_, ElementsAre("a cpu", "a reference", "b cpu", "b reference", "c cpu", "c reference"));
  ASSERT_EQ(files.size(), 6u);
  for (size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(files[i].file + " " + files[i].backend, told_[i]);
    ASSERT_EQ(files[i].cases.size(), 1u);
    EXPECT_EQ(files[i].cases[0].name, files[i].file);
    EXPECT_EQ(files[i].cases[0].outcome, Outcome::kPassed) << files[i].cases[0].detail;
  }
}

TEST_F(Runs, SeveralAtATimeAreAsMany) {
  for (const char* name : {"a", "b", "c", "d"}) Write(std::string(name) + ".golden.gz", {Constant(name, 7)});
  RunAll({"cpu", "reference"}, 3);
  std::sort(told_.begin(), told_.end());
  EXPECT_THAT(told_, ElementsAre("a cpu", "a reference", "b cpu", "b reference", "c cpu", "c reference", "d cpu",
                                 "d reference"));
  EXPECT_EQ(RunAll({"cpu"}, 0).size(), 4u) << "one at least";
}

TEST_F(Runs, WhatTheLedgerKnowsIsNoFailure) {
  Write("a.golden.gz", {Constant("known", 8), Constant("new", 8), Constant("right", 7)});
  ledger_ = Ledger("cpu | known | exact | it differs\ncpu | right | exact | stale");
  const auto files = RunAll({"cpu"});
  ASSERT_EQ(files.at(0).cases.size(), 3u);
  const auto& cases = files[0].cases;
  EXPECT_EQ(cases[0].outcome, Outcome::kDeviation);
  EXPECT_THAT(cases[0].detail, HasSubstr("it differs [step 1"));
  EXPECT_EQ(cases[0].reproduce, "");
  EXPECT_EQ(cases[1].outcome, Outcome::kFailed);
  EXPECT_EQ(cases[1].gate, "exact");
  EXPECT_THAT(cases[1].reproduce, HasSubstr("--backend cpu --filter new"));
  EXPECT_EQ(cases[2].reproduce, "");
  EXPECT_THAT(ledger_.Unused({"cpu"}), ElementsAre("cpu | right | exact"));
}

TEST_F(Runs, AFolderWithoutCasesIsAMistake) {
  const auto code = [&](const std::string& folder) {
    try {
      RunGolden({.folder = folder, .backends = {"cpu"}, .worker = {}}, &ledger_, [](const FileResults&) {});
      return Code::kOk;
    } catch (const Error& error) {
      return error.status().code();
    }
  };
  EXPECT_EQ(code(folder_.path()), Code::kNotFound);
  EXPECT_EQ(code(folder_.path() + "/none"), Code::kNotFound);
}

// What one case writes, under a name of its own choice, the next one does not find.
TEST_F(Runs, EachCaseHasAFolderOfItsOwn) {
  const TestGraph graph = TestGraph()
                              .Const<std::string>("name", "left.txt")
                              .Const<std::string>("text", "here")
                              .Add("write", "WriteFile", {"name", "text"})
                              .Add("read", "ReadFile", {"name", "^write"})
                              .Add("look", "ReadFile", {"name"});
  golden::Case writes, looks;
  writes.set_name("writes");
  looks.set_name("looks");
  for (golden::Case* one : {&writes, &looks}) {
    ToProto(graph.def, one->mutable_graph());
    one->add_steps()->add_fetches(one == &writes ? "read:0" : "look:0");
  }
  ToProto(MakeScalar<std::string>("here"), writes.mutable_steps(0)->add_values()->mutable_tensor());
  looks.mutable_steps(0)->set_code(static_cast<int>(Code::kNotFound));
  Write("a.golden.gz", {writes, looks, writes});
  for (const CaseResult& result : RunAll({"cpu"}).at(0).cases) {
    EXPECT_EQ(result.outcome, Outcome::kPassed) << result.name << ": " << result.detail;
  }
}

}  // namespace
}  // namespace plumb::conformance
