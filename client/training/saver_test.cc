#include "client/training/saver.h"

#include <filesystem>

#include "client/embedding/partitioned_variable.h"
#include "client/program.h"
#include "client/testing.h"
#include "client/training/checkpoint_files.h"
#include "spec/checkpoint/reserved.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SaverTest : public OnEachBackend {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  Program NewProgram() { return Program(scope_, OpenSession(GetParam())); }
  std::vector<std::string> Names() const { return Files().List(folder_.path()); }

  TemporaryFolder folder_;
};

TEST_P(SaverTest, ValuesComeBackInAnotherSession) {
  const Variable v = MakeVariable(scope_, Floats({1, 2}), {.name = "v"});
  const Variable n = MakeVariable(scope_, Int(7), {.name = "layer/n"});
  const NodeId change = scope_.Add("AssignAdd", {v.ref(), v.value()});
  Saver saver(scope_, SavedByName(scope_));
  Program first = NewProgram();
  first.Run(InitializeAll(scope_));
  first.Run(change);
  EXPECT_EQ(saver.Save(first, Path("m"), {.step = 12}), Path("m-12"));
  Program second = NewProgram();
  saver.Restore(second, Path("m-12"));
  EXPECT_THAT(Numbers(second.Fetch(v)), ElementsAre(2, 4));
  EXPECT_THAT(Numbers(second.Fetch(n)), ElementsAre(7));
  EXPECT_TRUE(Refuses([&] { saver.Restore(second, Path("m-13")); }, Code::kNotFound, "m-13"));
}

// A checkpoint is restored in part, into variables of other names.
TEST_P(SaverTest, NamesMayDiffer) {
  const Variable a = MakeVariable(scope_, Float(1), {.name = "a"});
  const Variable b = MakeVariable(scope_, Float(2), {.name = "b"});
  Saver both(scope_, SavedByName(scope_));
  Saver swapped(scope_, {{"a", b}});
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  both.Save(program, Path("m"));
  swapped.Restore(program, Path("m"));
  EXPECT_THAT(Numbers(program.Fetch(b)), ElementsAre(1));
  EXPECT_THAT(Numbers(program.Fetch(a)), ElementsAre(1));
  EXPECT_TRUE(Refuses([&] { Saver(scope_, {{"a", a}, {"a", b}}); }, Code::kInvalidArgument, "'a'"));
  EXPECT_TRUE(Refuses([&] { Saver(scope_, {}); }, Code::kInvalidArgument, "needs a variable"));
}

TEST_P(SaverTest, ACheckpointOfAnotherModelIsTold) {
  MakeVariable(scope_, Floats({1, 2}), {.name = "weights"});
  MakeVariable(scope_, Float(2), {.name = "bias"});
  Saver saver(scope_, SavedByName(scope_));
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  saver.Save(program, Path("m"));
  const auto refuses = [&](const std::string& name, int64_t size, Code code, const char* why) {
    Scope other;
    MakeVariable(other, Constant(other, Tensor(DType::kFloat, Shape({size}))), {.name = name});
    Saver restorer(other, SavedByName(other));
    Program wrong(other, OpenSession(GetParam()));
    return Refuses([&] { restorer.Restore(wrong, Path("m")); }, code, why);
  };
  EXPECT_TRUE(
      refuses("weights", 3, Code::kInvalidArgument, "the variable 'weights' has the shape [3], and in the checkpoint"));
  EXPECT_TRUE(refuses("kernel", 1, Code::kNotFound, "has no variable 'kernel': it seems to be another model's"));
}

TEST_P(SaverTest, APathThatIsSavedAgainIsOneCheckpoint) {
  const Variable v = MakeVariable(scope_, Float(7), {.name = "v"});
  Saver saver(scope_, SavedByName(scope_), {.max_to_keep = 2});
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  for (int time = 0; time < 4; ++time) saver.Save(program, Path("m"));
  EXPECT_THAT(saver.checkpoints(), ElementsAre(Path("m")));
  Program other = NewProgram();
  saver.Restore(other, Path("m"));
  EXPECT_THAT(Numbers(other.Fetch(v)), ElementsAre(7));
}

// Who has the files alone goes on from them, on fewer devices too: with the nodes of the saver, by the names that the
// file has for them.
TEST_P(SaverTest, TheGraphStandsBesideTheCheckpoint) {
  const Variable v = MakeVariable(scope_, Floats({1, 2}), {.name = "v", .device = "/device:CPU:1"});
  const Variable count = MakeVariable(scope_, Int(1), {.name = "count", .trainable = false, .local = true});
  const Output twice = scope_.Call("Identity", {v.value() * 2}, {}, "twice");
  Saver saver(scope_, SavedByName(scope_), {.clear_devices = true});
  Program program(scope_, OpenSession(GetParam(), {.cpu_devices = 2}));
  program.Run(InitializeAll(scope_));
  EXPECT_THAT(Numbers(program.Fetch(twice)), ElementsAre(2, 4));
  saver.Save(program, Path("m"));
  const MetaGraph meta = ParseMetaGraph(Files().Read(Path("m.meta")));
  EXPECT_EQ(meta.Collection("variables").size(), 1U);
  EXPECT_EQ(meta.Collection("trainable_variables").size(), 1U);
  EXPECT_THAT(meta.local_initializers, ElementsAre("count/Assign"));
  const auto session = OpenSession(GetParam());
  EXPECT_TRUE(session->Extend(meta.graph).ok());
  std::vector<Tensor> outputs;
  const Feed feed = {meta.saver.filename, MakeScalar(Path("m"))};
  EXPECT_EQ(session->Run({&feed, 1}, {}, {&meta.saver.restore, 1}, &outputs).ToString(), "OK");
  const std::string fetch = "twice:0";
  EXPECT_EQ(session->Run({}, {&fetch, 1}, {}, &outputs).ToString(), "OK");
  EXPECT_THAT(Numbers(outputs.at(0)), ElementsAre(2, 4));
}

// What is written beside the variables is in the same files; who restores variables does not meet it.
TEST_P(SaverTest, MoreThanVariablesIsOneCheckpoint) {
  const Variable v = MakeVariable(scope_, Floats({1, 2}), {.name = "v"});
  Saver saver(scope_, SavedByName(scope_));
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  const std::string left = PartOfCheckpoint(Path("m"), "left");  // by a run that was killed
  Files().MakeFolder(FolderOf(left));
  Files().Write(left, "half");
  for (const int64_t position : {3, 4}) {
    const auto beside = [&] {
      const std::string part = PartOfCheckpoint(Path("m"), "state");
      BundleWriter writer(Files(), part);
      AddReserved(writer, "", {{"position", MakeScalar(position)}});
      writer.Finish();
      return std::vector<std::string>{part};
    };
    EXPECT_EQ(saver.Save(program, Path("m"), {.beside = beside}), Path("m"));
    EXPECT_THAT(Names(),
                ElementsAre("checkpoint", "m.data-00000-of-00002", "m.data-00001-of-00002", "m.index", "m.meta"));
    EXPECT_EQ(ReadReserved(Files(), Path("m"), "").at("position").scalar<int64_t>(), position);
  }
  Program second = NewProgram();
  saver.Restore(second, Path("m"));
  EXPECT_THAT(Numbers(second.Fetch(v)), ElementsAre(1, 2));
}

// What links lead to is not this run's, and stays.
TEST_P(SaverTest, LinksAreNotFollowed) {
  MakeVariable(scope_, Floats({1, 2}), {.name = "v"});
  Saver saver(scope_, SavedByName(scope_));
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  const TemporaryFolder others;
  const std::string precious = others.path() + "/precious", parts = FolderOf(PartOfCheckpoint(Path("m"), "x"));
  Files().Write(precious, "kept");
  for (const bool is_within : {false, true}) {
    if (is_within) Files().MakeFolder(parts);
    std::filesystem::create_directory_symlink(others.path(), is_within ? parts + "/link" : parts);
    saver.Save(program, Path("m"), {.beside = [] { return std::vector<std::string>(); }});
    EXPECT_EQ(Files().Read(precious), "kept") << is_within;
    EXPECT_FALSE(Files().Exists(parts)) << is_within;
  }
}

// A folder that was copied has a state file that names what lies in the old one.
TEST_P(SaverTest, CheckpointsOfAnotherFolderAreNotRemoved) {
  MakeVariable(scope_, Floats({1, 2}), {.name = "v"});
  Saver saver(scope_, SavedByName(scope_), {.max_to_keep = 1});
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  const TemporaryFolder other;
  const std::string old = other.path() + "/m-1";
  saver.Save(program, old);
  Files().Write(Path("checkpoint"),
                Str("model_checkpoint_path: \"", old, "\"\nall_model_checkpoint_paths: \"", old, "\"\n"));
  Saver next(scope_, SavedByName(scope_), {.max_to_keep = 1});
  EXPECT_EQ(next.RestoreLatest(program, FolderOf(Path("m"))), old);
  next.Save(program, Path("m-2"));
  EXPECT_TRUE(CheckpointExists(Files(), old));
}

// Each device writes what lies on it; what comes of it is one checkpoint, for any number of devices.
TEST_P(SaverTest, DevicesSaveTheirOwn) {
  const auto on = [&](const char* device, const char* name, float value) {
    return MakeVariable(scope_, Float(value), {.name = name, .device = device});
  };
  const Variable a = on("/device:CPU:0", "a", 1), b = on("/device:CPU:1", "b", 2), c = on("/device:CPU:0", "c", 3);
  const Variable d = MakeVariable(scope_, Float(4), {.name = "d"});
  Saver whole(scope_, SavedByName(scope_)), sharded(scope_, SavedByName(scope_), {.sharded = true});
  Program program(scope_, OpenSession(GetParam(), {.cpu_devices = 2}));
  program.Run(InitializeAll(scope_));
  sharded.Save(program, Path("m"));
  EXPECT_THAT(Names(), ElementsAre("checkpoint", "m.data-00000-of-00003", "m.data-00001-of-00003",
                                   "m.data-00002-of-00003", "m.index", "m.meta"));
  whole.Save(program, Path("w"));
  for (Saver* saver : {&whole, &sharded}) {
    for (const char* prefix : {"m", "w"}) {
      Program other(scope_, OpenSession(GetParam(), {.cpu_devices = 2}));
      saver->Restore(other, Path(prefix));
      for (const auto& [variable, value] :
           {std::pair(a, 1.0), std::pair(b, 2.0), std::pair(c, 3.0), std::pair(d, 4.0)}) {
        EXPECT_THAT(Numbers(other.Fetch(variable)), ElementsAre(value));
      }
    }
  }
  EXPECT_TRUE(Refuses([&] { Saver(scope_, {{"a", a}, {"a", b}}, {.sharded = true}); }, Code::kInvalidArgument, "'a'"));
}

TEST_P(SaverTest, TheLatestIsFoundAgain) {
  const Variable a = MakeVariable(scope_, Float(1), {.name = "a"});
  Saver saver(scope_, SavedByName(scope_), {.max_to_keep = 2});
  Program program = NewProgram();
  EXPECT_FALSE(saver.RestoreLatest(program, folder_.path()));
  program.Run(InitializeAll(scope_));
  for (const int step : {1, 2}) saver.Save(program, Path("m"), {.step = step});
  Saver later(scope_, SavedByName(scope_), {.max_to_keep = 2});
  Program resumed = NewProgram();
  EXPECT_TRUE(later.RestoreLatest(resumed, folder_.path()));
  EXPECT_THAT(Numbers(resumed.Fetch(a)), ElementsAre(1));
  later.Save(resumed, Path("m"), {.step = 3});
  EXPECT_THAT(later.checkpoints(), ElementsAre(Path("m-2"), Path("m-3")));
  RemoveCheckpoint(Files(), Path("m-2"));
  RemoveCheckpoint(Files(), Path("m-3"));
  EXPECT_THAT(Names(), ElementsAre("checkpoint"));
}

// What somebody has removed by hand is not among those of which there are too many.
TEST_P(SaverTest, OnlyThoseThatAreThereAreCounted) {
  MakeVariable(scope_, Float(1), {.name = "a"});
  const SaverOptions options = {.max_to_keep = 3};
  Saver first(scope_, SavedByName(scope_), options);
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  for (const int step : {1, 2, 3}) first.Save(program, Path("m"), {.step = step});
  for (const char* const removed : {"m-1", "m-2"}) RemoveCheckpoint(Files(), Path(removed));
  EXPECT_THAT(ReadCheckpointState(Files(), folder_.path())->all, ElementsAre(Path("m-1"), Path("m-2"), Path("m-3")));
  Saver later(scope_, SavedByName(scope_), options);
  EXPECT_EQ(later.RestoreLatest(program, folder_.path()), Path("m-3"));
  EXPECT_THAT(later.checkpoints(), ElementsAre(Path("m-3")));
  for (const int step : {4, 5}) later.Save(program, Path("m"), {.step = step});
  EXPECT_THAT(ReadCheckpointState(Files(), folder_.path())->all, ElementsAre(Path("m-3"), Path("m-4"), Path("m-5")));
  for (const char* const kept : {"m-3", "m-4", "m-5"}) EXPECT_TRUE(CheckpointExists(Files(), Path(kept))) << kept;
}

// As a state file says it that somebody has written by hand.
TEST_P(SaverTest, TheLatestMayBeAnyOfThoseThatThereAre) {
  MakeVariable(scope_, Float(1), {.name = "a"});
  Saver saver(scope_, SavedByName(scope_));
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  for (const int step : {1, 2}) saver.Save(program, Path("m"), {.step = step});
  WriteCheckpointState(Files(), folder_.path(), {.latest = Path("m-1"), .all = {Path("m-1"), Path("m-2")}});
  EXPECT_EQ(saver.RestoreLatest(program, folder_.path()), Path("m-1"));
  EXPECT_THAT(saver.checkpoints(), ElementsAre(Path("m-1"), Path("m-2")));
  WriteCheckpointState(Files(), folder_.path(), {.latest = Path("m-2")});
  EXPECT_EQ(saver.RestoreLatest(program, folder_.path()), Path("m-2"));
  EXPECT_THAT(saver.checkpoints(), ElementsAre(Path("m-2")));
}

// As TensorFlow says it of a variable under fixed_size_partitioner(1): all of it in figures, which is stored whole,
// also of a type that is not put together from parts.
TEST_P(SaverTest, OnePartIsTheWhole) {
  const PartitionedVariable table = MakePartitionedVariable(
      scope_, {.name = "emb", .shape = {2, 2}, .dtype = DType::kHalf, .initializer = Filled(7)}, 1);
  EXPECT_EQ(table.parts[0].slice()->place, "2 2 0,2:0,2");
  Saver saver(scope_, SavedByName(scope_));
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  saver.Save(program, Path("m"));
  Program second = NewProgram();
  saver.Restore(second, Path("m"));
  const Tensor sevens = MakeTensor<Half>({2, 2}, {Half(7), Half(7), Half(7), Half(7)});
  EXPECT_TRUE(second.Fetch(table.parts[0]).BitwiseEquals(sevens));
}

// By which TensorFlow's own Saver, made for the graph beside the checkpoint, reads the slices of it.
TEST_P(SaverTest, TheGraphSaysTheSlices) {
  MakePartitionedVariable(scope_, {.name = "emb", .shape = {5, 2}, .initializer = Filled(7)}, 2);
  Saver saver(scope_, SavedByName(scope_));
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  saver.Save(program, Path("m"));
  const std::vector<std::string> variables = ParseMetaGraph(Files().Read(Path("m.meta"))).Collection("variables");
  ASSERT_EQ(variables.size(), 2U);
  const std::string whole("\n\003emb\022\002\005\002", 9);
  EXPECT_THAT(variables[0], HasSubstr(whole + std::string("\032\002\000\000\"\002\003\002", 8)));
  EXPECT_THAT(variables[1], HasSubstr(whole + std::string("\032\002\003\000\"\002\002\002", 8)));
  const Node& assign = scope_.builder().graph().node(scope_.variables()[1].initializer());
  EXPECT_THAT(variables[1], HasSubstr(scope_.builder().graph().NameOf(assign.inputs[1]) + ":0"));
}
PLUMB_ON_EACH_BACKEND(SaverTest);

}  // namespace
}  // namespace plumb
