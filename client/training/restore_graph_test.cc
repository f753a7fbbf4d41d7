#include "client/training/restore_graph.h"

#include "client/program.h"
#include "client/testing.h"
#include "client/training/saver.h"
#include "spec/checkpoint/bundle.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RestoreGraph : public OnEachBackend {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  // The values of nodes of a graph that was restored.
  std::vector<std::vector<double>> Restored(const GraphDef& graph, const RestoringGraph& restoring,
                                            const std::vector<std::string>& fetches) {
    const auto session = OpenSession(GetParam());
    EXPECT_TRUE(session->Extend(graph).ok());
    EXPECT_TRUE(session->Extend(restoring.nodes).ok());
    std::vector<Tensor> outputs;
    EXPECT_EQ(session->Run({}, {}, {&restoring.target, 1}, &outputs).ToString(), "OK");
    EXPECT_EQ(session->Run({}, fetches, {}, &outputs).ToString(), "OK");
    std::vector<std::vector<double>> values;
    for (const Tensor& output : outputs) values.push_back(Numbers(output));
    return values;
  }
  static void AddZeros(Scope& scope, const std::string& name, const Shape& shape) {
    MakeVariable(scope, Constant(scope, Zeros(DType::kFloat, shape)), {.name = name});
  }

  TemporaryFolder folder_;
};

// A graph without a saver is restored by the names of its variables, references and resources.
TEST_P(RestoreGraph, AnyGraphIsRestoredByNames) {
  MakeVariable(scope_, Floats({1, 2}), {.name = "a"});
  MakeVariable(scope_, Int(3), {.name = "b"});
  MakeVariable(scope_, Int(5), {.name = "c"});
  Saver saver(scope_, SavedByName(scope_));
  Program program(scope_, OpenSession(GetParam()));
  program.Run(InitializeAll(scope_));
  saver.Save(program, Path("m"));
  Scope other;
  MakeVariable(other, Constant(other, {0.F, 0.F}), {.name = "a"});
  MakeVariable(other, Constant(other, 0), {.name = "new"});
  const Output b_handle =
      other.Call("VarHandleOp", {}, {{"dtype", DType::kInt32}, {"shape", PartialShape(Shape())}}, "b");
  other.Call("ReadVariableOp", {b_handle}, {{"dtype", DType::kInt32}}, "b_read");
  const Output c_handle =
      other.Call("VarHandleOp", {},
                 {{"dtype", DType::kInt32}, {"shape", PartialShape(Shape())}, {"shared_name", std::string("c")}},
                 "by_shared_name");
  other.Call("ReadVariableOp", {c_handle}, {{"dtype", DType::kInt32}}, "c_read");
  const GraphDef graph = other.ToGraphDef();
  const RestoringGraph restoring = NodesToRestore(Files(), graph, Path("m"));
  EXPECT_THAT(restoring.missing, ElementsAre("new"));
  EXPECT_THAT(Restored(graph, restoring, {"a", "b_read", "c_read"}),
              ElementsAre(ElementsAre(1, 2), ElementsAre(3), ElementsAre(5)));
  EXPECT_TRUE(Refuses([&] { NodesToRestore(Files(), GraphDef(), Path("m")); }, Code::kNotFound, "no variable"));
}

// A checkpoint in parts, and one tensor whole; the graph is cut elsewhere, by rows and by columns.
TEST_P(RestoreGraph, PartsTakeTheirSlices) {
  BundleWriter writer(Files(), Path("m"));
  writer.AddSlice("emb", {3, 2}, ParseShapeAndSlice("3 2 0,2:-").slice, MakeTensor<float>({2, 2}, {1, 2, 3, 4}));
  writer.AddSlice("emb", {3, 2}, ParseShapeAndSlice("3 2 2,1:-").slice, MakeTensor<float>({1, 2}, {5, 6}));
  writer.Add("emb/Adam", MakeTensor<float>({3, 2}, {11, 12, 13, 14, 15, 16}));
  writer.Add("columns", MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  writer.Finish();
  Scope other;
  AddZeros(other, "emb/part_0", {1, 2});
  AddZeros(other, "emb/part_0/Adam", {1, 2});
  AddZeros(other, "emb/part_1/Adam", {2, 2});
  AddZeros(other, "columns/part_1", {2, 2});
  AddZeros(other, "columns/part_0", {2, 1});
  const Output handle = other.Call(
      "VarHandleOp", {},
      {{"dtype", DType::kFloat}, {"shape", PartialShape({2, 2})}, {"shared_name", std::string("emb/part_1")}}, "rest");
  other.Call("ReadVariableOp", {handle}, {{"dtype", DType::kFloat}}, "rest_read");
  const GraphDef graph = other.ToGraphDef();
  const RestoringGraph restoring = NodesToRestore(Files(), graph, Path("m"));
  EXPECT_THAT(restoring.missing, IsEmpty());
  EXPECT_THAT(restoring.misfits, IsEmpty());
  EXPECT_THAT(
      Restored(graph, restoring,
               {"emb/part_0", "rest_read", "emb/part_0/Adam", "emb/part_1/Adam", "columns/part_0", "columns/part_1"}),
      ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4, 5, 6), ElementsAre(11, 12), ElementsAre(13, 14, 15, 16),
                  ElementsAre(1, 4), ElementsAre(2, 3, 5, 6)));
}

TEST_P(RestoreGraph, PartsThatDoNotMakeUpTheTensorAreTold) {
  BundleWriter writer(Files(), Path("m"));
  writer.AddSlice("emb", {3, 2}, ParseShapeAndSlice("3 2 0,2:-").slice, MakeTensor<float>({2, 2}, {1, 2, 3, 4}));
  writer.AddSlice("emb", {3, 2}, ParseShapeAndSlice("3 2 2,1:-").slice, MakeTensor<float>({1, 2}, {5, 6}));
  writer.Add("v", MakeVector<float>({7}));
  writer.Finish();
  const std::string told =
      "the checkpoint has 'emb' in 2 parts, whose shape [3,2] the graph's own parts do not make up";
  for (const char* const second : {"emb/part_2", "emb/part_0", "other"}) {
    Scope other;
    AddZeros(other, "emb/part_0", {2, 2});
    other.Call("VarHandleOp", {},
               {{"dtype", DType::kFloat}, {"shape", PartialShape({1, 2})}, {"shared_name", std::string(second)}},
               "handle");
    EXPECT_TRUE(Refuses([&] { NodesToRestore(Files(), other.ToGraphDef(), Path("m")); }, Code::kNotFound, told));
    AddZeros(other, "v", {1});
    const GraphDef graph = other.ToGraphDef();
    const RestoringGraph restoring = NodesToRestore(Files(), graph, Path("m"));
    EXPECT_THAT(restoring.misfits, ElementsAre(told + "; these variables are left as they are")) << second;
    EXPECT_THAT(restoring.missing,
                second == std::string("other") ? std::vector<std::string>{"handle"} : std::vector<std::string>{});
    EXPECT_THAT(Restored(graph, restoring, {"v"}), ElementsAre(ElementsAre(7)));
  }
}
PLUMB_ON_EACH_BACKEND(RestoreGraph);

}  // namespace
}  // namespace plumb
