#include <gmock/gmock.h>

#include "backends/backends.h"
#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/checkpoint_state.h"
#include "spec/checkpoint/reserved.h"
#include "spec/checkpoint/slice_file.h"
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
  // The values of these floats after a checkpoint was restored into the graph of this text.
  std::vector<float> Restored(const std::string& text, const std::string& checkpoint,
                              const std::vector<std::string>& fetches = {"v:0"}) const {
    WriteFile(Path("graph.pbtxt"), text);
    const auto session = OpenSession("cpu");
    EXPECT_EQ(session->Extend(ParseGraphDefText(text)).ToString(), "OK");
    Restore(*session, LoadMetaGraphFile(Path("graph.pbtxt")), checkpoint);
    std::vector<Tensor> outputs;
    EXPECT_EQ(session->Run({}, fetches, {}, &outputs).ToString(), "OK");
    std::vector<float> values;
    for (const Tensor& output : outputs) {
      const auto floats = output.data<float>();
      values.insert(values.end(), floats.begin(), floats.end());
    }
    return values;
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
  EXPECT_THAT(Restored(kVariable, prefix), ElementsAre(5));
  EXPECT_THAT(Restored(Str(kVariable, kSaver), prefix), ElementsAre(6));
}

// In one file, and in pieces that a pattern names, a partitioned variable with them.
TEST_F(CheckpointTool, TheFirstFormatIsRestoredByBothToo) {
  const auto part = [](int number, int rows) {
    return Str("node { name: 'e/part_", number,
               "' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } } attr ",
               "{ key: 'shape' value { shape { dim { size: ", rows, " } } } } }");
  };
  const std::string parts = part(0, 1) + part(1, 2);
  const auto add_first = [](SliceFileWriter& writer) {
    writer.Add("e", {3}, ParseShapeAndSlice("3 0,2").slice, MakeVector<float>({1, 2}));
    writer.Add("v", {}, TensorSlice(), MakeScalar<float>(5));
  };
  const auto add_second = [](SliceFileWriter& writer) {
    writer.Add("e", {3}, ParseShapeAndSlice("3 2,1").slice, MakeVector<float>({3}));
    writer.Add("other", {}, TensorSlice(), MakeScalar<float>(6));
  };
  SliceFileWriter whole(Files(), Path("m")), first(Files(), Path("s-00000-of-00002")),
      second(Files(), Path("s-00001-of-00002"));
  add_first(whole);
  add_second(whole);
  add_first(first);
  add_second(second);
  for (SliceFileWriter* writer : {&whole, &first, &second}) writer->Finish();
  for (const char* const name : {"m", "s-????\?-of-00002"}) {
    const std::string prefix = PrefixOf(Path(name));
    EXPECT_THAT(Restored(Str(kVariable, parts), prefix, {"v:0", "e/part_0:0", "e/part_1:0"}), ElementsAre(5, 1, 2, 3))
        << name;
    EXPECT_THAT(Restored(Str(kVariable, kSaver), prefix), ElementsAre(6)) << name;
  }
}

}  // namespace
}  // namespace plumb::tools
