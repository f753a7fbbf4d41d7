// What `plumb run` answers to the shell.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/slice_file.h"
#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "tools/commands.h"

namespace plumb::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The graph and the fetch of a command line with --queue-runners, and other options by name; the rest keep what they
// hold.
class Fetching : public Options {
 public:
  Fetching(std::string graph, std::string fetch, std::map<std::string, std::string> others = {})
      : graph_(std::move(graph)), fetch_(std::move(fetch)), others_(std::move(others)) {}
  void Flag(const std::string& name, bool* value, const std::string&) override {
    const auto other = others_.find(name);
    *value = other != others_.end() ? other->second != "off" : name == "--queue-runners";
  }
  void Option(const std::string& names, std::string* value, const std::string&) override {
    if (const auto other = others_.find(names); other != others_.end()) *value = other->second;
  }
  void Option(const std::string&, int*, const std::string&) override {}
  void Option(const std::string&, double*, const std::string&) override {}
  void Option(const std::string& names, std::vector<std::string>* values, const std::string&) override {
    values->clear();
    if (names == "--fetch" && !fetch_.empty()) values->push_back(fetch_);
    if (const auto other = others_.find(names); other != others_.end()) values->push_back(other->second);
  }
  void Argument(const std::string&, std::string* value, const std::string&) override { *value = graph_; }
  void OptionalArgument(const std::string&, std::string*, const std::string&) override {}

 private:
  const std::string graph_, fetch_;
  const std::map<std::string, std::string> others_;
};

// A runner puts the numbers of a local counter, 7 to 9, into a queue.
constexpr const char* kCountedInput = R"(
  graph_def {
    node { name: "epochs" op: "VariableV2" attr { key: "dtype" value { type: DT_INT64 } }
           attr { key: "shape" value { shape {} } } }
    node { name: "first" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
           attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 7 } } } }
    node { name: "epochs/Assign" op: "Assign" input: "epochs" input: "first"
           attr { key: "T" value { type: DT_INT64 } } }
    node { name: "count" op: "CountUpTo" input: "epochs" attr { key: "T" value { type: DT_INT64 } }
           attr { key: "limit" value { i: 10 } } }
    node { name: "queue" op: "FIFOQueueV2" attr { key: "component_types" value { list { type: DT_INT64 } } } }
    node { name: "put" op: "QueueEnqueueV2" input: "queue" input: "count"
           attr { key: "Tcomponents" value { list { type: DT_INT64 } } } }
    node { name: "close" op: "QueueCloseV2" input: "queue" }
    node { name: "cancel" op: "QueueCloseV2" input: "queue"
           attr { key: "cancel_pending_enqueues" value { b: true } } }
    node { name: "take" op: "QueueDequeueV2" input: "queue"
           attr { key: "component_types" value { list { type: DT_INT64 } } } }
  }
  collection_def { key: "queue_runners" value { bytes_list {
    value: "\n\005queue\022\003put\032\005close\"\006cancel" } } }
)";
constexpr const char* kLocalVariables = R"(
  collection_def { key: "local_variables" value { bytes_list { value: "\n\010epochs:0\022\015epochs/Assign" } } }
)";

class QueueRunnersOfRun : public testing::Test {
 protected:
  void Declare(const std::string& text, std::map<std::string, std::string> others = {}) {
    const std::string path = folder_.path() + "/meta.pbtxt";
    WriteFile(path, text);
    Fetching options(path, "take:0", std::move(others));
    RunCommand().Declare(options);
  }
  TemporaryFolder folder_;
};

TEST_F(QueueRunnersOfRun, FindLocalVariablesInitialised) {
  Declare(std::string(kCountedInput) + kLocalVariables);
  testing::internal::CaptureStdout();
  const Status status = StatusOf([] { EXPECT_EQ(RunCommand().Run(), 0); });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "take:0 = int64[] {7}\n");
  EXPECT_EQ(status.ToString(), "OK");
}

// Nothing else gives this variable its value: the collection of local variables is not there.
TEST_F(QueueRunnersOfRun, BeginAfterTheNodesThatRunFirst) {
  Declare(kCountedInput, {{"--first", "epochs/Assign"}});
  testing::internal::CaptureStdout();
  const Status status = StatusOf([] { EXPECT_EQ(RunCommand().Run(), 0); });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "take:0 = int64[] {7}\n");
  EXPECT_EQ(status.ToString(), "OK");
}

TEST_F(QueueRunnersOfRun, SayWhyTheyFailedBeforeWhatTheStepMet) {
  Declare(kCountedInput);
  const Status status = StatusOf([] { RunCommand().Run(); });
  EXPECT_EQ(status.code(), Code::kFailedPrecondition) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("node 'count'"));
  EXPECT_THAT(status.message(), HasSubstr("; then the step: "));
}

TEST(LocalVariables, AreSaidToBeInitialisedByAnOption) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/meta.pbtxt";
  WriteFile(path, std::string(kCountedInput) + kLocalVariables);
  Fetching options(path, "count:0", {{"--queue-runners", "off"}});
  RunCommand().Declare(options);
  const Status status = StatusOf([] { RunCommand().Run(); });
  EXPECT_EQ(status.code(), Code::kFailedPrecondition) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("--queue-runners initialises them"));
}

// Runs name several nodes by --target.
class Targeting final : public Fetching {
 public:
  Targeting(std::string graph, std::vector<std::string> targets, std::string fetch,
            std::map<std::string, std::string> others)
      : Fetching(std::move(graph), std::move(fetch), std::move(others)), targets_(std::move(targets)) {}
  void Option(const std::string& names, std::vector<std::string>* values, const std::string& help) override {
    Fetching::Option(names, values, help);
    if (names == "--target") *values = targets_;
  }
  using Fetching::Option;

 private:
  const std::vector<std::string> targets_;
};

// Within one step "inc" would run once, and nothing would put it behind "set5".
TEST(Targets, RunEachInAStepOfItsOwnInTheirOrder) {
  const TemporaryFolder folder;
  const std::string graph = folder.path() + "/graph.pbtxt";
  WriteFile(graph, R"(
    node { name: "r" op: "VariableV2" attr { key: "dtype" value { type: DT_INT32 } }
           attr { key: "shape" value { shape {} } } }
    node { name: "one" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
           attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } } } }
    node { name: "five" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
           attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 5 } } } }
    node { name: "i" op: "Assign" input: "r" input: "one" attr { key: "T" value { type: DT_INT32 } } }
    node { name: "set5" op: "Assign" input: "r" input: "five" attr { key: "T" value { type: DT_INT32 } } }
    node { name: "inc" op: "AssignAdd" input: "r" input: "one" attr { key: "T" value { type: DT_INT32 } } })");
  const auto printed_after = [&](std::vector<std::string> targets) {
    Targeting options(graph, std::move(targets), "r:0", {{"--first", "i"}});
    RunCommand().Declare(options);
    testing::internal::CaptureStdout();
    EXPECT_EQ(StatusOf([] { RunCommand().Run(); }).ToString(), "OK");
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(printed_after({}), "r:0 = int32[] {1}\n");
  EXPECT_EQ(printed_after({"inc", "inc"}), "r:0 = int32[] {3}\n");
  EXPECT_EQ(printed_after({"set5", "inc"}), "r:0 = int32[] {6}\n");
  EXPECT_EQ(printed_after({"inc", "set5"}), "r:0 = int32[] {5}\n");
}

// The collection names the initialiser of a table from 3 and 4 to 30 and 40.
TEST(Tables, AreFilledWhereQueueRunnersRun) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/meta.pbtxt";
  WriteFile(path, R"(
    graph_def {
      node { name: "table" op: "HashTableV2" attr { key: "key_dtype" value { type: DT_INT64 } }
             attr { key: "value_dtype" value { type: DT_INT64 } } }
      node { name: "keys" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
             attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape { dim { size: 2 } }
                                                  int64_val: 3 int64_val: 4 } } } }
      node { name: "values" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
             attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape { dim { size: 2 } }
                                                  int64_val: 30 int64_val: 40 } } } }
      node { name: "fill" op: "InitializeTableV2" input: "table" input: "keys" input: "values"
             attr { key: "Tkey" value { type: DT_INT64 } } attr { key: "Tval" value { type: DT_INT64 } } }
      node { name: "asked" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
             attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape { dim { size: 3 } }
                                                  int64_val: 4 int64_val: 5 int64_val: 3 } } } }
      node { name: "none" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
             attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: -1 } } } }
      node { name: "find" op: "LookupTableFindV2" input: "table" input: "asked" input: "none"
             attr { key: "Tin" value { type: DT_INT64 } } attr { key: "Tout" value { type: DT_INT64 } } }
    }
    collection_def { key: "table_initializer" value { node_list { value: "fill" } } })");
  const auto status_with = [&](const std::map<std::string, std::string>& others) {
    Fetching options(path, "find:0", others);
    RunCommand().Declare(options);
    return StatusOf([] { RunCommand().Run(); });
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(status_with({}).ToString(), "OK");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "find:0 = int64[3] {40, -1, 30}\n");
  EXPECT_EQ(status_with({{"--queue-runners", "off"}}).code(), Code::kFailedPrecondition);
}

TEST(RunsOfNothing, AreRefusedByTheNamesOfTheOptions) {
  Fetching options("graph.pbtxt", "");
  RunCommand().Declare(options);
  EXPECT_THAT(StatusOf([] { RunCommand().Run(); }).message(),
              AllOf(HasSubstr("--fetch NAME:0"), HasSubstr("--target NAME")));
}

TEST(SoftPlacement, RunsWhatAsksForADeviceThatIsNotThere) {
  const TemporaryFolder folder;
  const std::string graph = folder.path() + "/graph.pbtxt";
  WriteFile(graph, R"(
    node { name: "three" op: "Const" device: "/device:GPU:7" attr { key: "dtype" value { type: DT_INT32 } }
           attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 3 } } } })");
  const auto status_with = [&](const std::map<std::string, std::string>& options) {
    Fetching fetching(graph, "three:0", options);
    RunCommand().Declare(fetching);
    return StatusOf([] { RunCommand().Run(); });
  };
  EXPECT_THAT(status_with({}).message(), HasSubstr("with soft placement it runs elsewhere"));
  EXPECT_EQ(status_with({}).code(), Code::kInvalidArgument);
  testing::internal::CaptureStdout();
  EXPECT_EQ(status_with({{"--soft-placement", ""}}).ToString(), "OK");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "three:0 = int32[] {3}\n");
}

// A library opens files by itself. It is not even loaded. What is declared stays so in this process.
TEST(Sandbox, IsRefusedWithALibrary) {
  const auto exit_refused = [] {
    Fetching options("graph.pbtxt", "x:0", {{"--sandbox", "box"}, {"--backend", "./libmine.so"}});
    RunCommand().Declare(options);
    const Status status = StatusOf([] { RunCommand().Run(); });
    std::fputs(status.ToString().c_str(), stderr);
    std::exit(static_cast<int>(status.code()));
  };
  EXPECT_EXIT(exit_refused(), testing::ExitedWithCode(static_cast<int>(Code::kInvalidArgument)),
              "--sandbox does not hold for the library './libmine.so'");
}

// A sandbox holds for what the graph names, not for the checkpoint that the user does. It lasts as long as the process.
TEST(Sandbox, LeavesTheCheckpointReadable) {
  const TemporaryFolder folder;
  const std::string graph = folder.path() + "/graph.pbtxt", prefix = folder.path() + "/ckpt";
  WriteFile(graph, R"(
    node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape {} } } }
    node { name: "path" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
           attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape {} string_val: "/etc/passwd" } } } }
    node { name: "file" op: "ReadFile" input: "path" })");
  BundleWriter writer(Files(), prefix);
  writer.Add("v", MakeScalar<float>(7));
  writer.Finish();
  SliceFileWriter shard(Files(), prefix + "-00000-of-00001");  // of the first format, which a pattern names
  shard.Add("v", Shape(), TensorSlice(), MakeScalar<float>(7));
  shard.Finish();
  Files().MakeFolder(folder.path() + "/box");
  const auto exit_with_code_of = [&](Command& command, const std::string& fetch, const std::string& checkpoint) {
    Fetching options(graph, fetch, {{"--restore", checkpoint}, {"--sandbox", folder.path() + "/box"}});
    command.Declare(options);
    std::istringstream words("continue\n");  // for the debugger
    std::cin.rdbuf(words.rdbuf());
    const Status status = StatusOf([&] { command.Run(); });
    std::exit(static_cast<int>(status.code()));
  };
  const testing::ExitedWithCode ok(static_cast<int>(Code::kOk)), denied(static_cast<int>(Code::kPermissionDenied));
  for (const std::string& checkpoint : {prefix, prefix + "-????\?-of-00001"}) {
    for (Command* const command : {&RunCommand(), &PlaceCommand()}) {
      EXPECT_EXIT(exit_with_code_of(*command, "v:0", checkpoint), ok, "") << command->name();
      EXPECT_EXIT(exit_with_code_of(*command, "file:0", checkpoint), denied, "") << command->name();
    }
  }
  EXPECT_EXIT(exit_with_code_of(DebugCommand(), "path:0", prefix), ok, "");
  EXPECT_EXIT(exit_with_code_of(DebugCommand(), "file:0", prefix), denied, "");
}

}  // namespace
}  // namespace plumb::tools
