// Sections on an emulated GPU: answers with graphs are those of kernels that are launched one by one, to the bit.
#include "fastpath/gpu/gpu_section_testing.h"

namespace plumb::fast::section_testing {
namespace {

using testing::HasSubstr;

// Nodes of one shape, each of one or two of those before it.
GraphDef RandomGraph(std::mt19937& random, int nodes) {
  constexpr const char* kUnary[] = {"Tanh", "Neg", "Square", "Relu", "Identity", "Sigmoid"};
  constexpr const char* kBinary[] = {"Add", "Sub", "Mul", "Maximum", "MatMul"};
  GraphDef graph;
  graph.nodes = {Fed("n0"), Fed("n1"), MakeConst("n2", Numbers({4, 4}, 5)), MakeConst("seven", MakeScalar(7))};
  for (int i = 3; i < nodes; ++i) {
    const auto any = [&] { return "n" + std::to_string(random() % static_cast<unsigned>(i)); };
    const std::string name = "n" + std::to_string(i);
    if (random() % 6 == 0) {  // divided by what the host makes of its size
      const AttrMap sized = {{"T", DType::kFloat}, {"out_type", DType::kInt32}};
      const std::string operand = any();
      graph.nodes.push_back(MakeNode(name + "_size", "Size", {operand}, sized));
      graph.nodes.push_back(MakeNode(name + "_less", "Sub", {name + "_size", "seven"}, {{"T", DType::kInt32}}));
      graph.nodes.push_back(
          MakeNode(name + "_number", "Cast", {name + "_less"}, {{"SrcT", DType::kInt32}, {"DstT", DType::kFloat}}));
      graph.nodes.push_back(Op("RealDiv", name, {operand, name + "_number"}));
    } else if (random() % 2 == 0) {
      graph.nodes.push_back(Op(kUnary[random() % std::size(kUnary)], name, {any()}));
    } else {
      graph.nodes.push_back(Op(kBinary[random() % std::size(kBinary)], name, {any(), any()}));
    }
    if (random() % 8 == 0) graph.nodes.back().device = "/cpu:0";
  }
  return graph;
}

TEST(Sections, OfRandomGraphsAnswerAsKernelsOneByOne) {
  int64_t graphs = 0;
  for (uint32_t seed = 0; seed < 25; ++seed) {
    std::mt19937 random(seed);
    const int nodes = 6 + static_cast<int>(random() % 20);
    Both both(RandomGraph(random, nodes));
    std::vector<std::string> fetches = {"n" + std::to_string(nodes - 1)};
    for (int i = 3; i < nodes - 1; ++i) {
      if (random() % 3 == 0) fetches.push_back("n" + std::to_string(i));
    }
    for (uint32_t step = 0; step < kSteps; ++step) {
      const std::vector<Feed> feeds = {{"n0", Numbers({4, 4}, seed + step)}, {"n1", Numbers({4, 4}, seed * step + 1)}};
      graphs += both.Run({feeds, fetches, {}}, Str("seed ", seed, ", step ", step));
    }
  }
  EXPECT_GT(graphs, 25);
}

std::vector<std::string> SectionsIn(const RunMetadata& metadata) {
  std::vector<std::string> lines;
  for (const DeviceStats& device : metadata.step_stats) {
    if (device.device != "/device:GPU:0/sections") continue;
    for (const NodeStats& section : device.nodes) lines.push_back(section.node + ": " + section.op);
  }
  return lines;
}

GraphDef Quotient() {
  const AttrMap of = {{"T", DType::kInt64}};
  GraphDef graph;
  graph.nodes = {Fed("x", DType::kInt64), Fed("y", DType::kInt64), MakeNode("quotient", "FloorDiv", {"x", "y"}, of),
                 MakeNode("negative", "Neg", {"quotient"}, of)};
  return graph;
}

TEST(Sections, SayInTracesWhatTheyDid) {
  const auto session = Open(Quotient(), true);
  const Tensor seven = MakeTensor<int64_t>({1}, {7});
  std::vector<std::string> lines;
  for (int step = 0; step < 4; ++step) {
    std::vector<Tensor> outputs;
    RunMetadata metadata;
    const std::vector<Feed> feeds = {{"x", seven}, {"y", seven}};
    const std::vector<std::string> fetches = {"negative"};
    ASSERT_TRUE(session->Run({.trace = true}, feeds, fetches, {}, &outputs, &metadata).ok());
    const std::vector<std::string> said = SectionsIn(metadata);
    ASSERT_EQ(said.size(), 1u);
    lines.push_back(said[0]);
  }
  EXPECT_THAT(lines[0], HasSubstr("2 kernels from quotient to negative: kernels one by one: its shapes are new"));
  EXPECT_THAT(lines[1], HasSubstr("kernels one by one: a trial"));
  EXPECT_THAT(lines[2], HasSubstr("captured, and launched as one: "));
  EXPECT_THAT(lines[3], HasSubstr("kernels from quotient to negative: launched as one: "));
}

TEST(Sections, WhatAKernelRefusesNamesItsNodeAndNotTheNextStep) {
  const auto session = Open(Quotient(), true);
  const Tensor seven = MakeTensor<int64_t>({2}, {7, 7}), two = MakeTensor<int64_t>({2}, {2, 7});
  const Request good = {{{"x", seven}, {"y", two}}, {"negative"}, {}};
  std::vector<Tensor> outputs;
  for (int step = 0; step < kSteps; ++step) LaunchesOf(*session, good, &outputs);
  for (int i = 0; i < 3; ++i) {
    const LaunchCounts before = EmulatorLaunches();
    const std::vector<Feed> bad = {{"x", seven}, {"y", MakeTensor<int64_t>({2}, {2, 0})}};
    const Status refused = session->Run(bad, good.fetches, {}, &outputs);
    EXPECT_EQ(EmulatorLaunches().graphs - before.graphs, 1);
    EXPECT_EQ(refused.code(), Code::kInvalidArgument) << refused.ToString();
    EXPECT_THAT(refused.message(), HasSubstr("integer division by zero"));
    EXPECT_THAT(refused.message(), HasSubstr("'quotient'"));
    EXPECT_EQ(LaunchesOf(*session, good, &outputs).graphs, 1);
    EXPECT_TRUE(outputs[0].BitwiseEquals(MakeTensor<int64_t>({2}, {-3, -1})));
  }
}

// A random op's counter is the host's: it draws anew each step, outside of the section.
TEST(Sections, RandomNumbersAreOutsideAndGoOn) {
  GraphDef graph;
  graph.nodes = {
      Fed("x"), MakeConst("shape", MakeVector<int32_t>({4, 4})),
      MakeNode("drawn", "RandomUniform", {"shape"},
               {{"T", DType::kInt32}, {"dtype", DType::kFloat}, {"seed", int64_t{3}}, {"seed2", int64_t{5}}}),
      Op("Add", "sum", {"x", "drawn"}), Op("Tanh", "y", {"sum"})};
  Both both(graph);
  int64_t graphs = 0;
  for (uint32_t step = 0; step < kSteps; ++step) {
    graphs += both.Run({{{"x", Numbers({4, 4}, 3)}}, {"y"}, {}}, Str("step ", step));
  }
  EXPECT_GT(graphs, 0);
}

// How large the result is only the device knows: the section stays as it is, and right.
TEST(Sections, WhatAsksTheDeviceForANumberStaysOrdinary) {
  GraphDef graph;
  graph.nodes = {Fed("x"), Op("Relu", "positive", {"x"}), Op("Where", "where", {"positive"})};
  Both both(graph);
  int64_t graphs = 0;
  for (uint32_t step = 0; step < kSteps; ++step) {
    graphs += both.Run({{{"x", Numbers({3, 2}, step)}}, {"where"}, {}}, Str("step ", step));
  }
  EXPECT_EQ(graphs, 0);
}

}  // namespace
}  // namespace plumb::fast::section_testing
