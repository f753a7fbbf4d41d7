// Checkpoints of TensorFlow's first format (rules Z51, Z52), as older programs have left them.
#include "client/embedding/partitioned_variable.h"
#include "client/program.h"
#include "client/testing.h"
#include "client/training/checkpoint_files.h"
#include "client/training/restore_graph.h"
#include "client/training/saver.h"
#include "spec/checkpoint/slice_file.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class FirstFormat : public OnEachBackend {
 protected:
  FirstFormat() {
    SliceFileWriter whole(Files(), Path("m"));
    AddRow(whole);
    AddRest(whole);
    whole.Finish();
    SliceFileWriter first(Files(), Path("s-00000-of-00002")), second(Files(), Path("s-00001-of-00002"));
    AddRow(first);
    AddRest(second);
    first.Finish();
    second.Finish();
    for (const char* const graph : {"m.meta", "s.meta"}) Files().Write(Path(graph), "");
  }

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::vector<std::string> Names() const { return Files().List(folder_.path()); }
  Program NewProgram() { return Program(scope_, OpenSession(GetParam())); }
  std::vector<std::string> Checkpoints() const { return {Path("m"), Path("s-????\?-of-00002")}; }

  TemporaryFolder folder_;

 private:
  // Of "emb", which has three.
  static void AddRow(SliceFileWriter& writer) {
    writer.Add("emb", {3, 2}, ParseShapeAndSlice("3 2 0,1:0,2").slice, MakeTensor<float>({1, 2}, {1, 2}));
  }
  static void AddRest(SliceFileWriter& writer) {
    writer.Add("emb", {3, 2}, ParseShapeAndSlice("3 2 1,2:0,2").slice, MakeTensor<float>({2, 2}, {3, 4, 5, 6}));
    writer.Add("v", {1}, TensorSlice::Whole(1), MakeVector<float>({7}));
  }
};

// The parts of the graph are others than those of the files.
TEST_P(FirstFormat, IsRestored) {
  const PartitionedVariable table = MakePartitionedVariable(scope_, {.name = "emb", .shape = {3, 2}}, 2);
  const Variable v = MakeVariable(scope_, Floats({0}), {.name = "v"});
  const GraphDef without_saver = scope_.ToGraphDef();
  Saver saver(scope_, SavedByName(scope_));
  for (const std::string& checkpoint : Checkpoints()) {
    Program program = NewProgram();
    saver.Restore(program, checkpoint);
    EXPECT_THAT(Numbers(program.Fetch(table.parts[0])), ElementsAre(1, 2, 3, 4)) << checkpoint;
    EXPECT_THAT(Numbers(program.Fetch(table.parts[1])), ElementsAre(5, 6)) << checkpoint;
    EXPECT_THAT(Numbers(program.Fetch(v)), ElementsAre(7)) << checkpoint;
    const RestoringGraph restoring = NodesToRestore(Files(), without_saver, checkpoint);
    const auto session = OpenSession(GetParam());
    EXPECT_TRUE(session->Extend(without_saver).ok());
    EXPECT_TRUE(session->Extend(restoring.nodes).ok());
    std::vector<Tensor> outputs;
    EXPECT_EQ(session->Run({}, {}, {&restoring.target, 1}, &outputs).ToString(), "OK");
    const std::vector<std::string> fetches = {"emb/part_0", "emb/part_1", "v"};
    EXPECT_EQ(session->Run({}, fetches, {}, &outputs).ToString(), "OK");
    EXPECT_THAT(Numbers(outputs.at(0)), ElementsAre(1, 2, 3, 4)) << checkpoint;
    EXPECT_THAT(Numbers(outputs.at(1)), ElementsAre(5, 6)) << checkpoint;
    EXPECT_THAT(Numbers(outputs.at(2)), ElementsAre(7)) << checkpoint;
  }
}

TEST_P(FirstFormat, IsRemovedWithAllItsFiles) {
  Files().Write(Path("s-00000-of-00003"), "another's");
  RemoveCheckpoint(Files(), Path("s-????\?-of-00002"));
  EXPECT_THAT(Names(), ElementsAre("m", "m.meta", "s-00000-of-00003"));
  Files().Write(Path("m*"), "");
  RemoveCheckpoint(Files(), Path("m*"));
  EXPECT_THAT(Names(), ElementsAre("m", "m.meta", "s-00000-of-00003"));
  RemoveCheckpoint(Files(), Path("m"));
  EXPECT_THAT(Names(), ElementsAre("s-00000-of-00003"));
  Files().MakeFolder(Path("folder"));
  RemoveCheckpoint(Files(), Path("folder"));
  EXPECT_TRUE(Files().IsFolder(Path("folder")));
}

// Also where a bundle has lost its index.
TEST_P(FirstFormat, IsLeftWhereABundleIsMeant) {
  Files().Write(Path("m.data-00000-of-00001"), "");
  RemoveCheckpoint(Files(), Path("m"));
  EXPECT_TRUE(Files().Exists(Path("m")));
  Files().Write(Path("m.index"), "");
  RemoveCheckpoint(Files(), Path("m"));
  EXPECT_THAT(Names(), ElementsAre("m", "s-00000-of-00002", "s-00001-of-00002", "s.meta"));
}

TEST_P(FirstFormat, GivesWayToNewerCheckpoints) {
  const Variable v = MakeVariable(scope_, Floats({0}), {.name = "v"});
  Saver saver(scope_, SavedByName(scope_), {.max_to_keep = 1});
  Program program = NewProgram();
  WriteCheckpointState(Files(), folder_.path(), {.latest = Path("s-????\?-of-00002")});
  EXPECT_EQ(saver.RestoreLatest(program, folder_.path()), Path("s-????\?-of-00002"));
  EXPECT_THAT(Numbers(program.Fetch(v)), ElementsAre(7));
  saver.Save(program, Path("n"));
  EXPECT_THAT(Names(), ElementsAre("checkpoint", "m", "m.meta", "n.data-00000-of-00001", "n.index", "n.meta"));
}
PLUMB_ON_EACH_BACKEND(FirstFormat);

}  // namespace
}  // namespace plumb
