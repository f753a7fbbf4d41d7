// TensorArrays that strings name (TA9).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

const AttrMap kType = {{"T", DType::kFloat}};
const AttrMap kDType = {{"dtype", DType::kFloat}};

std::vector<float> Floats(const RunResult& result, size_t i = 0) {
  EXPECT_TRUE(result.status.ok()) << result.status.ToString();
  if (!result.status.ok()) return {};
  const auto elements = result.outputs.at(i).data<float>();
  return {elements.begin(), elements.end()};
}

// A graph of a time when version 1 was current, with an array "ta" of it and "ta2" of version 2, of two floats each.
TestGraph OldGraph(AttrMap attrs = {}) {
  TestGraph graph;
  graph.def.versions.producer = 15;
  attrs.try_emplace("dtype", DType::kFloat);
  graph.Const("size", 2).Const("zero", 0).Const("one", 1).Const<float>("flow", 0);
  graph.Value("rows", MakeTensor<float>({2, 2}, {1, 2, 3, 4})).Value("row", MakeVector<float>({5, 6}));
  graph.Value("swapped", MakeVector<int32_t>({1, 0})).Value("lengths", MakeVector<int64_t>({1, 1}));
  graph.Add("ta", "TensorArray", {"size"}, attrs).Add("ta2", "TensorArrayV2", {"size"}, attrs);
  return graph;
}
RunResult Ran(const TestGraph& graph, std::vector<std::string> fetches) { return TestSession(graph).Run(fetches); }
Code Fails(const TestGraph& graph, std::string fetch) { return Ran(graph, {std::move(fetch)}).code(); }

TEST(OlderTensorArrays, KeepWhatIsWritten) {
  TestGraph graph = OldGraph();
  graph.Add("w", "TensorArrayWrite", {"ta", "one", "row", "flow"}, kType);
  graph.Add("r", "TensorArrayRead", {"ta", "one", "w"}, kDType);
  graph.Add("n", "TensorArraySize", {"ta", "w"});
  graph.Add("w2", "TensorArrayWriteV2", {"ta2", "one", "row", "flow"}, kType);
  graph.Add("r2", "TensorArrayReadV2", {"ta2", "one", "w2"}, kDType);
  graph.Add("n2", "TensorArraySizeV2", {"ta2", "w2"});
  const RunResult result = Ran(graph, {"r", "r2", "n", "n2"});
  EXPECT_THAT(Floats(result, 0), ElementsAre(5, 6));
  EXPECT_THAT(Floats(result, 1), ElementsAre(5, 6));
  EXPECT_EQ(result.scalar<int32_t>(2), 2);
  EXPECT_EQ(result.scalar<int32_t>(3), 2);
}

TEST(OlderTensorArrays, GoAlongAnAxis) {
  TestGraph graph = OldGraph();
  graph.Add("s", "TensorArrayScatter", {"ta", "swapped", "rows", "flow"}, kType);
  graph.Add("g", "TensorArrayGather", {"ta", "swapped", "s"}, kDType);
  graph.Add("p", "TensorArraySplitV2", {"ta2", "rows", "lengths", "flow"}, kType);
  graph.Add("c", "TensorArrayConcatV2", {"ta2", "p"}, kDType);
  graph.Add("other", "TensorArray", {"size"}, kDType).Add("other2", "TensorArrayV2", {"size"}, kDType);
  graph.Add("p1", "TensorArraySplit", {"other", "rows", "lengths", "flow"}, kType);
  graph.Add("c1", "TensorArrayConcat", {"other", "p1"}, kDType);
  graph.Add("s2", "TensorArrayScatterV2", {"other2", "swapped", "rows", "flow"}, kType);
  graph.Add("g2", "TensorArrayGatherV2", {"other2", "swapped", "s2"}, kDType);
  const RunResult result = Ran(graph, {"g", "c", "c:1", "c1", "g2"});
  for (const size_t i : {0, 1, 3, 4}) EXPECT_THAT(Floats(result, i), ElementsAre(1, 2, 3, 4)) << i;
  EXPECT_EQ(result.outputs.at(0).shape(), Shape({2, 2}));
  EXPECT_THAT(result.outputs.at(2).data<int64_t>(), ElementsAre(1, 1));
}

TEST(OlderTensorArrays, PackAndUnpackAllRows) {
  const auto unpacked = [](const Tensor& rows, const AttrMap& attrs) {
    TestGraph graph = OldGraph(attrs);
    graph.Value("given", rows).Add("u", "TensorArrayUnpack", {"ta", "given", "flow"}, kType);
    return graph.Add("p", "TensorArrayPack", {"ta", "u"}, kDType);
  };
  const Tensor three = MakeTensor<float>({3, 1}, {1, 2, 3});
  EXPECT_THAT(Floats(Ran(unpacked(MakeTensor<float>({2, 2}, {1, 2, 3, 4}), {}), {"p"})), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(Fails(unpacked(three, {}), "u"), Code::kInvalidArgument);
  EXPECT_THAT(Floats(Ran(unpacked(three, {{"dynamic_size", true}}), {"p"})), ElementsAre(1, 2, 3));
  EXPECT_EQ(Fails(unpacked(MakeScalar<float>(1), {}), "u"), Code::kInvalidArgument);
}

TEST(OlderTensorArrays, PackZerosOfAKnownShape) {
  const auto half = [](const AttrMap& attrs) {
    TestGraph graph = OldGraph(attrs);
    graph.Add("w", "TensorArrayWrite", {"ta", "zero", "row", "flow"}, kType);
    return graph.Add("p", "TensorArrayPack", {"ta", "w"}, kDType);
  };
  EXPECT_EQ(Fails(half({}), "p"), Code::kInvalidArgument);
  EXPECT_THAT(Floats(Ran(half({{"element_shape", PartialShape({2})}}), {"p"})), ElementsAre(5, 6, 0, 0));
}

// As many as were unpacked, though the array has grown since.
TEST(OlderTensorArrays, PackOfAGradientTakesWhatWasUnpacked) {
  TestGraph graph = OldGraph({{"dynamic_size", true}});
  graph.Const("two", 2).Add("u", "TensorArrayUnpack", {"ta", "rows", "flow"}, kType);
  graph.Add("w", "TensorArrayWrite", {"ta", "two", "row", "u"}, kType);
  graph.Add("g", "TensorArrayGrad", {"ta", "w"}, {{"source", "gradients"}});
  graph.Add("gw", "TensorArrayWrite", {"g", "one", "row", "w"}, kType);
  graph.Add("p", "TensorArrayPack", {"g", "gw"}, kDType);
  EXPECT_THAT(Floats(Ran(graph, {"p"})), ElementsAre(0, 0, 5, 6));
}

TEST(OlderTensorArrays, HaveGradientsThatHaveNone) {
  TestGraph graph = OldGraph();
  graph.Add("w", "TensorArrayWriteV2", {"ta2", "one", "row", "flow"}, kType);
  graph.Add("g", "TensorArrayGradV2", {"ta2", "w"}, {{"source", "gradients"}});
  graph.Add("a", "TensorArrayWriteV2", {"g", "one", "row", "w"}, kType);
  graph.Add("b", "TensorArrayWriteV2", {"g", "one", "row", "a"}, kType);
  graph.Add("r", "TensorArrayReadV2", {"g", "one", "b"}, kDType);
  graph.Add("gg", "TensorArrayGradV2", {"g", "w"}, {{"source", "again"}});
  EXPECT_THAT(Floats(Ran(graph, {"r"})), ElementsAre(10, 12));
  EXPECT_EQ(Fails(graph, "gg"), Code::kInvalidArgument);
  const RunResult names = Ran(graph, {"ta2", "g"});
  ASSERT_TRUE(names.status.ok());
  EXPECT_EQ(names.outputs[0].data<std::string>()[0], "_tensor_arrays");
  EXPECT_THAT(names.outputs[0].data<std::string>()[1], StartsWith("ta2_"));
  EXPECT_EQ(names.outputs[1].data<std::string>()[0], "_tensor_array_grads");
}

TEST(OlderTensorArrays, AreGoneWhenClosed) {
  TestGraph graph = OldGraph();
  graph.Add("close", "TensorArrayClose", {"ta"}).Add("close2", "TensorArrayCloseV2", {"ta2"});
  graph.Add("n", "TensorArraySize", {"ta", "flow", "^close"})
      .Add("n2", "TensorArraySizeV2", {"ta2", "flow", "^close2"});
  EXPECT_EQ(Fails(graph, "n"), Code::kInvalidArgument);
  EXPECT_EQ(Fails(graph, "n2"), Code::kInvalidArgument);
}

TEST(OlderTensorArrays, AreFoundByTheirTwoStrings) {
  const auto named = [](Tensor strings) {
    TestGraph graph;
    graph.Const<float>("flow", 0).Value("name", std::move(strings));
    return graph.Add("c", "TensorArrayConcatV2", {"name", "flow"}, kDType);
  };
  EXPECT_EQ(Fails(named(MakeVector<std::string>({"_tensor_arrays", "x"})), "c"), Code::kNotFound);
  EXPECT_EQ(Fails(named(MakeVector<std::string>({"_tensor_arrays"})), "c"), Code::kInvalidArgument);
}

TEST(OlderTensorArrays, AreRefusedInGraphsOfToday) {  // V2
  TestGraph graph = OldGraph();
  graph.def.versions.producer = 25;
  EXPECT_EQ(TestSession(graph).extended.code(), Code::kUnimplemented);
}

}  // namespace
}  // namespace plumb::reference
