#include <gmock/gmock.h>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

using testing::IsSupersetOf;

// A TensorArray of `count` rows, and its gradient array, to one index of which two gradients are written.
GraphDef ArrayOf(int count) {
  const AttrMap type = {{"T", DType::kFloat}}, dtype = {{"dtype", DType::kFloat}};
  const auto number = [](const std::string& name, Tensor value) {
    const DType of = value.dtype();
    return MakeNode(name, "Const", {}, {{"value", std::move(value)}, {"dtype", of}});
  };
  std::vector<int32_t> all(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<size_t>(i)] = i;
  GraphDef graph;
  graph.nodes = {
      MakeNode("rows", "Placeholder", {}, dtype),
      MakeNode("row", "Placeholder", {}, dtype),
      number("count", MakeScalar(count)),
      number("all", VectorOf(all)),
      number("some", VectorOf(std::vector<int32_t>{count - 1, 0, count - 1})),
      number("first", MakeScalar(0)),
      number("second", MakeScalar(1)),
      MakeNode("array", "TensorArrayV3", {"count"}, {{"dtype", DType::kFloat}, {"clear_after_read", false}}),
      MakeNode("scatter", "TensorArrayScatterV3", {"array", "all", "rows", "array:1"}, type),
      MakeNode("gather", "TensorArrayGatherV3", {"array", "some", "scatter"}, dtype),
      MakeNode("size", "TensorArraySizeV3", {"array", "scatter"}, {}),
      MakeNode("grads", "TensorArrayGradV3", {"array", "scatter"}, {{"source", std::string("gradients")}}),
      MakeNode("once", "TensorArrayWriteV3", {"grads", "second", "row", "grads:1"}, type),
      MakeNode("twice", "TensorArrayWriteV3", {"grads", "second", "row", "once"}, type),
      MakeNode("added", "TensorArrayReadV3", {"grads", "second", "twice"}, dtype),
      MakeNode("unwritten", "TensorArrayReadV3", {"grads", "first", "twice"}, dtype),
      MakeNode("parts", "TensorArrayV3", {"count"}, {{"dtype", DType::kFloat}}),
      MakeNode("lengths", "Fill", {"shape", "one"}, {{"T", DType::kInt64}}),
      number("shape", VectorOf(std::vector<int32_t>{count})),
      number("one", MakeScalar(int64_t{1})),
      MakeNode("split", "TensorArraySplitV3", {"parts", "rows", "lengths", "parts:1"}, type),
      MakeNode("concat", "TensorArrayConcatV3", {"parts", "split"}, dtype),
  };
  return graph;
}

struct Answers {
  std::vector<Tensor> values;
  std::vector<std::string> on_gpu;  // nodes that ran there
};

Answers AnswersOf(int count, int columns, bool on_gpu) {
  const auto session = NewFastSession({.threads = 2, .emulated_gpus = on_gpu ? 1 : 0, .allow_soft_placement = true});
  Status status = session->Extend(ArrayOf(count));
  Answers answers;
  RunMetadata metadata;
  RunOptions options;
  options.trace = true;
  const std::vector<Feed> feeds = {{"rows", Digits(Shape({count, columns}))}, {"row", Digits(Shape({columns}))}};
  const std::vector<std::string> fetches = {"gather", "size", "added", "unwritten", "concat", "concat:1"};
  if (status.ok()) status = session->Run(options, feeds, fetches, {}, &answers.values, &metadata);
  EXPECT_TRUE(status.ok()) << status.ToString();
  for (const DeviceStats& device : metadata.step_stats) {
    if (device.device.find("GPU:0") == std::string::npos) continue;
    for (const NodeStats& node : device.nodes) answers.on_gpu.push_back(node.node);
  }
  return answers;
}

// Rows of 16 numbers begin where tensors may; those of 3 are copied into tensors of their own.
TEST(GpuTensorArray, KeepsItsValuesOnTheDevice) {
  for (const int columns : {16, 3, 1000}) {
    const Answers wanted = AnswersOf(5, columns, false), got = AnswersOf(5, columns, true);
    ASSERT_EQ(wanted.values.size(), got.values.size());
    for (size_t i = 0; i < wanted.values.size(); ++i) {
      EXPECT_TRUE(wanted.values[i].BitwiseEquals(got.values[i])) << i << ", " << columns << " columns";
    }
    EXPECT_THAT(got.on_gpu, IsSupersetOf({"array", "scatter", "gather", "grads", "twice", "added", "split", "concat"}));
  }
}

}  // namespace
}  // namespace plumb::fast
