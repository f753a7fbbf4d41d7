// What shape rules take although no kernel does, as TensorFlow's shape functions do: a graph loads with it, and only
// running the node fails. Each rule still says what it knows of the result.
#include <gtest/gtest.h>

#include "spec/ops/shape_test_context.h"

namespace plumb {
namespace {

const PartialShape kUnknown = PartialShape::Unknown();
const PartialShape kScalar = PartialShape(Shape());

TEST(ShapesLeftToKernels, OfGradientsBesideTheirInput) {
  for (const char* op : {"InvGrad", "ReciprocalGrad", "RsqrtGrad", "SigmoidGrad", "SqrtGrad", "TanhGrad"}) {
    EXPECT_EQ(Infer(op, {{2, -1}, {3, 4, 5}})[0], (PartialShape{2, -1})) << op;
    EXPECT_EQ(Infer(op, {kUnknown, {3}})[0], kUnknown) << op;
  }
  EXPECT_EQ(Infer("FakeQuantWithMinMaxArgsGradient", {{2, 3}, {4}})[0], (PartialShape{2, 3}));
  for (const char* op : {"FusedBatchNormGrad", "FusedBatchNormGradV2"}) {
    EXPECT_EQ(Infer(op, {{1, 2, 2, 3}, {5, 2, 2, -1}, {3}, {3}, {3}})[0], (PartialShape{1, 2, 2, 3})) << op;
    EXPECT_THROW(Infer(op, {{1, 2, 2, 3}, {1, 2, 2, 4}, {3}, {3}, {3}}), Error) << op;
  }
}

TEST(ShapesLeftToKernels, OfSparseTensors) {
  using Shapes = std::vector<PartialShape>;
  EXPECT_EQ(Infer("SparseReorder", {{5, 3}, {4}, {2}}), (Shapes{{5, 3}, {4}}));
  EXPECT_EQ(Infer("SparseSoftmax", {{5, 3}, {4}, {2}})[0], (PartialShape{4}));
  EXPECT_EQ(Infer("SparseReshape", {{5, 3}, {2}, {4}}), (Shapes{{5, 4}, {4}}));
  EXPECT_EQ(Infer("SparseReorder", {kUnknown, kUnknown, {2}}), (Shapes{{-1, -1}, {-1}}));
  EXPECT_THROW(Infer("SparseReorder", {{5, 3}, {4}, kScalar}), Error);
}

TEST(ShapesLeftToKernels, OfPlacesInATensor) {
  EXPECT_EQ(Infer("TensorScatterAdd", {{4, 4}, {1, 3}, {1}})[0], (PartialShape{4, 4}));
  EXPECT_EQ(Infer("ScatterNdUpdate", {{4, 4}, {1, 3}, {1}})[0], (PartialShape{4, 4}));
  for (const char* op : {"TensorScatterAdd", "ScatterNdUpdate"}) {
    EXPECT_THROW(Infer(op, {{4, 4}, {1, 3}, {1, 2}}), Error) << op;
    EXPECT_THROW(Infer(op, {{4, 4}, {2, 1}, {1, 4}}), Error) << op;
    EXPECT_THROW(Infer(op, {{-1, 0}, {2, 1}, {2, 4}}), Error) << op;
  }
  for (const char* op : {"LowerBound", "UpperBound"}) EXPECT_EQ(Infer(op, {{2, 5}, {3, 4}})[0], (PartialShape{3, 4}));
}

TEST(ShapesLeftToKernels, OfDiagonals) {
  const Tensor main = MakeScalar<int32_t>(0), band = MakeTensor<int32_t>({2}, {-1, 1});
  const auto set = [](PartialShape input, PartialShape diagonal, const Tensor& k) {
    return Infer("MatrixSetDiagV2", {std::move(input), std::move(diagonal), {}}, {}, {{2, k}})[0];
  };
  EXPECT_EQ(set({2, 4, 4}, {3, 7}, main), (PartialShape{2, 4, 4})) << "of matrices of which all is known";
  EXPECT_EQ(set({2, 4, 4}, {3, 7, 9}, band), (PartialShape{2, 4, 4}));
  EXPECT_EQ(set({-1, 4, 4}, {3, 4}, main), (PartialShape{3, 4, 4}));
  EXPECT_EQ(set({-1, 4, 4}, {3, 3, 4}, band), (PartialShape{3, 4, 4}));
  EXPECT_EQ(set(kUnknown, {3, 3, 4}, band), (PartialShape{3, -1, -1}));
  EXPECT_EQ(Infer("MatrixSetDiagV2", {{-1, 4, 4}, {3, 4}, {-1}})[0], (PartialShape{3, 4, 4})) << "one by its rank";
  EXPECT_EQ(Infer("MatrixSetDiag", {{2, 4, 5}, {3, 4}})[0], (PartialShape{2, 4, 5}));
}

TEST(ShapesLeftToKernels, OfWhatComesBeforeTheRest) {
  const AttrMap windows = {
      {"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"rates", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}};
  EXPECT_EQ(Infer("Dilation2D", {{1, 5, -1, 2}, {2, 2, 3}}, windows)[0], (PartialShape{1, 5, -1, 3}));
  EXPECT_THROW(Infer("Dilation2D", {{1, 5, 5, 2}, {2, 2, 3}}, windows), Error);
  EXPECT_EQ(Infer("MirrorPadGrad", {kUnknown, {-1, 1}}, {{"mode", "REFLECT"}})[0], kUnknown);
  EXPECT_THROW(Infer("MirrorPadGrad", {kUnknown, {2, 1}}, {{"mode", "REFLECT"}}), Error);
  EXPECT_EQ(Infer("Dequantize", {{2, 3}, {4}, {3}}, {{"axis", 1}})[0], (PartialShape{2, 3}));
  EXPECT_THROW(Infer("Dequantize", {{2, 3}, {3}, {4}}, {{"axis", 1}}), Error);
}

}  // namespace
}  // namespace plumb
