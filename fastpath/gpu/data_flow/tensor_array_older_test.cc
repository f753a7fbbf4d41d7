// TensorArrays and stacks that strings name: their values lie on the device, what names them on the host.
#include <gmock/gmock.h>

#include "fastpath/testing/list_graph.h"

namespace plumb::fast {
namespace {

using testing::IsSupersetOf;

constexpr DType kFloat = DType::kFloat;
const AttrMap kT = {{"T", kFloat}}, kDtype = {{"dtype", kFloat}};
const std::vector<Feed> kFeeds = {{"rows", MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6})},
                                  {"row", MakeVector<float>({7, 8})}};

ListGraph Old() {
  ListGraph graph;
  graph.SetProducer(15);
  return graph;
}

// An array of rows, its gradient array, to one index of which two gradients are written, and an array of pieces.
// `version`: "" or "V2".
ListGraph ArraysOf(const std::string& version) {
  ListGraph graph = Old();
  graph.Placeholder("rows", kFloat);
  graph.Placeholder("row", kFloat);
  graph.Const("flow", MakeScalar(0.0F));
  graph.Const("all", MakeVector<int32_t>({0, 1, 2}));
  graph.Const("some", MakeVector<int32_t>({2, 0, 2}));
  graph.Const("lengths", MakeVector<int64_t>({2, 0, 1}));
  const auto add = [&](const std::string& name, const std::string& op, std::vector<std::string> inputs, AttrMap attrs) {
    graph.Add(name, "TensorArray" + op + version, std::move(inputs), std::move(attrs));
  };
  add("array", "", {"3"}, {{"dtype", kFloat}, {"clear_after_read", false}});
  add("scatter", "Scatter", {"array", "all", "rows", "flow"}, kT);
  add("gather", "Gather", {"array", "some", "scatter"}, kDtype);
  add("size", "Size", {"array", "scatter"}, {});
  add("grads", "Grad", {"array", "scatter"}, {{"source", std::string("gradients")}});
  add("once", "Write", {"grads", "1", "row", "scatter"}, kT);
  add("twice", "Write", {"grads", "1", "row", "once"}, kT);
  add("added", "Read", {"grads", "1", "twice"}, kDtype);
  add("unwritten", "Read", {"grads", "0", "twice"}, kDtype);
  add("parts", "", {"3"}, kDtype);
  add("split", "Split", {"parts", "rows", "lengths", "flow"}, kT);
  add("concat", "Concat", {"parts", "split"}, kDtype);
  graph.Op("sizes", "Identity", DType::kInt64, {"concat:1"});
  return graph;
}
const std::vector<std::string> kFetches = {"gather", "size", "added", "unwritten", "concat", "sizes"};

const SessionOptions kHost = {.threads = 2}, kGpu = {.threads = 2, .emulated_gpus = 1, .allow_soft_placement = true};

TEST(GpuOlderTensorArray, KeepsItsValuesOnTheDevice) {
  for (const std::string version : {"", "V2"}) {
    const ListGraph graph = ArraysOf(version);
    const ListAnswers got = AnswersOf(graph, kFeeds, kFetches, kGpu);
    ExpectSameAnswers(got, AnswersOf(graph, kFeeds, kFetches, kHost), kFetches);
    EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"array", "scatter", "gather", "size", "grads", "twice", "added",
                                                  "unwritten", "parts", "split", "concat"}));
  }
}

TEST(GpuOlderTensorArray, IsPackedAndUnpackedThere) {
  ListGraph graph = Old();
  graph.Placeholder("rows", kFloat);
  graph.Const("flow", MakeScalar(0.0F));
  graph.Add("array", "TensorArray", {"3"}, kDtype);
  graph.Add("unpack", "TensorArrayUnpack", {"array", "rows", "flow"}, kT);
  graph.Add("pack", "TensorArrayPack", {"array", "unpack"}, kDtype);
  graph.Add("close", "TensorArrayClose", {"array", "^pack"}, {});
  const std::vector<Feed> feeds = {kFeeds[0]};
  const ListAnswers got = AnswersOf(graph, feeds, {"pack"}, kGpu);
  ExpectSameAnswers(got, AnswersOf(graph, feeds, {"pack"}, kHost), {"pack"});
  EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"array", "unpack", "pack"}));
}

// The array is known by its strings, wherever they went, and its values are brought to who asks for them.
TEST(GpuOlderTensorArray, IsUsedOnSeveralDevicesByItsName) {
  const std::string cpu = "/cpu:0", gpu = "/device:GPU:0";
  ListGraph graph = Old();
  graph.Placeholder("rows", kFloat);
  graph.Placeholder("row", kFloat);
  graph.Const("flow", MakeScalar(0.0F));
  graph.Add("array", "TensorArrayV2", {"4"}, {{"dtype", kFloat}, {"clear_after_read", false}}, gpu);
  graph.Int("4", 4);
  graph.Const("all", MakeVector<int32_t>({0, 1, 2}));
  graph.Const("each", MakeVector<int32_t>({3, 2, 1, 0}));
  graph.Add("name", "Identity", {"array"}, {{"T", DType::kString}}, cpu);
  graph.Add("there", "TensorArrayScatterV2", {"array", "all", "rows", "flow"}, kT, gpu);
  graph.Add("here", "TensorArrayWriteV2", {"name", "3", "row", "there"}, kT, cpu);
  graph.Add("on_host", "TensorArrayGatherV2", {"name", "each", "here"}, kDtype, cpu);
  graph.Add("on_gpu", "TensorArrayGatherV2", {"array", "each", "here"}, kDtype, gpu);
  graph.Add("one", "TensorArrayReadV2", {"array", "3", "here"}, kDtype, gpu);
  graph.Add("grads", "TensorArrayGradV2", {"array", "here"}, {{"source", std::string("gradients")}}, cpu);
  graph.Add("first", "TensorArrayWriteV2", {"grads", "3", "row", "here"}, kT, gpu);
  graph.Add("second", "TensorArrayWriteV2", {"grads", "3", "row", "first"}, kT, cpu);
  graph.Add("third", "TensorArrayWriteV2", {"grads", "3", "row", "second"}, kT, gpu);
  graph.Add("sum", "TensorArrayReadV2", {"grads", "3", "third"}, kDtype, cpu);
  const std::vector<std::string> fetches = {"on_host", "on_gpu", "one", "sum"};
  const SessionOptions host = {.threads = 2, .allow_soft_placement = true};
  const ListAnswers got = AnswersOf(graph, kFeeds, fetches, kGpu);
  ExpectSameAnswers(got, AnswersOf(graph, kFeeds, fetches, host), fetches);
  EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"array", "there", "on_gpu", "one", "first", "third"}));
  EXPECT_THAT(got.RanOn("CPU:0"), IsSupersetOf({"here", "on_host", "second", "sum"}));
}

TEST(GpuOlderStack, KeepsItsValuesOnTheDevice) {
  for (const bool swaps : {false, true}) {
    ListGraph graph = Old();
    graph.Placeholder("rows", kFloat);
    graph.Add("stack", "Stack", {}, {{"elem_type", kFloat}});
    const AttrMap push = {{"T", kFloat}, {"swap_memory", swaps}}, pop = {{"elem_type", kFloat}};
    graph.Op("twice", "AddV2", kFloat, {"rows", "rows"});
    graph.Add("push", "StackPush", {"stack", "rows"}, push);
    graph.Add("again", "StackPush", {"stack", "twice", "^push"}, push);
    graph.Add("last", "StackPop", {"stack", "^again"}, pop);
    graph.Add("first", "StackPop", {"stack", "^last"}, pop);
    graph.Add("close", "StackClose", {"stack", "^first"}, {});
    const std::vector<Feed> feeds = {kFeeds[0]};
    const std::vector<std::string> fetches = {"last", "first"};
    const ListAnswers got = AnswersOf(graph, feeds, fetches, kGpu);
    ExpectSameAnswers(got, AnswersOf(graph, feeds, fetches, kHost), fetches);
    EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"stack", "push", "again", "last", "first"}));
  }
}

}  // namespace
}  // namespace plumb::fast
