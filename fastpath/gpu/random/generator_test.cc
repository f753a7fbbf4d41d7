#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

bool RanOnGpu(const RunMetadata& metadata) {
  for (const DeviceStats& device : metadata.step_stats) {
    if (device.device.find("GPU:0") == std::string::npos) continue;
    for (const NodeStats& node : device.nodes) {
      if (node.node == "skip") return true;
    }
  }
  return false;
}

// A generator whose state is {-256, 2, 7} on the device; alg and delta lie there too. What the op gives, and the state
// that it leaves.
Status ReadAndSkip(int32_t alg, std::vector<Tensor>* outputs) {
  GraphDef graph;
  graph.nodes.push_back(MakeNode("v", "VarHandleOp", {}, {{"dtype", DType::kInt64}, {"shape", PartialShape{3}}}));
  graph.nodes.push_back(MakeNode("state", "Placeholder", {}, {{"dtype", DType::kInt64}}));
  graph.nodes.push_back(MakeNode("set", "AssignVariableOp", {"v", "state"}, {{"dtype", DType::kInt64}}));
  graph.nodes.push_back(MakeNode("alg", "Placeholder", {}, {{"dtype", DType::kInt32}}));
  graph.nodes.push_back(MakeNode("delta", "Placeholder", {}, {{"dtype", DType::kUint64}}));
  graph.nodes.push_back(MakeNode("skip", "RngReadAndSkip", {"v", "alg", "delta"}));
  graph.nodes.push_back(MakeNode("after", "ReadVariableOp", {"v"}, {{"dtype", DType::kInt64}}));
  const auto session = NewFastSession({.threads = 1, .emulated_gpus = 1, .allow_soft_placement = true});
  RunMetadata metadata;
  const auto run = [&](const std::vector<Feed>& feeds, const std::vector<std::string>& fetches,
                       const std::vector<std::string>& targets, std::vector<Tensor>* fetched) {
    RunOptions options;
    options.trace = true;
    return session->Run(options, feeds, fetches, targets, fetched, &metadata);
  };
  const Status extended = session->Extend(graph);
  EXPECT_TRUE(extended.ok()) << extended.ToString();
  std::vector<Tensor> after;
  EXPECT_TRUE(run({{"state", VectorOf<int64_t>({-256, 2, 7})}}, {}, {"set"}, &after).ok());
  const Status status = run({{"alg", MakeScalar(alg)}, {"delta", MakeScalar(uint64_t{3})}}, {"skip:0"}, {}, outputs);
  if (status.ok()) {
    EXPECT_TRUE(RanOnGpu(metadata));
  }
  EXPECT_TRUE(run({}, {"after:0"}, {}, &after).ok());
  outputs->push_back(after.at(0));
  return status;
}

TEST(GpuGenerator, GivesItsStateAndGoesOn) {
  std::vector<Tensor> outputs;
  ASSERT_TRUE(ReadAndSkip(1, &outputs).ok());
  EXPECT_EQ(ToInt64s(outputs[0]), (std::vector<int64_t>{-256, 2, 7}));
  EXPECT_EQ(ToInt64s(outputs[1]), (std::vector<int64_t>{512, 3, 7}));
}

TEST(GpuGenerator, IsLeftAsItIsByWhatIsRefused) {
  for (const auto& [alg, code] : {std::pair(2, Code::kUnimplemented), std::pair(9, Code::kInvalidArgument)}) {
    std::vector<Tensor> outputs;
    EXPECT_EQ(ReadAndSkip(alg, &outputs).code(), code);
    EXPECT_EQ(ToInt64s(outputs.back()), (std::vector<int64_t>{-256, 2, 7}));
  }
}

}  // namespace
}  // namespace plumb::fast
