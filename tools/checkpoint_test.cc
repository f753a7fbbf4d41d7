#include <gmock/gmock.h>

#include "backends/backends.h"
#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/checkpoint_state.h"
#include "spec/checkpoint/reserved.h"
#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "spec/graph/graph_file.h"
#include "spec/graph/text_io.h"
#include "tools/checkpoint_diff.h"
#include "tools/commands.h"
#include "tools/restore.h"

namespace plumb::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The arguments of a command line, in their order, and no options.
class GivenArguments : public Options {
 public:
  explicit GivenArguments(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}
  void Flag(const std::string&, bool*, const std::string&) override {}
  void Option(const std::string&, std::string*, const std::string&) override {}
  void Option(const std::string&, int*, const std::string&) override {}
  void Option(const std::string&, double*, const std::string&) override {}
  void Option(const std::string&, std::vector<std::string>*, const std::string&) override {}
  void Argument(const std::string&, std::string* value, const std::string&) override {
    *value = arguments_.at(next_++);
  }
  void OptionalArgument(const std::string& name, std::string* value, const std::string& help) override {
    Argument(name, value, help);
  }

 private:
  const std::vector<std::string> arguments_;
  size_t next_ = 0;
};

class CheckpointTool : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string Save(const std::string& prefix, const std::map<std::string, Tensor>& tensors) const {
    BundleWriter writer(Files(), Path(prefix));
    for (const auto& [name, tensor] : tensors) writer.Add(name, tensor);
    writer.Finish();
    return Path(prefix);
  }
  // The value of "v" after a checkpoint was restored into the graph of this text.
  float Restored(const std::string& text, const std::string& checkpoint) const {
    WriteFile(Path("graph.pbtxt"), text);
    const auto session = OpenSession("cpu");
    EXPECT_EQ(session->Extend(ParseGraphDefText(text)).ToString(), "OK");
    Restore(*session, LoadMetaGraphFile(Path("graph.pbtxt")), checkpoint);
    std::vector<Tensor> outputs;
    const std::vector<std::string> fetches = {"v:0"};
    EXPECT_EQ(session->Run({}, fetches, {}, &outputs).ToString(), "OK");
    return outputs.at(0).scalar<float>();
  }

  TemporaryFolder folder_;
};

TEST_F(CheckpointTool, DifferencesAreToldByName) {
  const std::string a = Save("a", {{"w", MakeVector<float>({1, 2, 3})},
                                   {"same", MakeScalar<int64_t>(1)},
                                   {"text", MakeVector<std::string>({"x", "y"})},
                                   {"type", MakeScalar<int32_t>(1)},
                                   {"x", MakeScalar<bool>(true)}});
  const std::string b = Save("b", {{"w", MakeVector<float>({1, 2.5, 2.75})},
                                   {"same", MakeScalar<int64_t>(1)},
                                   {"text", MakeVector<std::string>({"x", "z"})},
                                   {"type", MakeScalar<int64_t>(1)},
                                   {"y", MakeScalar<bool>(true)}});
  EXPECT_THAT(DiffCheckpoints(a, a).lines, IsEmpty());
  EXPECT_THAT(DiffCheckpoints(a, b).lines,
              ElementsAre("text: string[2]: 1 of 2 elements differ", "type: int32[] and int64[]",
                          "w: float32[3]: 2 of 3 elements differ, the most by 0.5", "x: only in " + a + ": bool[]",
                          "y: only in " + b + ": bool[]"));
  EXPECT_EQ(StatusOf([&] { DiffCheckpoints(a, Path("none")); }).code(), Code::kNotFound);
}

TEST_F(CheckpointTool, ATensorThatCannotBeReadIsADifferenceOfItsOwn) {
  const auto saved = [&](const std::string& name, float value) {
    BundleWriter writer(Files(), Path(name));
    writer.AddSlice("part", {4}, ParseShapeAndSlice("4 0,2").slice, MakeVector<float>({1, 2}));
    writer.Add("whole", MakeScalar(value));
    writer.Finish();
    return Path(name);
  };
  const std::string a = saved("a", 1), b = saved("b", 2);
  const CheckpointDifferences found = DiffCheckpoints(a, b);
  EXPECT_FALSE(found.is_whole);
  EXPECT_THAT(found.lines, ElementsAre(testing::StartsWith("part: cannot be read: "),
                                       "whole: float32[]: 1 of 1 elements differ, the most by 1"));
}

TEST_F(CheckpointTool, WhatStandsBesideVariablesIsComparedWhereItIsAskedFor) {
  const auto saved = [&](const std::string& name, int64_t position) {
    BundleWriter writer(Files(), Path(name));
    writer.Add("w", MakeScalar<float>(1));
    AddReserved(writer, "data/", {{"position", MakeScalar(position)}});
    writer.Finish();
    return Path(name);
  };
  const std::string a = saved("a", 3), b = saved("b", 4);
  EXPECT_EQ(ReadReserved(Files(), b, "data/").at("position").scalar<int64_t>(), 4);
  EXPECT_THAT(ReadReserved(Files(), b, "other/"), IsEmpty());
  EXPECT_THAT(DiffCheckpoints(a, b).lines, IsEmpty());
  EXPECT_THAT(DiffCheckpoints(a, b, /*all=*/true).lines,
              ElementsAre("_plumb/data/position: int64[]: 1 of 1 elements differ, the most by 1"));
}

TEST_F(CheckpointTool, AFolderStandsForItsLatest) {
  EXPECT_EQ(StatusOf([&] { PrefixOf(folder_.path()); }).code(), Code::kNotFound);
  const std::string prefix = Save("m", {{"w", MakeScalar<float>(1)}});
  WriteCheckpointState(Files(), folder_.path(), {.latest = prefix, .all = {prefix}});
  EXPECT_EQ(PrefixOf(folder_.path()), prefix);
  EXPECT_EQ(PrefixOf(prefix), prefix);
  Files().MakeFolders(prefix);
  EXPECT_EQ(PrefixOf(prefix), prefix);
  Files().Write(prefix + ".meta", "");
  for (const char* const end : {".index", ".data-00000-of-00001", ".meta"}) {
    EXPECT_THAT(StatusOf([&] { PrefixOf(prefix + end); }).message(),
                HasSubstr("is one file of a checkpoint: name the checkpoint as '" + prefix + "'"))
        << end;
  }
}

constexpr const char* kVariable =
    "node { name: 'v' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { "
    "shape { } } } }";
constexpr const char* kSaver =
    "node { name: 'save/Const' op: 'Placeholder' attr { key: 'dtype' value { type: DT_STRING } } }"
    "node { name: 'names' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr { key: 'value' value { "
    "tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: 'other' } } } }"
    "node { name: 'slices' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr { key: 'value' value { "
    "tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: '' } } } }"
    "node { name: 'restored' op: 'RestoreV2' input: 'save/Const' input: 'names' input: 'slices' attr { key: 'dtypes' "
    "value { list { type: DT_FLOAT } } } }"
    "node { name: 'save/restore_all' op: 'Assign' input: 'v' input: 'restored' attr { key: 'T' value { type: DT_FLOAT "
    "} } }";

TEST_F(CheckpointTool, ASavedModelStandsForItsVariables) {
  Files().MakeFolders(Path("model/variables"));
  const std::string prefix = Save("model/variables/variables", {{"w", MakeScalar<float>(1)}});
  EXPECT_EQ(PrefixOf(Path("model")), prefix);
}

// Each object of a program of TensorFlow 2 stands in one text, which is no variable.
TEST_F(CheckpointTool, AllVariablesAreWithoutTheGraphOfObjects) {
  const std::string graph = "_CHECKPOINTABLE_OBJECT_GRAPH";
  const std::string prefix = Save("m", {{"w", MakeScalar<float>(2)}, {graph, MakeScalar<std::string>("objects")}});
  const auto shown = [&](const std::string& tensor) {
    GivenArguments options({prefix, tensor});
    Command& show = *CheckpointCommand().subcommands()[1];
    show.Declare(options);
    testing::internal::CaptureStdout();
    EXPECT_EQ(show.Run(), 0);
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(shown(""), "w = float32[] {2}\n");
  EXPECT_THAT(shown(graph), HasSubstr("objects"));
}

TEST_F(CheckpointTool, GraphsAreRestoredByTheirOwnNodesOrByNames) {
  const std::string prefix = Save("m", {{"v", MakeScalar<float>(5)}, {"other", MakeScalar<float>(6)}});
  EXPECT_EQ(Restored(kVariable, prefix), 5);
  EXPECT_EQ(Restored(Str(kVariable, kSaver), prefix), 6);
}

}  // namespace
}  // namespace plumb::tools
