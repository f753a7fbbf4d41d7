#include "fastpath/gpu/gpu_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "fastpath/gpu/module/open.h"
#include "fastpath/gpu/topics.h"
#include "fastpath/session/fast_session.h"
#include "spec/graph/function_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::fast {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

AttrMap Of(DType type) { return {{"T", type}}; }

// Sessions with an emulated GPU, and what steps of them say of where nodes ran.
class OnGpu : public testing::Test {
 protected:
  OnGpu() : session_(NewFastSession({.threads = 2, .emulated_gpus = 1, .allow_soft_placement = true})) {}

  void Extend(std::vector<NodeDef> nodes) {
    GraphDef graph;
    graph.nodes = std::move(nodes);
    const Status status = session_->Extend(graph);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  Status Run(std::vector<Feed> feeds, std::vector<std::string> fetches) {
    RunOptions options;
    options.trace = true;
    return session_->Run(options, feeds, fetches, {}, &outputs_, &metadata_);
  }
  std::vector<std::string> NodesOnGpu() const {
    std::vector<std::string> nodes;
    for (const DeviceStats& device : metadata_.step_stats) {
      if (device.device.find("GPU:0") == std::string::npos) continue;
      for (const NodeStats& node : device.nodes) nodes.push_back(node.node);
    }
    return nodes;
  }

  std::unique_ptr<Session> session_;
  std::vector<Tensor> outputs_;
  RunMetadata metadata_;
};

NodeDef Fed(const std::string& name, DType type) { return MakeNode(name, "Placeholder", {}, {{"dtype", type}}); }

TEST_F(OnGpu, ProductsAndSumsRunThere) {
  Extend({Fed("x", DType::kFloat), Fed("y", DType::kFloat),
          MakeNode("product", "MatMul", {"x", "y"}, Of(DType::kFloat)),
          MakeNode("sum", "Add", {"product", "x"}, Of(DType::kFloat))});
  const Tensor x = MakeTensor<float>({2, 2}, {1, 2, 3, 4}), y = MakeTensor<float>({2, 2}, {0, 1, 1, 0});
  ASSERT_TRUE(Run({{"x", x}, {"y", y}}, {"sum"}).ok());
  EXPECT_TRUE(outputs_[0].BitwiseEquals(MakeTensor<float>({2, 2}, {3, 3, 7, 7})));
  EXPECT_THAT(NodesOnGpu(), Contains("product"));
  EXPECT_THAT(NodesOnGpu(), Contains("sum"));
}

// One line for each stream, one for all copies and one for all that streams did, as TensorFlow's traces have.
TEST_F(OnGpu, TracesShowKernelsAndCopiesByTheirStreams) {
  Extend({Fed("x", DType::kFloat), MakeNode("y", "Exp", {"x"}, Of(DType::kFloat))});
  ASSERT_TRUE(Run({{"x", MakeTensor<float>({3}, {0, 0, 0})}}, {"y"}).ok());
  const auto work_of = [&](const std::string& line) {
    std::vector<std::string> work;
    for (const DeviceStats& device : metadata_.step_stats) {
      if (device.device != "/device:GPU:0/" + line) continue;
      for (const NodeStats& piece : device.nodes) {
        work.push_back(piece.node + ": " + piece.op);
        EXPECT_GT(piece.scheduled_ns, 0);
        EXPECT_LE(piece.scheduled_ns, piece.start_ns);
        EXPECT_LE(piece.start_ns, piece.end_ns);
      }
    }
    return work;
  };
  const std::string in = "MEMCPYHtoD: MEMCPYHtoD 12 bytes", out = "MEMCPYDtoH: MEMCPYDtoH 12 bytes",
                    kernel = "y:Exp: Exp";
  EXPECT_THAT(work_of("stream:0"), ElementsAre(kernel));
  EXPECT_THAT(work_of("stream:1"), ElementsAre(in));
  EXPECT_THAT(work_of("stream:2"), ElementsAre(out));
  EXPECT_THAT(work_of("stream:all"), ElementsAre(in, out, kernel));
  EXPECT_THAT(work_of("memcpy"), ElementsAre(in, out));
}

// A kernel's time is that of its stream, which follows what is queued there and not when it was queued; steps that
// nobody watches leave nothing behind.
TEST_F(OnGpu, TracesShowKernelsInTheOrderOfTheirStream) {
  Extend({Fed("x", DType::kFloat), MakeNode("y", "Exp", {"x"}, Of(DType::kFloat)),
          MakeNode("z", "Neg", {"y"}, Of(DType::kFloat)), MakeNode("u", "Sqrt", {"z"}, Of(DType::kFloat))});
  const std::vector<Feed> feeds = {{"x", MakeTensor<float>({3}, {0, 0, 0})}};
  ASSERT_TRUE(session_->Run({}, feeds, std::vector<std::string>{"u"}, {}, &outputs_, nullptr).ok());
  ASSERT_TRUE(Run(feeds, {"z"}).ok());
  std::vector<NodeStats> kernels;
  for (const DeviceStats& device : metadata_.step_stats) {
    if (device.device == "/device:GPU:0/stream:0") kernels = device.nodes;
  }
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].node, "y:Exp");
  EXPECT_EQ(kernels[1].node, "z:Neg");
  EXPECT_LE(kernels[0].end_ns, kernels[1].start_ns + 1000) << "the runtime tells times in microseconds";
}

TEST_F(OnGpu, NothingIsLeftWhenTheSessionEndsInTheMiddleOfUse) {
  Extend({Fed("x", DType::kFloat), MakeNode("y", "Exp", {"x"}, Of(DType::kFloat))});
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Run({{"x", MakeTensor<float>({3}, {0, 0, 0})}}, {"y"}).ok());
  session_.reset();
  EXPECT_TRUE(outputs_[0].BitwiseEquals(MakeTensor<float>({3}, {1, 1, 1})));
}

TEST_F(OnGpu, WhatAKernelRefusesFailsItsStepAndNamesTheNode) {
  Extend({Fed("x", DType::kInt64), Fed("y", DType::kInt64),
          MakeNode("quotient", "FloorDiv", {"x", "y"}, Of(DType::kInt64)),
          MakeNode("negative", "Neg", {"quotient"}, Of(DType::kInt64))});
  const Tensor seven = MakeTensor<int64_t>({2}, {7, 7});
  for (int i = 0; i < 3; ++i) {
    const Status refused = Run({{"x", seven}, {"y", MakeTensor<int64_t>({2}, {2, 0})}}, {"negative"});
    EXPECT_EQ(refused.code(), Code::kInvalidArgument) << refused.ToString();
    EXPECT_THAT(refused.message(), HasSubstr("integer division by zero"));
    EXPECT_THAT(refused.message(), HasSubstr("quotient"));
    ASSERT_TRUE(Run({{"x", seven}, {"y", MakeTensor<int64_t>({2}, {2, 7})}}, {"negative"}).ok());
    EXPECT_TRUE(outputs_[0].BitwiseEquals(MakeTensor<int64_t>({2}, {-3, -1})));
  }
}

TEST_F(OnGpu, DivisionTowardsZeroByZeroIsInternal) {  // N9
  Extend({Fed("x", DType::kInt64), Fed("y", DType::kInt64),
          MakeNode("quotient", "TruncateDiv", {"x", "y"}, Of(DType::kInt64)),
          MakeNode("rest", "TruncateMod", {"x", "y"}, Of(DType::kInt64))});
  const Tensor seven = MakeTensor<int64_t>({2}, {7, 7}), zero = MakeTensor<int64_t>({2}, {2, 0});
  for (const char* node : {"quotient", "rest"}) {
    EXPECT_EQ(Run({{"x", seven}, {"y", zero}}, {node}).code(), Code::kInternal) << node;
  }
}

TEST_F(OnGpu, WhatTheShapesForbidIsRefusedAtOnce) {
  Extend({Fed("x", DType::kFloat), Fed("y", DType::kFloat), MakeNode("z", "MatMul", {"x", "y"}, Of(DType::kFloat))});
  const Tensor row = MakeTensor<float>({1, 3}, {1, 2, 3});
  EXPECT_EQ(Run({{"x", row}, {"y", row}}, {"z"}).code(), Code::kInvalidArgument);
}

TEST_F(OnGpu, MemoryThatIsNotThereIsRefusedWithItsSizeAndTheSessionLives) {
  Extend({Fed("x", DType::kFloat), Fed("y", DType::kFloat), MakeNode("z", "Add", {"x", "y"}, Of(DType::kFloat))});
  // The sum would have 64 GiB; the operands are small.
  const Tensor column = Zeros(DType::kFloat, {1 << 17, 1}), row = Zeros(DType::kFloat, {1, 1 << 17});
  const Status refused = Run({{"x", column}, {"y", row}}, {"z"});
  EXPECT_EQ(refused.code(), Code::kResourceExhausted) << refused.ToString();
  EXPECT_THAT(refused.message(), HasSubstr("68719476736"));
  ASSERT_TRUE(Run({{"x", MakeScalar(1.0f)}, {"y", MakeScalar(2.0f)}}, {"z"}).ok());
  EXPECT_EQ(outputs_[0].scalar<float>(), 3);
}

// A variable that only kernels of the GPU use lies there, and is changed there.
TEST_F(OnGpu, VariablesAreHeldAndChangedThere) {
  const AttrMap variable = {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}};
  Extend({MakeNode("v", "VariableV2", {}, variable), Fed("x", DType::kFloat),
          MakeNode("set", "Assign", {"v", "x"}, Of(DType::kFloat)),
          MakeNode("rate", "Const", {}, {{"dtype", DType::kFloat}, {"value", MakeScalar(0.5f)}}),
          MakeNode("step", "ApplyGradientDescent", {"v", "rate", "x"}, Of(DType::kFloat)),
          MakeNode("more", "AssignAdd", {"v", "x"}, Of(DType::kFloat)),
          MakeNode("twice", "Add", {"v", "v"}, Of(DType::kFloat))});
  const Tensor one_two = MakeTensor<float>({2}, {1, 2}), ten = MakeTensor<float>({2}, {10, 10});
  EXPECT_EQ(Run({}, {"twice"}).code(), Code::kFailedPrecondition);
  ASSERT_TRUE(Run({{"x", one_two}}, {"set"}).ok());
  EXPECT_THAT(NodesOnGpu(), Contains("v"));
  ASSERT_TRUE(Run({{"x", ten}}, {"step"}).ok());
  EXPECT_THAT(NodesOnGpu(), Contains("step"));
  ASSERT_TRUE(Run({{"x", ten}}, {"more"}).ok());
  ASSERT_TRUE(Run({}, {"twice"}).ok());
  EXPECT_TRUE(outputs_[0].BitwiseEquals(MakeTensor<float>({2}, {12, 14})));
}

TEST_F(OnGpu, VariablesBehindHandlesGiveSnapshots) {
  const AttrMap variable = {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}, {"shared_name", std::string("v")}};
  const AttrMap of = {{"dtype", DType::kFloat}};
  NodeDef read = MakeNode("read", "ReadVariableOp", {"v"}, of);
  NodeDef add = MakeNode("add", "AssignAddVariableOp", {"v", "x", "^read"}, of);
  NodeDef after = MakeNode("after", "ReadVariableOp", {"v", "^add"}, of);
  Extend({MakeNode("v", "VarHandleOp", {}, variable), Fed("x", DType::kFloat),
          MakeNode("set", "AssignVariableOp", {"v", "x"}, of), read, add, after,
          MakeNode("both", "Sub", {"after", "read"}, Of(DType::kFloat))});
  const Tensor value = MakeTensor<float>({2}, {1, 2});
  RunOptions options;
  ASSERT_TRUE(
      session_
          ->Run(options, std::vector<Feed>{{"x", value}}, {}, std::vector<std::string>{"set"}, &outputs_, &metadata_)
          .ok());
  ASSERT_TRUE(Run({{"x", value}}, {"both", "read"}).ok());
  EXPECT_TRUE(outputs_[0].BitwiseEquals(value));
  EXPECT_TRUE(outputs_[1].BitwiseEquals(value));
  EXPECT_THAT(NodesOnGpu(), Contains("add"));
}

TEST_F(OnGpu, BothKindsOfGpusAtOnceAreRefused) {
  EXPECT_THROW(NewFastSession({.gpu_devices = 1, .emulated_gpus = 1}), Error);
}

// A row that declares types for GPUs has a kernel there, and a kernel has a row that does.
TEST(GpuKernelTable, IsWhatTheRowsDeclare) {
  std::vector<std::string> declared, present;
  for (const OpDef* op : AllOps()) {
    if (op->gpu_types) declared.push_back(op->name);
    if (emulated_gpu::FindGpuKernel(op->name) != nullptr) present.push_back(op->name);
  }
  EXPECT_THAT(present, testing::ElementsAreArray(declared));
}

// The names between backquotes from a heading of a page to the next one.
std::vector<std::string> NamesUnder(const std::string& heading, std::istream& page) {
  std::vector<std::string> names;
  bool is_under = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) is_under = line == "## " + heading;
    for (size_t begin = 0; is_under && (begin = line.find('`', begin)) != std::string::npos;) {
      const size_t end = line.find('`', begin + 1);
      names.push_back(line.substr(begin + 1, end - begin - 1));
      begin = end + 1;
    }
  }
  return names;
}

TEST(GpuKernelTable, LacksWhatTheDocumentationSays) {
  const char* const root = std::getenv("PLUMB_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  std::ifstream page(std::string(root) + "/docs/gpu.md");
  const std::vector<std::string> names = NamesUnder("Ops that TensorFlow has on GPUs and this does not", page);
  EXPECT_GT(names.size(), 0u);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "an op is listed twice";
  for (const std::string& name : names) {
    const OpDef* const op = FindOp(name);
    ASSERT_NE(op, nullptr) << name << " is no op";
    EXPECT_FALSE(op->gpu_types) << name << " has a kernel on GPUs by now: take it out of docs/gpu.md";
  }
}

}  // namespace
}  // namespace plumb::fast
