// Gradients that are TensorFlow's own: rules that are not the derivative of what their op computes, or not of all of
// it, and rules that refuse.
#include "client/gradients.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;

class OwnGradients : public OnEachBackend {
 protected:
  Output Ints(std::initializer_list<int32_t> values) { return Constant(scope_, MakeVector<int32_t>(values)); }
  // By x, where dy comes for y.
  Output Gradient(Output y, Output dy, Output x) { return DenseGradients({y * dy}, {x})[0]; }
  std::vector<std::vector<double>> Values(const std::vector<Output>& fetches) {
    std::vector<std::vector<double>> values;
    for (const Tensor& tensor : Evaluate(GetParam(), scope_, fetches)) values.push_back(Numbers(tensor));
    return values;
  }
  // A loss of CTC for each of two sequences of three, two of them.
  NodeId Spelled(const char* op, Output inputs, std::initializer_list<int32_t> labels, AttrMap attrs) {
    const Output where = Constant(scope_, MakeTensor<int64_t>({3, 2}, {0, 0, 0, 1, 1, 0}));
    return scope_.Add(op, {inputs, where, Ints(labels), Ints({3, 2})}, std::move(attrs));
  }
  Output Sequences() {
    Tensor inputs(DType::kFloat, {3, 2, 4});
    for (size_t i = 0; i < 24; ++i) inputs.mutable_data<float>()[i] = static_cast<float>(i * 7 % 5) / 4;
    return Constant(scope_, inputs);
  }
};
PLUMB_ON_EACH_BACKEND(OwnGradients);

// The second output is the gradient of each loss; what comes for the losses scales it. Twice it cannot be asked for.
TEST_P(OwnGradients, OfSpelledLabels) {
  const Output inputs = Sequences();
  const AttrMap attrs = {{"preprocess_collapse_repeated", true},
                         {"ctc_merge_repeated", false},
                         {"ignore_longer_outputs_than_inputs", true}};
  for (const NodeId loss :
       {Spelled("CTCLoss", inputs, {1, 2, 0}, attrs), Spelled("CTCLossV2", inputs, {1, 2, 3}, attrs)}) {
    const Output by_inputs = Gradient(OutputOf(loss, 0), Floats({2, 4}), inputs);
    const auto values = Values({by_inputs, OutputOf(loss, 1)});
    ASSERT_EQ(values[0].size(), 24u);
    EXPECT_THAT(values[1], Not(Each(0)));
    // [time, sequence, class]
    for (size_t i = 0; i < 24; ++i) EXPECT_EQ(values[0][i], values[1][i] * (i / 4 % 2 == 0 ? 2 : 4)) << i;
    EXPECT_TRUE(Refuses([&] { DenseGradients({by_inputs}, {inputs}); }, Code::kInvalidArgument, "no derivative"));
  }
}

TEST_P(OwnGradients, AreForbidden) {
  const Output x = Float(3), y = Call("PreventGradient", {x}, {{"message", std::string("not through here")}});
  EXPECT_THAT(Value(y), ElementsAre(3));
  EXPECT_TRUE(Refuses([&] { DenseGradients({y * y}, {x}); }, Code::kInvalidArgument, "not through here"));
}

// The first image is moved by one pixel, the second is shrunk to half its width and moved; what comes for their pixels
// is moved back as they were moved, with pixels from outside as for the images themselves.
TEST_P(OwnGradients, OfImagesThatAreTransformedAreTransformedBack) {
  const Output images = Constant(scope_, MakeTensor<float>({2, 1, 3, 1}, {1, 2, 3, 4, 5, 6}));
  const Output transforms = Matrix(2, 8, {1, 0, 1, 0, 1, 0, 0, 0, 2, 0, 1, 0, 1, 0, 0, 0});
  const Output dy = Constant(scope_, MakeTensor<float>({2, 1, 4, 1}, {2, 4, 6, 8, 10, 20, 30, 40}));
  const auto gradient = [&](const char* op, const char* interpolation, const char* fill_mode) {
    std::vector<Output> inputs = {images, transforms, Ints({1, 4})};
    if (std::string_view(op).ends_with("V3")) inputs.push_back(Float(9));
    const AttrMap attrs = {{"interpolation", std::string(interpolation)}, {"fill_mode", std::string(fill_mode)}};
    return Value(Gradient(Call(op, inputs, attrs), dy, images));
  };
  for (const char* const op : {"ImageProjectiveTransformV2", "ImageProjectiveTransformV3"}) {
    EXPECT_THAT(gradient(op, "BILINEAR", "CONSTANT"), ElementsAre(0, 2, 4, 5, 10, 15)) << op;
    EXPECT_THAT(gradient(op, "BILINEAR", "NEAREST"), ElementsAre(2, 2, 4, 10, 10, 15)) << op;
    EXPECT_THAT(gradient(op, "NEAREST", "WRAP").at(0), 8) << op;
    EXPECT_THAT(gradient(op, "NEAREST", "REFLECT").at(0), 2) << op;
  }
}

// {4 b; b 5} with b = 2 has the factor {2 0; 1 2}, whose derivatives by 4, b and 5 are {1/4 0; -1/8 1/16}, {0 0; 1/2
// -1/4} and {0 0; 0 1/4}. Each triangle gets half of what b does, though the op reads one; the upper triangle of the
// factor is no part of it.
TEST_P(OwnGradients, OfCholeskyFactorsGoToBothTriangles) {
  const Output a = Matrix(2, 2, {4, 2, 2, 5}), dy = Matrix(2, 2, {2, 100, 3, 5});
  EXPECT_THAT(Value(Gradient(Call("Cholesky", {a}), dy, a)), ElementsAre(0.4375, 0.125, 0.125, 1.25));
}

// As for labels that add up to 1: dy·(softmax - labels), and dy·(-log softmax) for the labels, which both rows share.
TEST_P(OwnGradients, OfCrossEntropyTakeLabelsForShares) {
  const Output features = Matrix(2, 2, {0, 0, 3, 3}), labels = Matrix(1, 2, {3, 1});
  const NodeId node = scope_.Add("SoftmaxCrossEntropyWithLogits", {features, labels});
  const Output loss = OutputOf(node, 0), dy = Floats({2, 4});
  EXPECT_THAT(Value(Gradient(loss, dy, features)), ElementsAre(-5, -1, -10, -2));
  const auto values = Values({Gradient(loss, dy, labels), Call("LogSoftmax", {features})});
  const auto shared = static_cast<float>(-(2 + 4) * values[1][0]);
  EXPECT_THAT(values[0], ElementsAre(shared, shared)) << "all logits of a row are equal";
  EXPECT_THAT(Value(Gradient(OutputOf(node, 1), Matrix(2, 2, {4, 8, 1, 5}), features)), ElementsAre(-1, 1, -1, 1))
      << "(d - Σ d·softmax)·softmax";
}

// A row that a later one overwrites gets what comes for the place, as the later one does.
TEST_P(OwnGradients, OfRowsThatAreStitchedOver) {
  const Output a = Floats({1, 2}), b = Floats({3, 4}), dy = Floats({2, 3, 5});
  const Output y = Call("DynamicStitch", {Ints({0, 2}), Ints({2, 1}), a, b}, {{"N", int64_t{2}}});
  EXPECT_THAT(Value(Gradient(y, dy, a)), ElementsAre(2, 5));
  EXPECT_THAT(Value(Gradient(y, dy, b)), ElementsAre(5, 3));
}

// Samples move with the shape of their distribution, and what comes for those of one shape is added up.
TEST_P(OwnGradients, OfGammaSamples) {
  const Output alpha = Floats({0.5, 3}), dy = Matrix(2, 2, {2, 4, 8, 16});
  const Output y = Call("RandomGamma", {Ints({2}), alpha}, {{"seed", int64_t{7}}, {"seed2", int64_t{3}}});
  const auto values = Values({Gradient(y, dy, alpha), Call("RandomGammaGrad", {alpha, y})});
  const std::vector<double>& slopes = values[1];
  ASSERT_EQ(slopes.size(), 4u);
  // One rounding, of the sum: products with powers of two have none.
  const auto added = [](double a, double b) { return static_cast<double>(static_cast<float>(a + b)); };
  EXPECT_THAT(values[0], ElementsAre(added(2 * slopes[0], 8 * slopes[2]), added(4 * slopes[1], 16 * slopes[3])));
}

// A position is a whole number: nothing comes through it.
TEST_P(OwnGradients, OfPositionsAreNone) {
  const Output x = Floats({1, 5, 3});
  for (const char* const op : {"ArgMax", "ArgMin"}) {
    const Output position = Call(op, {x, Int(0)}, {{"output_type", DType::kInt64}});
    EXPECT_TRUE(Gradients(scope_.builder(), {position}, {x})[0].IsNone()) << op;
    const Output y = Call("Cast", {position}, {{"DstT", DType::kFloat}}) * x;
    EXPECT_EQ(Value(Gradient(y, Floats({1, 1, 1}), x)),
              Value(Call("Cast", {position}, {{"DstT", DType::kFloat}}) * Floats({1, 1, 1})));
  }
}

// TensorFlow registers rules for these that say that there is none.
TEST_P(OwnGradients, OfSparseElementsAreRefused) {
  const Output indices = Constant(scope_, MakeTensor<int64_t>({2, 1}, {0, 2})), x = Floats({1, 2});
  const Output shape = Constant(scope_, MakeVector<int64_t>({3})), dense = Floats({3, 4, 5});
  const Output sum = Call("SparseDenseCwiseAdd", {indices, x, shape, dense});
  EXPECT_TRUE(Refuses([&] { DenseGradients({sum}, {x, dense}); }, Code::kUnimplemented, "SparseDenseCwiseAdd"));
  for (const char* const op : {"SparseSparseMaximum", "SparseSparseMinimum"}) {
    const Output y = OutputOf(scope_.Add(op, {indices, x, shape, indices, x, shape}), 1);
    EXPECT_TRUE(Refuses([&] { DenseGradients({y}, {x}); }, Code::kUnimplemented, op));
  }
}

}  // namespace
}  // namespace plumb
