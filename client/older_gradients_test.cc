// Gradients of ops that only graphs of older producers may hold (rule V2), which come into a scope by an import.
#include "client/gradients.h"
#include "client/import.h"
#include "client/testing.h"
#include "spec/graph/function_testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class OlderGradients : public OnEachBackend {
 protected:
  // An older graph of one op over the values of the scope.
  ImportedGraph Imported(int32_t producer, std::string_view op, const std::vector<Output>& inputs, AttrMap attrs) {
    GraphDef older;
    older.versions.producer = producer;
    ImportOptions options;
    std::vector<std::string> names;
    for (const Output& input : inputs) {
      names.push_back(Str("x", names.size()));
      older.nodes.push_back(MakeNode(names.back(), "Placeholder", {}, {{"dtype", input.dtype()}}));
      options.replace.emplace(names.back(), input);
    }
    attrs.emplace("T", DType::kFloat);
    older.nodes.push_back(MakeNode("op", std::string(op), names, std::move(attrs)));
    return ImportGraph(scope_, older, options);
  }
};
PLUMB_ON_EACH_BACKEND(OlderGradients);

// The variances 3 and 15 give the factors 1/2 and 1/4; t - m is 2, 8, 4 and 0. By v: Σ dy·(t − m)·γ·(−1/2)·factor³.
TEST_P(OlderGradients, OfImagesThatAreNormalized) {
  const Output t = Constant(scope_, MakeTensor<float>({1, 1, 2, 2}, {3, 9, 5, 1})), m = Floats({1, 1});
  const Output v = Floats({3, 15}), beta = Floats({10, 20}), gamma = Floats({2, 4});
  const Output dy = Constant(scope_, MakeTensor<float>({1, 1, 2, 2}, {1, 2, 3, 4}));
  const auto gradients = [&](bool is_scaled) {
    const ImportedGraph older = Imported(8, "BatchNormWithGlobalNormalization", {t, m, v, beta, gamma},
                                         {{"variance_epsilon", 1.0F}, {"scale_after_normalization", is_scaled}});
    std::vector<std::vector<double>> values;
    for (const Output& gradient : DenseGradients({older["op"] * dy}, {t, m, v, beta, gamma})) {
      values.push_back(Value(gradient));
    }
    return values;
  };
  EXPECT_THAT(gradients(true), ElementsAre(ElementsAre(1, 2, 3, 4), ElementsAre(-4, -6), ElementsAre(-1.75, -0.5),
                                           ElementsAre(4, 6), ElementsAre(7, 4)));
  EXPECT_THAT(gradients(false), ElementsAre(ElementsAre(0.5, 0.5, 1.5, 1), ElementsAre(-2, -1.5),
                                            ElementsAre(-0.875, -0.125), ElementsAre(4, 6), ElementsAre(0, 0)));
}

// In whatever order they are given.
TEST_P(OlderGradients, OfTheLargestOfEachRow) {
  const Output x = Matrix(2, 3, {1, 5, 3, 9, 7, 8}), dy = Matrix(2, 1, {2, 5});
  const ImportedGraph older = Imported(6, "TopK", {x}, {{"k", int64_t{2}}, {"sorted", false}});
  const Output y = older["op:0"];
  EXPECT_THAT(Value(DenseGradients({y * y * dy}, {x})[0]), ElementsAre(0, 20, 12, 90, 0, 80));
}

// What lies beyond the range gets all of it as well.
TEST_P(OlderGradients, OfRoundTripsThatPassTheRangeBy) {
  const Output x = Floats({-3, 0.3, 5}), dy = Floats({2, 3, 5});
  const ImportedGraph older = Imported(21, "QuantizeAndDequantize", {x},
                                       {{"signed_input", false},
                                        {"num_bits", int64_t{3}},
                                        {"range_given", true},
                                        {"input_min", -1.0F},
                                        {"input_max", 2.0F}});
  EXPECT_THAT(Value(DenseGradients({older["op"] * dy}, {x})[0]), ElementsAre(2, 3, 5));
}

// An older graph makes the whole scope one of its producer, which hides no op of the scope.
TEST_P(OlderGradients, BesideOpsOfToday) {
  const Output x = Floats({1, 5, 3});
  const ImportedGraph older = Imported(6, "TopK", {x}, {{"k", int64_t{1}}});
  EXPECT_EQ(scope_.ToGraphDef().versions.producer, 6);
  const Output both = older["op:0"] * scope_.Call("TopKV2", {x, Int(1)});
  EXPECT_THAT(Value(DenseGradients({both}, {x})[0]), ElementsAre(0, 10, 0));
}

// TensorFlow's rules build ops that take no strings for a handle: it says so before the run.
TEST(OlderGradientsRefuse, TensorArraysThatStringsName) {
  Scope scope;
  const Output x = Constant(scope, MakeTensor<float>({2, 2}, {1, 2, 3, 4}));
  const AttrMap type = {{"T", DType::kFloat}}, element = {{"dtype", DType::kFloat}};
  GraphDef older;
  older.versions.producer = 15;
  const auto add = [&](const char* name, const char* op, std::vector<std::string> inputs, const AttrMap& attrs) {
    older.nodes.push_back(MakeNode(name, op, std::move(inputs), attrs));
  };
  add("x", "Placeholder", {}, {{"dtype", DType::kFloat}});
  add("flow", "Placeholder", {}, {{"dtype", DType::kFloat}});
  older.nodes.push_back(MakeConst("size", MakeScalar<int32_t>(2)));
  older.nodes.push_back(MakeConst("at", MakeVector<int32_t>({0, 1})));
  older.nodes.push_back(MakeConst("lengths", MakeVector<int64_t>({1, 1})));
  add("first", "TensorArray", {"size"}, element);
  add("second", "TensorArrayV2", {"size"}, element);
  add("w1", "TensorArrayWrite", {"first", "size", "x", "flow"}, type);
  add("w2", "TensorArrayWriteV2", {"second", "size", "x", "flow"}, type);
  add("s1", "TensorArrayScatter", {"first", "at", "x", "flow"}, type);
  add("s2", "TensorArrayScatterV2", {"second", "at", "x", "flow"}, type);
  add("p1", "TensorArraySplit", {"first", "x", "lengths", "flow"}, type);
  add("p2", "TensorArraySplitV2", {"second", "x", "lengths", "flow"}, type);
  add("r1", "TensorArrayRead", {"first", "size", "flow"}, element);
  add("r2", "TensorArrayReadV2", {"second", "size", "flow"}, element);
  AttrMap shaped = element;
  shaped["element_shape"] = PartialShape({2});
  add("g1", "TensorArrayGather", {"first", "at", "flow"}, shaped);
  add("g2", "TensorArrayGatherV2", {"second", "at", "flow"}, shaped);
  AttrMap joined = element;
  joined["element_shape_except0"] = PartialShape({2});
  add("c1", "TensorArrayConcat", {"first", "flow"}, joined);
  add("c2", "TensorArrayConcatV2", {"second", "flow"}, joined);
  const Output flow = Constant(scope, 0.0F);
  const ImportedGraph graph = ImportGraph(scope, older, {.replace = {{"x", x}, {"flow", flow}}});
  for (const char* const node : {"w1", "w2", "s1", "s2", "p1", "p2", "r1", "r2", "g1", "g2", "c1", "c2"}) {
    const Output y = graph[node];
    EXPECT_TRUE(Refuses(
        [&] {
          DenseGradients({y}, {x, flow});
        },
        Code::kInvalidArgument, "TensorArray of version 3"))
        << node;
  }
}

}  // namespace
}  // namespace plumb
