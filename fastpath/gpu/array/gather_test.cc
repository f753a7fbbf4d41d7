#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// What is refused by values, which no kernel of a GPU can throw.
Status StatusOf(const std::string& op, const std::vector<Tensor>& inputs, const AttrMap& attrs) {
  GraphDef graph;
  std::vector<std::string> names, fetches = {"asked:0"};
  std::vector<Feed> feeds;
  for (const Tensor& input : inputs) {
    names.push_back("input" + std::to_string(names.size()));
    graph.nodes.push_back(MakeNode(names.back(), "Placeholder", {}, {{"dtype", input.dtype()}}));
    feeds.emplace_back(names.back(), input);
  }
  graph.nodes.push_back(MakeNode("asked", op, names, attrs));
  graph.nodes.back().device = "/device:GPU:0";
  const auto session = NewFastSession({.threads = 1, .emulated_gpus = 1, .allow_soft_placement = true});
  Status status = session->Extend(graph);
  std::vector<Tensor> outputs;
  if (status.ok()) status = session->Run(feeds, fetches, {}, &outputs);
  return status;
}

const AttrMap kGather = {{"Tparams", DType::kFloat}, {"Tindices", DType::kInt32}};

TEST(GpuGather, RefusesWhatLiesOutside) {
  const Tensor params = Digits(Shape({4, 3}));
  EXPECT_TRUE(StatusOf("Gather", {params, VectorOf(std::vector<int32_t>{0, 3})}, kGather).ok());
  for (const int32_t index : {-1, 4}) {
    const Tensor indices = VectorOf(std::vector<int32_t>{0, index, 3});
    const Status status = StatusOf("Gather", {params, indices}, kGather);
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_NE(status.message().find("indices[1]"), std::string::npos) << status.message();
    const Status nd = StatusOf("GatherNd", {params, indices.Reshaped(Shape({3, 1}))}, kGather);
    EXPECT_EQ(nd.code(), Code::kInvalidArgument);
    EXPECT_NE(nd.message().find("index 1"), std::string::npos) << nd.message();
  }
}

}  // namespace
}  // namespace plumb::fast
