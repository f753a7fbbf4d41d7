// What a fused node stands for (clause A9).
#include "spec/graph/fused_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/graph/function_testing.h"
#include "spec/ops/op_def.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

NodeDef Source(const std::string& name, DType dtype = DType::kFloat) {
  return MakeNode(name, "Placeholder", {}, {{"dtype", dtype}});
}
AttrMap MatMulOf(std::vector<std::string> steps, int64_t arguments) {
  return {{"T", DType::kFloat}, {"num_args", arguments}, {"fused_ops", std::move(steps)}};
}
Graph Loaded(NodeDef fused) {
  GraphDef def;
  def.nodes = {Source("a"), Source("b"), Source("c"), Source("ids", DType::kInt32), std::move(fused)};
  return Graph::Load(def);
}
// The nodes behind the four sources and the fused one: name, op, inputs.
std::vector<std::string> PartsOf(const Graph& graph) {
  std::vector<std::string> lines;
  for (const NodeDef& node : graph.ToDef().nodes) {
    std::string line = Str(node.name, " = ", node.op);
    for (const std::string& input : node.inputs) line += " " + input;
    lines.push_back(line);
  }
  return {lines.begin() + 4, lines.end()};
}

TEST(FusedNodes, AreProductsWithStepsBehindThem) {
  NodeDef fused = MakeNode("y", "_FusedMatMul", {"a", "b", "c", "^ids"}, MatMulOf({"BiasAdd", "LeakyRelu"}, 1));
  fused.device = "/device:CPU:0";
  fused.attrs.insert(
      {{"transpose_b", true}, {"leakyrelu_alpha", 0.5F}, {"_class", std::vector<std::string>{"loc:@a"}}});
  const Graph graph = Loaded(fused);
  EXPECT_THAT(PartsOf(graph),
              ElementsAre("y = Identity y/LeakyRelu ^ids", "y/MatMul = MatMul a b ^ids",
                          "y/BiasAdd = BiasAdd y/MatMul c ^ids", "y/LeakyRelu = LeakyRelu y/BiasAdd ^ids"));
  const Node& product = graph.node(*graph.Find("y/MatMul"));
  EXPECT_TRUE(GetAttr<bool>(product.attrs, "transpose_b"));
  EXPECT_FALSE(GetAttr<bool>(product.attrs, "transpose_a"));
  EXPECT_EQ(product.device, "/device:CPU:0");
  EXPECT_THAT(GetAttr<std::vector<std::string>>(product.attrs, "_class"), ElementsAre("loc:@a"));
  EXPECT_EQ(GetAttr<float>(graph.node(*graph.Find("y/LeakyRelu")).attrs, "alpha"), 0.5F);
}

// A name that is taken is not taken again, and a constant runs where its user does.
TEST(FusedNodes, HaveNamesOfTheirOwn) {
  GraphDef def;
  def.nodes = {Source("a"), Source("b"), Source("y/MatMul"), Source("y/Const"),
               MakeNode("y", "_FusedMatMul", {"a", "b"}, MatMulOf({"GeluExact"}, 0))};
  const auto parts = PartsOf(Graph::Load(def));
  EXPECT_EQ(parts.at(0), "y = Identity y/Mul_2");
  EXPECT_EQ(parts.at(1), "y/MatMul_1 = MatMul a b");
  EXPECT_EQ(parts.at(2), "y/Const_1 = Const ^y/MatMul_1");
}

TEST(FusedNodes, AreChainsOfUnaryOps) {
  const Graph chain = Loaded(MakeNode("y", "_UnaryOpsComposition", {"a"},
                                      {{"T", DType::kFloat}, {"op_names", std::vector<std::string>{"Tanh", "Relu"}}}));
  EXPECT_THAT(PartsOf(chain), ElementsAre("y = Identity y/Relu", "y/Tanh = Tanh a", "y/Relu = Relu y/Tanh"));
  const Graph hash =
      Loaded(MakeNode("y", "_TensorToHashBucketFast", {"ids"}, {{"T", DType::kInt32}, {"num_buckets", int64_t{7}}}));
  EXPECT_THAT(PartsOf(hash), ElementsAre("y = Identity y/StringToHashBucketFast", "y/AsString = AsString ids",
                                         "y/StringToHashBucketFast = StringToHashBucketFast y/AsString"));
}

TEST(FusedNodes, ThatAskForSomethingElseStay) {
  const auto stays = [](const std::vector<std::string>& inputs, const AttrMap& attrs) {
    return PartsOf(Loaded(MakeNode("y", "_FusedMatMul", inputs, attrs))).size() == 1;
  };
  EXPECT_TRUE(stays({"a", "b", "c"}, MatMulOf({"NoSuchStep"}, 1)));
  EXPECT_TRUE(stays({"a", "b", "c"}, MatMulOf({"Relu"}, 1))) << "nothing takes c";
  EXPECT_TRUE(stays({"a", "b"}, MatMulOf({"BiasAdd"}, 0))) << "there is no bias";
  EXPECT_TRUE(stays({"a", "b", "c"}, MatMulOf({"Pack"}, 1))) << "its inputs are a list";
  EXPECT_TRUE(stays({"a", "b"}, MatMulOf(std::vector<std::string>(17, "Relu"), 0))) << "no optimizer fuses so many";
  EXPECT_FALSE(stays({"a", "b"}, MatMulOf(std::vector<std::string>(16, "Relu"), 0)));
  EXPECT_FALSE(stays({"a", "b"}, MatMulOf({}, 0)));
  const auto chain_stays = [](const std::vector<std::string>& ops) {
    const AttrMap attrs = {{"T", DType::kFloat}, {"op_names", ops}};
    return PartsOf(Loaded(MakeNode("y", "_UnaryOpsComposition", {"a"}, attrs))).size() == 1;
  };
  EXPECT_TRUE(chain_stays({"Add"}));
  EXPECT_TRUE(chain_stays(std::vector<std::string>(17, "Relu")));
  EXPECT_FALSE(chain_stays(std::vector<std::string>(16, "Relu")));
}

}  // namespace
}  // namespace plumb
