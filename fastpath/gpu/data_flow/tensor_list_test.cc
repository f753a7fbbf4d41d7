#include <gmock/gmock.h>

#include "fastpath/testing/list_graph.h"

namespace plumb::fast {
namespace {

using testing::IsSupersetOf;

constexpr DType kFloat = DType::kFloat, kVariant = DType::kVariant;
const std::string kCpu = "/cpu:0", kGpu = "/device:GPU:0";
const SessionOptions kHost = {.threads = 1, .allow_soft_placement = true};
const SessionOptions kCard = {.threads = 2, .emulated_gpus = 1};

// The bytes that a traced step copied: "MEMCPYHtoD" to the card, "MEMCPYDtoH" from it.
int64_t BytesOf(const std::string& kind, const RunMetadata& metadata) {
  int64_t bytes = 0;
  for (const DeviceStats& line : metadata.step_stats) {
    if (!line.device.ends_with("memcpy")) continue;
    for (const NodeStats& copy : line.nodes) {
      if (copy.node == kind) bytes += std::stoll(copy.op.substr(kind.size() + 1));
    }
  }
  return bytes;
}

int64_t BytesIn(const std::vector<Feed>& feeds) {
  int64_t bytes = 0;
  for (const Feed& feed : feeds) bytes += static_cast<int64_t>(feed.second.bytes());
  return bytes;
}

TEST(GpuTensorList, KeepsItsElementsOnTheDevice) {
  for (const DType dtype : {kFloat, DType::kDouble, DType::kHalf, DType::kBfloat16, DType::kComplex64, DType::kInt64}) {
    for (const int64_t columns : {16, 3, 0}) {
      const ListGraph graph = EveryListOp(dtype);
      const auto feeds = FeedsOf(dtype, columns);
      const ListAnswers got = AnswersOf(graph, feeds, kListFetches, kCard);
      ExpectSameAnswers(got, AnswersOf(graph, feeds, kListFetches, kHost), kListFetches);
      EXPECT_THAT(got.RanOn("GPU:0"),
                  IsSupersetOf({"list", "set", "pushed", "longer", "stack", "gather", "item", "popped", "pieces",
                                "joined", "length", "shape", "added", "zeros", "strewn_list"}))
          << DTypeName(dtype);
    }
  }
}

// What is fed goes to the card once, and what is fetched comes from it: no element does besides.
TEST(GpuTensorList, CopiesNoElementToTheHost) {
  constexpr int64_t kColumns = 1000;
  ListGraph graph = EveryListOp(kFloat);
  graph.Const("axes", MakeVector<int32_t>({0, 1}));
  graph.Add("all", "AddN", {"stack", "sum", "zero", "strewn"}, {{"T", kFloat}, {"N", int64_t{4}}});
  graph.Op("total", "Sum", kFloat, {"all", "axes"});
  const auto feeds = FeedsOf(kFloat, kColumns);
  const ListAnswers got = AnswersOf(graph, feeds, {"total"}, kCard);
  ASSERT_EQ(got.status.ToString(), "OK");
  EXPECT_EQ(BytesOf("MEMCPYDtoH", got.metadata), static_cast<int64_t>(got.values[0].bytes()));
  EXPECT_EQ(BytesOf("MEMCPYHtoD", got.metadata), BytesIn(feeds));
}

// Elements of int32 stay where such numbers are, on the host: also when their list goes round in a loop of the card.
TEST(GpuTensorList, OfInt32StaysOnTheHost) {
  const ListGraph graph = EveryListOp(DType::kInt32);
  const auto feeds = FeedsOf(DType::kInt32, 5);
  std::vector<std::string> fetches = kListFetches;
  std::erase(fetches, "sizes");  // which are int64
  const ListAnswers got = AnswersOf(graph, feeds, fetches, kCard);
  ExpectSameAnswers(got, AnswersOf(graph, feeds, fetches, kHost), fetches);
  EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"list", "longer", "added", "length", "stack"}));
  EXPECT_EQ(BytesOf("MEMCPYHtoD", got.metadata) + BytesOf("MEMCPYDtoH", got.metadata), 0);
  const ListGraph loop = LoopOfPushes(DType::kInt32, 4);
  const ListAnswers turned = AnswersOf(loop, {feeds[1]}, {"stack"}, kCard);
  ExpectSameAnswers(turned, AnswersOf(loop, {feeds[1]}, {"stack"}, kHost), {"stack"});
  EXPECT_THAT(turned.RanOn("GPU:0"), IsSupersetOf({"pushed", "stack"}));
  EXPECT_EQ(BytesOf("MEMCPYHtoD", turned.metadata) + BytesOf("MEMCPYDtoH", turned.metadata), 0);
}

// A loop brings what it is fed to the card, and what is fetched from it: nothing else, in whichever iteration.
TEST(GpuTensorList, GoesRoundLoopsOnTheDevice) {
  const ListGraph loop = LoopOfPushes(kFloat, 4);
  const std::vector<Feed> feeds = {{"row", FeedsOf(kFloat, 5)[1].second}};
  const ListAnswers turned = AnswersOf(loop, feeds, {"stack"}, kCard);
  ExpectSameAnswers(turned, AnswersOf(loop, feeds, {"stack"}, kHost), {"stack"});
  EXPECT_EQ(BytesOf("MEMCPYHtoD", turned.metadata), BytesIn(feeds));
  EXPECT_EQ(BytesOf("MEMCPYDtoH", turned.metadata), static_cast<int64_t>(turned.values[0].bytes()));
}

// Lists of the host that are added up, and asked for zeros, on the card, whatever numbers they hold; and a row for each
// list of a vector.
TEST(GpuTensorList, TakesListsOfTheHost) {
  for (const DType dtype : {DType::kInt8, DType::kInt16, DType::kInt32, DType::kUint8, DType::kUint16, DType::kUint32,
                            DType::kUint64, DType::kComplex128}) {
    ListGraph graph(dtype);
    graph.Placeholder("rows", dtype);
    graph.Placeholder("row", dtype);
    graph.List("list", "FromTensor", {"rows", "any"}, kCpu);
    graph.List("longer", "PushBack", {"list", "row"}, kCpu);
    graph.Add("added", "AddN", {"longer", "longer"}, {{"T", kVariant}, {"N", int64_t{2}}}, kGpu);
    graph.Add("zeros", "ZerosLike", {"longer"}, {{"T", kVariant}}, kGpu);
    graph.List("sum", "Stack", {"added", "any"}, kCpu);
    graph.List("zero", "Stack", {"zeros", "any"}, kCpu);
    const auto feeds = FeedsOf(dtype, 5);
    const ListAnswers got = AnswersOf(graph, feeds, {"sum", "zero"}, kCard);
    ExpectSameAnswers(got, AnswersOf(graph, feeds, {"sum", "zero"}, kHost), {"sum", "zero"});
    EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"added", "zeros"}));
  }
}

TEST(GpuTensorList, TakesARowForEachListOfAVector) {
  ListGraph graph;
  graph.Placeholder("rows", kFloat);
  graph.Placeholder("row", kFloat);
  graph.List("list", "FromTensor", {"rows", "any"}, kCpu);
  graph.Add("lists", "Pack", {"list", "list", "list"}, {{"T", kVariant}, {"N", int64_t{3}}}, kCpu);
  graph.List("pushed", "PushBackBatch", {"lists", "rows"}, kGpu);
  graph.List("joined", "ConcatLists", {"pushed", "lists"}, kGpu);
  graph.Add("each", "Unpack", {"joined"}, {{"T", kVariant}, {"num", int64_t{3}}}, kCpu);
  graph.List("first", "Stack", {"each", "any"}, kGpu);
  graph.List("third", "Stack", {"each:2", "any"}, kGpu);
  const auto feeds = FeedsOf(kFloat, 3);
  const ListAnswers got = AnswersOf(graph, feeds, {"first", "third"}, kCard);
  ExpectSameAnswers(got, AnswersOf(graph, feeds, {"first", "third"}, kHost), {"first", "third"});
  EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"pushed", "joined", "first", "third"}));
}

// The splits of ragged tensors are compared by the host, wherever they lie.
TEST(GpuTensorList, AddsRaggedTensorsOnlyOfOneShape) {
  TestGraph graph;
  graph.Placeholder("values", kFloat);
  graph.Const("splits", MakeVector<int64_t>({0, 1, 3}));
  graph.Const("others", MakeVector<int64_t>({0, 2, 3}));
  const AttrMap ragged = {
      {"RAGGED_RANK", 1}, {"Tvalues", kFloat}, {"Tsplits", DType::kInt64}, {"batched_input", false}};
  graph.Add("a", "RaggedTensorToVariant", {"splits", "values"}, ragged, kCpu);
  graph.Add("b", "RaggedTensorToVariant", {"others", "values"}, ragged, kCpu);
  graph.Add("same", "AddN", {"a", "a"}, {{"T", kVariant}, {"N", int64_t{2}}}, kGpu);
  graph.Add("other", "AddN", {"a", "b"}, {{"T", kVariant}, {"N", int64_t{2}}}, kGpu);
  graph.Add("sum", "RaggedTensorFromVariant", {"same"},
            {{"input_ragged_rank", 1}, {"output_ragged_rank", 1}, {"Tvalues", kFloat}, {"Tsplits", DType::kInt64}},
            kCpu);
  const std::vector<Feed> feeds = {{"values", MakeVector<float>({1, 2, 3})}};
  const ListAnswers got = AnswersOf(graph, feeds, {"sum:1"}, kCard);
  ExpectSameAnswers(got, AnswersOf(graph, feeds, {"sum:1"}, kHost), {"sum:1"});
  EXPECT_EQ(AnswersOf(graph, feeds, {"other"}, kCard).status.code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
