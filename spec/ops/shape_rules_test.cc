// Shapes of ops that compute: arithmetic, reductions, matrices, images, variables.
#include <gtest/gtest.h>

#include "spec/ops/shape_test_context.h"

namespace plumb {
namespace {

using Shapes = std::vector<PartialShape>;
const PartialShape kUnknown = PartialShape::Unknown();
const PartialShape kScalar = PartialShape(Shape());

Tensor Ints(std::vector<int32_t> values) {
  return MakeTensor<int32_t>({static_cast<int64_t>(values.size())}, std::span<const int32_t>(values));
}

TEST(MathShapes, OnesStretch) {
  const auto add = [](PartialShape a, PartialShape b) { return Infer("Add", {std::move(a), std::move(b)})[0]; };
  EXPECT_EQ(add({2, 1, 3}, {4, 1}), (PartialShape{2, 4, 3}));
  EXPECT_EQ(add({2, 3}, kScalar), (PartialShape{2, 3}));
  EXPECT_EQ(add({0}, {1}), (PartialShape{0}));
  EXPECT_EQ(add({-1, 3}, {4, -1}), (PartialShape{4, 3}));
  EXPECT_EQ(add({-1}, {1}), (PartialShape{-1}));
  EXPECT_EQ(add({-1}, {-1}), (PartialShape{-1}));
  EXPECT_EQ(add({2}, kUnknown), kUnknown);
  EXPECT_THROW(add({2}, {3}), Error);
  EXPECT_THROW(add({0}, {2}), Error);
}

TEST(MathShapes, EqualityOfIncompatibleShapesIsOneBoolean) {
  const AttrMap lenient = {{"incompatible_shape_error", false}};
  EXPECT_EQ(Infer("Equal", {{2}, {3}}, lenient)[0], kScalar);
  EXPECT_EQ(Infer("Equal", {{2, 1}, {3}}, lenient)[0], (PartialShape{2, 3}));
  EXPECT_EQ(Infer("NotEqual", {{2}, {-1}}, lenient)[0], kUnknown);
  EXPECT_THROW(Infer("Equal", {{2}, {3}}), Error);
}

TEST(MathShapes, SelectChoosesElementsOrRows) {
  EXPECT_EQ(Infer("Select", {{2, 3}, {2, -1}, {-1, 3}})[0], (PartialShape{2, 3}));
  EXPECT_EQ(Infer("Select", {{2}, {-1, 3}, {-1, 3}})[0], (PartialShape{2, 3}));
  EXPECT_EQ(Infer("Select", {kScalar, {4}, {4}})[0], (PartialShape{4}));
  EXPECT_THROW(Infer("Select", {{3}, {2, 3}, {2, 3}}), Error);
  EXPECT_THROW(Infer("Select", {{2}, kScalar, kScalar}), Error);
  EXPECT_THROW(Infer("Select", {kScalar, {4}, {5}}), Error);
}

TEST(ReductionShapes, AxesGoOrStayAsOnes) {
  const auto sum = [](std::vector<int32_t> axes, bool keep) {
    return Infer("Sum", {{2, 3, 4}, {}}, {{"keep_dims", keep}}, {{1, Ints(std::move(axes))}})[0];
  };
  EXPECT_EQ(sum({0, -1}, false), (PartialShape{3}));
  EXPECT_EQ(sum({0, -1}, true), (PartialShape{1, 3, 1}));
  EXPECT_EQ(sum({}, false), (PartialShape{2, 3, 4}));
  EXPECT_THROW(sum({3}, false), Error);
  EXPECT_EQ(Infer("Sum", {{2, 3}, {-1}})[0], kUnknown);
  EXPECT_EQ(Infer("Sum", {{2, 3}, {-1}}, {{"keep_dims", true}})[0], PartialShape::OfRank(2));
  EXPECT_THROW(Infer("Sum", {{2, 3}, {1, 1}}), Error);
}

// As TensorFlow's rules do, even where the run would show that all is well.
TEST(ArrayShapes, SomeRulesRefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(Infer("SpaceToBatchND", {{2, 4, 1}, {1}, {1, 2}}, {}, {{1, Ints({2})}})[0], (PartialShape{4, -1, 1}));
  EXPECT_THROW(Infer("SpaceToBatchND", {{2, 4, 1}, {-1}, {1, 2}}), Error);
  EXPECT_THROW(Infer("BatchToSpaceND", {{2, 4, 1}, kUnknown, {1, 2}}), Error);
  const AttrMap two = {{"N", 1}, {"shape", PartialShape{1, 2}}};
  EXPECT_EQ(Infer("ParallelConcat", {{1, 2}}, two)[0], (PartialShape{1, 2}));
  EXPECT_THROW(Infer("ParallelConcat", {{1, -1}}, two), Error);
  const auto cut = [](PartialShape pos, PartialShape len) { return Infer("Substr", {{2}, std::move(pos), len})[0]; };
  EXPECT_EQ(cut({-1}, {-1}), (PartialShape{2}));
  EXPECT_EQ(cut(kUnknown, {3}), kUnknown) << "the size of pos may be one";
  EXPECT_THROW(cut({2}, kUnknown), Error);
  EXPECT_THROW(cut({-1}, {2}), Error);
  EXPECT_THROW(cut({1}, kScalar), Error);
}

TEST(MatrixShapes, BandsAreRowsOfTheMatrix) {
  const auto solve = [](PartialShape bands, PartialShape side) {
    return Infer("BandedTriangularSolve", {std::move(bands), std::move(side)})[0];
  };
  EXPECT_EQ(solve({5, 1, 2, 4}, {3, 4, 7}), (PartialShape{5, 3, 4, 7}));
  EXPECT_EQ(solve({-1, -1}, {4, 7}), (PartialShape{4, 7}));
  EXPECT_THROW(solve({5, 4}, {4, 7}), Error);
  EXPECT_THROW(solve({0, 4}, {4, 7}), Error);
  EXPECT_THROW(solve({2, 4}, {5, 7}), Error);
}

TEST(ReductionShapes, PositionsAndSegments) {
  const Tensor one = MakeScalar<int32_t>(1);
  EXPECT_EQ(Infer("ArgMax", {{2, 3, 4}, {}}, {}, {{1, one}})[0], (PartialShape{2, 4}));
  EXPECT_EQ(Infer("ArgMax", {{2, 3}, kScalar})[0], (PartialShape{-1}));
  EXPECT_THROW(Infer("ArgMin", {{2}, {}}, {}, {{1, one}}), Error);
  EXPECT_EQ(Infer("TopKV2", {{2, 3}, {}}, {}, {{1, one}}), Shapes(2, PartialShape{2, 1}));
  EXPECT_THROW(Infer("TopKV2", {{2, 0}, {}}, {}, {{1, one}}), Error);
  EXPECT_EQ(Infer("TopK", {{2, 3}}, {{"k", 1}}), Shapes(2, PartialShape{2, 1}));
  EXPECT_THROW(Infer("TopK", {{2, 0}}, {{"k", 1}}), Error);
  EXPECT_EQ(Infer("UnsortedSegmentSum", {{2, 3, 4}, {2, -1}, {}}, {}, {{2, one}})[0], (PartialShape{1, 4}));
  EXPECT_THROW(Infer("UnsortedSegmentSum", {{2, 3}, {3}, kScalar}), Error);
}

TEST(MatrixShapes, InnerDimensionsAgree) {
  EXPECT_EQ(Infer("MatMul", {{2, 3}, {3, 4}})[0], (PartialShape{2, 4}));
  EXPECT_EQ(Infer("MatMul", {{3, 2}, {4, 3}}, {{"transpose_a", true}, {"transpose_b", true}})[0], (PartialShape{2, 4}));
  EXPECT_EQ(Infer("MatMul", {kUnknown, {3, 4}})[0], (PartialShape{-1, 4}));
  EXPECT_THROW(Infer("MatMul", {{2, 3}, {4, 3}}), Error);
  EXPECT_THROW(Infer("MatMul", {{2, 3}, {1, 3, 4}}), Error);
}

TEST(MatrixShapes, BatchesAreEqualOrBroadcast) {
  EXPECT_EQ(Infer("BatchMatMul", {{5, 2, 3}, {-1, 3, 4}})[0], (PartialShape{5, 2, 4}));
  EXPECT_EQ(Infer("BatchMatMul", {kUnknown, {5, 3, 4}})[0], (PartialShape{5, -1, 4}));
  EXPECT_EQ(Infer("BatchMatMul", {{5, 3, 2}, kUnknown}, {{"adj_x", true}})[0], (PartialShape{5, 2, -1}));
  EXPECT_THROW(Infer("BatchMatMul", {{5, 2, 3}, {1, 3, 4}}), Error);
  EXPECT_EQ(Infer("BatchMatMulV2", {{6, 1, 3, 2}, {5, 3, 4}}, {{"adj_x", true}})[0], (PartialShape{6, 5, 2, 4}));
  EXPECT_EQ(Infer("BatchMatMulV2", {{2, 3}, {5, 4, 3}}, {{"adj_y", true}})[0], (PartialShape{5, 2, 4}));
  EXPECT_THROW(Infer("BatchMatMulV2", {{6, 2, 3}, {5, 3, 4}}), Error);
  EXPECT_THROW(Infer("BatchMatMulV2", {{3}, {3, 4}}), Error);
}

AttrMap ConvAttrs(std::vector<int64_t> strides, const char* padding) {
  return {{"strides", std::move(strides)}, {"padding", padding}};
}

TEST(ImageShapes, ConvolutionCountsItsWindows) {
  const PartialShape filter = {3, 3, 2, 7};
  EXPECT_EQ(Infer("Conv2D", {{-1, 10, 9, 2}, filter}, ConvAttrs({1, 2, 2, 1}, "SAME"))[0], (PartialShape{-1, 5, 5, 7}));
  EXPECT_EQ(Infer("Conv2D", {{8, 10, 9, 2}, filter}, ConvAttrs({1, 2, 2, 1}, "VALID"))[0], (PartialShape{8, 4, 4, 7}));
  AttrMap dilated = ConvAttrs({1, 1, 1, 1}, "VALID");
  dilated["dilations"] = std::vector<int64_t>{1, 2, 3, 1};
  EXPECT_EQ(Infer("Conv2D", {{8, 10, 9, 2}, filter}, dilated)[0], (PartialShape{8, 6, 3, 7}));
  AttrMap padded = ConvAttrs({1, 1, 1, 1}, "EXPLICIT");
  padded["explicit_paddings"] = std::vector<int64_t>{0, 0, 1, 2, 0, 3, 0, 0};
  EXPECT_EQ(Infer("Conv2D", {{8, 10, 9, 2}, filter}, padded)[0], (PartialShape{8, 11, 10, 7}));
  AttrMap first = ConvAttrs({1, 1, 1, 1}, "SAME");
  first["data_format"] = "NCHW";
  EXPECT_EQ(Infer("Conv2D", {{8, 2, 10, 9}, filter}, first)[0], (PartialShape{8, 7, 10, 9}));
}

TEST(ImageShapes, EmptyWindowsExtendOverNothing) {
  AttrMap attrs = ConvAttrs({1, 1, 1, 1}, "VALID");
  EXPECT_EQ(Infer("Conv2D", {{8, 9, 9, 2}, {0, 3, 2, 7}}, attrs)[0], (PartialShape{8, 10, 7, 7}));
  attrs["dilations"] = std::vector<int64_t>{1, 2, 2, 1};
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9, 2}, {0, 3, 2, 7}}, attrs), Error) << "and cannot be spread";
  EXPECT_EQ(Infer("DepthwiseConv2dNative", {{8, 4, 9, 2}, {3, 3, 2, 7}}, attrs)[0], (PartialShape{8, 2, 7, 14}));
  attrs["dilations"] = std::vector<int64_t>{1, 1, 1};
  EXPECT_THROW(Infer("DepthwiseConv2dNative", {{8, 4, 9, 2}, {3, 3, 2, 7}}, attrs), Error);
}

TEST(ImageShapes, ConvolutionRefusesWhatCannotFit) {
  const AttrMap valid = ConvAttrs({1, 1, 1, 1}, "VALID");
  EXPECT_THROW(Infer("Conv2D", {{8, 2, 9, 2}, {3, 3, 2, 7}}, valid), Error);
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9, 3}, {3, 3, 2, 7}}, valid), Error);
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9}, {3, 3, 2, 7}}, valid), Error);
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9, 2}, {3, 3, 2, 7}}, ConvAttrs({1, 1, 1}, "VALID")), Error);
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9, 2}, {3, 3, 2, 7}}, ConvAttrs({1, 0, 1, 1}, "SAME")), Error);
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9, 2}, {3, 3, 2, 7}}, ConvAttrs({1, 1, 1, 1}, "EXPLICIT")), Error);
  EXPECT_EQ(Infer("Conv2D", {{8, 9, 9, 4}, {3, 3, 2, 6}}, valid)[0], (PartialShape{8, 7, 7, 6}));
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9, 4}, {3, 3, 2, 7}}, valid), Error);
}

// Images twice as deep as the filter make two groups, in either format; where a depth is open, so is their number.
TEST(ImageShapes, ConvolutionCountsItsGroups) {
  const AttrMap valid = ConvAttrs({1, 1, 1, 1}, "VALID");
  AttrMap first = valid;
  first["data_format"] = "NCHW";
  EXPECT_EQ(Infer("Conv2D", {{8, 4, 9, 9}, {3, 3, 2, 6}}, first)[0], (PartialShape{8, 6, 7, 7}));
  EXPECT_THROW(Infer("Conv2D", {{8, 4, 9, 9}, {3, 3, 2, 7}}, first), Error);
  EXPECT_EQ(Infer("Conv2D", {{8, 9, 9, 4}, {3, 3, 2, -1}}, valid)[0], (PartialShape{8, 7, 7, -1}));
  EXPECT_EQ(Infer("Conv2D", {{8, 9, 9, 4}, {3, 3, -1, 7}}, valid)[0], (PartialShape{8, 7, 7, 7}));
  EXPECT_EQ(Infer("Conv2D", {{8, 9, 9, -1}, {3, 3, 2, 7}}, valid)[0], (PartialShape{8, 7, 7, 7}));
  EXPECT_EQ(Infer("Conv2D", {{8, 9, 9, 0}, {3, 3, 2, 7}}, valid)[0], (PartialShape{8, 7, 7, 7})) << "no group";
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9, 4}, {3, 3, 0, 7}}, valid), Error);
  EXPECT_THROW(Infer("Conv2D", {{8, 9, 9, 0}, {3, 3, 0, 7}}, valid), Error);
  EXPECT_EQ(Infer("Conv2D", {{8, 9, 9, 4}, {3, 3, 2, 0}}, valid)[0], (PartialShape{8, 7, 7, 0}));
}

TEST(ImageShapes, BackpropsTakeTheirShapeFromAnInput) {
  const AttrMap attrs = ConvAttrs({1, 1, 1, 1}, "SAME");
  const Shapes inputs = {{}, {3, 3, 2, 7}, {8, 10, 9, 7}};
  EXPECT_EQ(Infer("Conv2DBackpropInput", inputs, attrs, {{0, Ints({8, 10, 9, 2})}})[0], (PartialShape{8, 10, 9, 2}));
  EXPECT_EQ(Infer("Conv2DBackpropInput", inputs, attrs, {{0, Ints({10, 9})}})[0], (PartialShape{8, 10, 9, 2}));
  EXPECT_THROW(Infer("Conv2DBackpropInput", inputs, attrs, {{0, Ints({8, 10, 9})}}), Error);
  EXPECT_EQ(Infer("Conv2DBackpropInput", {{4}, kUnknown, kUnknown}, attrs)[0], PartialShape::OfRank(4));
  EXPECT_EQ(Infer("Conv2DBackpropInput", {{4}, {3, 3, 2, 7}, {8, 10, 9, 7}}, attrs)[0], (PartialShape{8, -1, -1, -1}));
  EXPECT_EQ(Infer("Conv2DBackpropFilter", {{8, 9, 9, 2}, {}, {8, 9, 9, 7}}, attrs, {{1, Ints({3, 3, 2, 7})}})[0],
            (PartialShape{3, 3, 2, 7}));
}

TEST(ImageShapes, PoolingCountsItsWindows) {
  AttrMap attrs = ConvAttrs({1, 2, 2, 1}, "VALID");
  attrs["ksize"] = std::vector<int64_t>{1, 3, 2, 1};
  EXPECT_EQ(Infer("MaxPool", {{8, 7, 8, -1}}, attrs)[0], (PartialShape{8, 3, 4, -1}));
  EXPECT_EQ(Infer("AvgPool", {{8, 7, 8, 3}}, attrs)[0], (PartialShape{8, 3, 4, 3}));
  EXPECT_THROW(Infer("AvgPool", {{8, 2, 8, 3}}, attrs), Error);
  EXPECT_EQ(Infer("AvgPoolGrad", {{}, {8, 3, 4, 3}}, attrs, {{0, Ints({8, 7, 8, 3})}})[0], (PartialShape{8, 7, 8, 3}));
}

TEST(NormalizationShapes, ChannelsAgree) {
  EXPECT_EQ(Infer("BiasAdd", {{2, 3, -1}, {5}})[0], (PartialShape{2, 3, 5}));
  EXPECT_THROW(Infer("BiasAdd", {{2, 3}, {5}}), Error);
  EXPECT_THROW(Infer("BiasAdd", {{5}, {5}}), Error);
  EXPECT_EQ(Infer("BiasAdd", {{2, 5, 4}, {5}}, {{"data_format", "NCHW"}})[0], (PartialShape{2, 5, 4}));
  EXPECT_EQ(Infer("BiasAddGrad", {{2, 3, 5}})[0], (PartialShape{5}));
  const Shapes training = Infer("FusedBatchNormV3", {{2, 3, 4, -1}, {5}, {-1}, {0}, {0}});
  EXPECT_EQ(training[0], (PartialShape{2, 3, 4, 5}));
  EXPECT_EQ(training[4], (PartialShape{5}));
  EXPECT_THROW(Infer("FusedBatchNorm", {{2, 3, 4, 5}, {5}, {5}, {0}, {0}}, {{"is_training", false}}), Error);
  EXPECT_THROW(Infer("FusedBatchNorm", {{2, 3, 4, 5}, {5}, {6}, {0}, {0}}), Error);
  const Shapes gradient = Infer("FusedBatchNormGrad", {{2, 3, 4, 5}, {2, 3, 4, 5}, {5}, {5}, {5}});
  EXPECT_EQ(gradient, (Shapes{{2, 3, 4, 5}, {5}, {5}, {0}, {0}}));
}

TEST(LossShapes, OneLossForEachRow) {
  EXPECT_EQ(Infer("SoftmaxCrossEntropyWithLogits", {{4, 5}, {1, 5}}), (Shapes{{4}, {4, 5}}));
  EXPECT_THROW(Infer("SoftmaxCrossEntropyWithLogits", {{5}, {5}}), Error);
  EXPECT_THROW(Infer("SoftmaxCrossEntropyWithLogits", {kUnknown, {5}}), Error);
  EXPECT_EQ(Infer("SoftmaxCrossEntropyWithLogits", {kUnknown, kUnknown}), (Shapes{{-1}, {-1, -1}}));
  EXPECT_EQ(Infer("SoftmaxCrossEntropyWithLogits", {kUnknown, {4, 5}}), (Shapes{{4}, {4, 5}}));
  EXPECT_EQ(Infer("SoftmaxCrossEntropyWithLogits", {{1, 5}, kUnknown}), (Shapes{{-1}, {-1, 5}}));
  EXPECT_EQ(Infer("SparseSoftmaxCrossEntropyWithLogits", {{-1, 5}, {4}}), (Shapes{{4}, {4, 5}}));
  EXPECT_THROW(Infer("SparseSoftmaxCrossEntropyWithLogits", {{4, 5}, {3}}), Error);
}

TEST(ControlShapes, AMergeKeepsWhatAllInputsShare) {
  EXPECT_EQ(Infer("Merge", {{2, 3}, {2, 4}}, {{"N", 2}}), (Shapes{{2, -1}, kScalar}));
  EXPECT_EQ(Infer("Merge", {{2, 3}, {2}}, {{"N", 2}})[0], kUnknown);
  EXPECT_EQ(Infer("Switch", {{2}, kScalar}), Shapes(2, PartialShape{2}));
  EXPECT_THROW(Infer("Switch", {{2}, {1}}), Error);
  EXPECT_EQ(Infer("RefSelect", {kScalar, {2}, {2}}, {{"N", 2}})[0], (PartialShape{2}));
  EXPECT_EQ(Infer("RefSelect", {kScalar, {2}, {3}}, {{"N", 2}})[0], kUnknown);
}

TEST(StateShapes, VariablesAndTheirUpdates) {
  const AttrMap scalar = {{"shape", kScalar}, {"dtype", DType::kFloat}};
  EXPECT_EQ(Infer("VariableV2", {}, scalar)[0], kScalar);
  EXPECT_EQ(Infer("Variable", {}, scalar)[0], kUnknown);  // rule R12
  EXPECT_THROW(Infer("Assign", {{2}, {3}}), Error);
  EXPECT_EQ(Infer("Assign", {{2}, {3}}, {{"validate_shape", false}})[0], (PartialShape{3}));
  EXPECT_EQ(Infer("ScatterAdd", {{9, 3}, {4}, {4, 3}})[0], (PartialShape{9, 3}));
  EXPECT_EQ(Infer("ScatterAdd", {{9, 3}, {4}, kScalar})[0], (PartialShape{9, 3}));
  EXPECT_THROW(Infer("ScatterAdd", {{9, 3}, {4}, {5, 3}}), Error);  // rule R23
  EXPECT_EQ(Infer("RandomUniform", {{}}, {}, {{0, Ints({2, 3})}})[0], (PartialShape{2, 3}));
}

class WithVariable : public TestShapeContext {
 public:
  using TestShapeContext::TestShapeContext;
  std::optional<VariableType> variable(int i) const override {
    if (i > 0) return std::nullopt;
    return VariableType{DType::kFloat, {4, 5}};
  }
};

TEST(StateShapes, AHandleTellsItsVariablesShape) {
  const auto infer = [](const char* op, Shapes inputs, AttrMap attrs) {
    return InferShapes(WithVariable(GetOp(op), std::move(inputs), std::move(attrs)));
  };
  const AttrMap floats = {{"dtype", DType::kFloat}};
  EXPECT_EQ(infer("ReadVariableOp", {kScalar}, floats)[0], (PartialShape{4, 5}));
  EXPECT_THROW(infer("ReadVariableOp", {kScalar}, {{"dtype", DType::kInt32}}), Error);
  EXPECT_NO_THROW(infer("AssignVariableOp", {kScalar, {4, 5}}, floats));
  EXPECT_THROW(infer("AssignVariableOp", {kScalar, {4}}, floats), Error);
  EXPECT_EQ(infer("ResourceGather", {kScalar, {7}}, floats)[0], (PartialShape{7, 5}));
  EXPECT_THROW(infer("ResourceGather", {kScalar, {7, 1, 1}}, {{"dtype", DType::kFloat}, {"batch_dims", 2}}), Error);
  EXPECT_THROW(infer("ResourceApplyGradientDescent", {kScalar, kScalar, {4}}, {{"T", DType::kFloat}}), Error);
}

}  // namespace
}  // namespace plumb
