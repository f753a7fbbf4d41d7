// Nodes that TensorFlow's optimizer has fused, on every backend (clause A9).
#include "backends/backends_testing.h"
#include "backends/functions_testing.h"

namespace plumb {
namespace {

class FusedNodes : public Functions {};
INSTANTIATE_TEST_SUITE_P(All, FusedNodes, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

// One number with so many axes.
NodeDef Number(const std::string& name, int rank, float value) {
  return MakeConst(name, MakeTensor<float>(Shape(std::vector<int64_t>(rank, 1)), {value}));
}
NodeDef Fused(const std::string& name, const std::string& op, std::vector<std::string> inputs,
              std::vector<std::string> steps, AttrMap attrs = {}) {
  const auto arguments = static_cast<int64_t>(inputs.size()) - 2;
  attrs.insert({{"T", kFloat}, {"num_args", arguments}, {"fused_ops", std::move(steps)}});
  return MakeNode(name, op, std::move(inputs), std::move(attrs));
}
NodeDef FusedMatMul(const std::string& name, std::vector<std::string> inputs, std::vector<std::string> steps) {
  return Fused(name, "_FusedMatMul", std::move(inputs), std::move(steps), {{"leakyrelu_alpha", 0.5F}});
}

TEST_P(FusedNodes, AreProductsWithStepsBehindThem) {
  const GraphDef graph =
      MakeGraph({Number("a", 2, 3), Number("b", 2, -2), Number("bias", 1, 1), Number("more", 2, 7),
                 FusedMatMul("plain", {"a", "b"}, {}), FusedMatMul("biased", {"a", "b", "bias"}, {"BiasAdd"}),
                 FusedMatMul("leaky", {"a", "b", "bias"}, {"BiasAdd", "LeakyRelu"}),
                 FusedMatMul("added", {"a", "b", "bias", "more"}, {"BiasAdd", "Add", "Relu"})});
  // 3 * -2, one more, half of that; and 7 more.
  EXPECT_EQ(Run(graph, {"plain", "biased", "leaky", "added"}), (std::vector<float>{-6, -5, -2.5, 2}))
      << status_.ToString();
}

TEST_P(FusedNodes, MayBeConvolutionsWithGivenStatistics) {
  const auto attrs = [](size_t arguments, int rank) -> AttrMap {
    return {{"strides", std::vector<int64_t>(rank, 1)},
            {"padding", std::string("VALID")},
            {"epsilon", 1.0F},
            {"TArgs", std::vector<DType>(arguments, kFloat)}};
  };
  AttrMap volumes = attrs(0, 5), channels = attrs(0, 4);
  volumes.erase("TArgs");
  channels.erase("TArgs");
  const GraphDef graph = MakeGraph(
      {Number("image", 4, 3), Number("filter", 4, 2), Number("volume", 5, 3), Number("filter3", 5, 2),
       Number("scale", 1, 4), Number("offset", 1, 1), Number("mean", 1, 2), Number("variance", 1, 3),
       Fused("normal", "_FusedConv2D", {"image", "filter", "scale", "offset", "mean", "variance"},
             {"FusedBatchNorm", "Relu6"}, attrs(4, 4)),
       Fused("by_channel", "_FusedDepthwiseConv2dNative", {"image", "filter", "offset"}, {"BiasAdd"}, channels),
       Fused("solid", "_FusedConv3D", {"volume", "filter3", "offset"}, {"BiasAdd"}, volumes)});
  // (3 * 2 - 2) * 4 / sqrt(3 + 1) + 1 = 9, of which 6 are left; 3 * 2 + 1.
  EXPECT_EQ(Run(graph, {"normal", "by_channel", "solid"}), (std::vector<float>{6, 7, 7})) << status_.ToString();
}

// Φ(20) is 1 and Φ(-20) less than any float beside 1.
TEST_P(FusedNodes, MayEndWithGelu) {
  const GraphDef graph = MakeGraph(
      {Number("one", 2, 1), Number("a", 2, 20), Number("b", 2, -20), FusedMatMul("exact", {"one", "a"}, {"GeluExact"}),
       FusedMatMul("near", {"one", "a"}, {"GeluApproximate"}), FusedMatMul("below", {"one", "b"}, {"GeluExact"}),
       FusedMatMul("of_one", {"one", "one"}, {"GeluExact"}),
       FusedMatMul("near_one", {"one", "one"}, {"GeluApproximate"})});
  EXPECT_EQ(Run(graph, {"exact", "near", "below"}), (std::vector<float>{20, 20, 0})) << status_.ToString();
  const std::vector<float> of_one = Run(graph, {"of_one", "near_one"});
  ASSERT_EQ(of_one.size(), 2U) << status_.ToString();
  EXPECT_FLOAT_EQ(of_one[0], 0.84134475F);  // Φ(1)
  EXPECT_FLOAT_EQ(of_one[1], 0.84119199F);  // (1 + tanh(0.7978845608 * 1.044715)) / 2
}

TEST_P(FusedNodes, RunInBodiesAndLoops) {
  const FunctionDef half =
      MakeFunction("Half(x: float32) -> (y: float32)", "", {FusedMatMul("product", {"x", "x"}, {"LeakyRelu"})},
                   {{"y", "product:product:0"}});
  const FunctionDef less = MakeFunction("Less10(x: float32) -> (b: bool)", "",
                                        {MakeConst("axes", MakeTensor<int32_t>({2}, {0, 1})), Float("ten", 10),
                                         MakeNode("sum", "Sum", {"x", "axes:output:0"}, FloatType()),
                                         Binary("less", "Less", "sum:output:0", "ten:output:0")},
                                        {{"b", "less:z:0"}});
  const GraphDef graph = MakeGraph({Number("three", 2, 3), Number("two", 2, 2), Call("call", Ref("Half"), {"three"}),
                                    While("loop", {"two"}, Ref("Less10"), Ref("Half"))},
                                   {half, less});
  EXPECT_EQ(Run(graph, {"call", "loop"}), (std::vector<float>{9, 16})) << status_.ToString();
}

}  // namespace
}  // namespace plumb
