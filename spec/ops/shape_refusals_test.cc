// What a shape rule refuses by itself, and says so: were its own condition gone, what comes after it might refuse too,
// with words that do not say what was wrong, or at the run only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status_testing.h"
#include "spec/ops/shape_test_context.h"

namespace plumb {
namespace {

const PartialShape kUnknown = PartialShape::Unknown();
const PartialShape kScalar = PartialShape(Shape());

Tensor Ints(std::vector<int32_t> values) {
  return MakeTensor<int32_t>({static_cast<int64_t>(values.size())}, std::span<const int32_t>(values));
}
Tensor Int(int32_t value) { return MakeScalar<int32_t>(value); }
std::vector<int64_t> List(std::vector<int64_t> values) { return values; }

struct Refusal {
  std::string_view op;
  std::vector<PartialShape> inputs;
  AttrMap attrs;
  std::map<int, Tensor> constants;
  std::string words;
};

void ExpectRefused(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    const Status status = StatusOf([&] { Infer(refusal.op, refusal.inputs, refusal.attrs, refusal.constants); });
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << refusal.op;
    EXPECT_THAT(status.message(), testing::HasSubstr(refusal.words)) << refusal.op;
  }
}

TEST(ShapeRefusals, OfScalarsThatAreNotKnownToBeMinusOne) {
  const AttrMap list = {{"element_dtype", DType::kFloat}, {"shape_type", DType::kInt32}};
  ExpectRefused({
      {"EmptyTensorList", {kScalar, kScalar}, list, {}, "must be known to be -1 before the run"},
      {"TensorListReserve", {kScalar, kScalar}, list, {{0, Int(2)}}, "or the scalar -1, not 2"},
      {"TensorListFromTensor", {kUnknown, kScalar}, list, {}, "must be known to be -1 before the run"},
  });
  EXPECT_EQ(Infer("EmptyTensorList", {kScalar, kScalar}, list, {{0, Int(-1)}}).size(), 1);
  EXPECT_EQ(Infer("EmptyTensorList", {kUnknown, kScalar}, list, {}).size(), 1);
}

TEST(ShapeRefusals, OfUpdatesOfAVariableWithoutElements) {
  const AttrMap types = {{"T", DType::kFloat}, {"Tindices", DType::kInt32}};
  ExpectRefused({{"ScatterNdUpdate", {{-1, 0}, {2, 2}, {2}}, types, {}, "has no place for updates"}});
  EXPECT_EQ(Infer("ScatterNdUpdate", {{3, 0}, {0, 2}, {0}}, types, {}).size(), 1);
}

TEST(ShapeRefusals, OfInputsThatAreLookedAtOnceTheirValueIsKnown) {
  const AttrMap two = {{"num_split", 2}};
  const Tensor one = Ints({1}), matrix = MakeTensor<int32_t>({1, 2}, {1, 0});
  ExpectRefused({
      {"OneHot", {{2}, {}, kScalar, kScalar}, {}, {{1, one}}, "must be a scalar, not of shape [1]"},
      {"NthElement", {{2, 3}, {}}, {}, {{1, one}}, "must be a scalar, not of shape [1]"},
      {"TopKV2", {{2, 3}, {}}, {}, {{1, one}}, "must be a scalar, not of shape [1]"},
      {"Split", {{}, kUnknown}, two, {{0, one}}, "must be a scalar, not of shape [1]"},
      {"Split", {{}, kScalar}, two, {{0, Int(0)}}, "the axis 0 is outside [0, 0)"},
      {"SplitV", {kUnknown, {2}, {}}, two, {{2, one}}, "must be a scalar, not of shape [1]"},
      {"SplitV", {{4}, {}, kScalar}, two, {{1, matrix}}, "must have rank 1, not the shape [1,2]"},
      {"UniqueV2", {{3}, {}}, {}, {{1, Int(0)}}, "must have rank 1, not the shape []"},
      {"Transpose", {kUnknown, {}}, {}, {{1, matrix}}, "must have rank 1, not the shape [1,2]"},
      {"FractionalAvgPoolGrad", {{}, {}, {}, {}}, {}, {{0, Int(4)}}, "must have rank 1, not the shape []"},
  });
  const auto first = [](std::string_view op, std::vector<PartialShape> inputs, AttrMap attrs = {}) {
    return Infer(op, std::move(inputs), std::move(attrs))[0];
  };
  EXPECT_EQ(first("OneHot", {{2}, {1}, {4}, {5}}), (PartialShape{2, -1}));
  EXPECT_EQ(first("OneHot", {{2}, kScalar, kScalar, kScalar}, {{"axis", 3}}), (PartialShape{2, -1}));
  EXPECT_EQ(first("Split", {{1}, {4}}, two), (PartialShape{-1}));
  EXPECT_EQ(first("SplitV", {{4, 6}, {3}, {1}}, two), (PartialShape{-1, -1}));
  EXPECT_EQ(first("UniqueV2", {{3, 4}, kScalar}), PartialShape::OfRank(2));
  EXPECT_EQ(first("Transpose", {kUnknown, {1}}), kUnknown);
  EXPECT_EQ(first("Transpose", {kUnknown, {2}}), (PartialShape{-1, -1}));
  EXPECT_EQ(first("FractionalAvgPoolGrad", {kScalar, {}, {}, {}}), PartialShape::OfRank(4));
}

TEST(ShapeRefusals, OfShapesThatAreNoVectors) {
  ExpectRefused({
      {"RandomUniform", {{}}, {}, {{0, Int(-1)}}, "must have rank 1, not the shape []"},
      {"ScatterNd", {{2, 1}, {2}, kScalar}, {}, {}, "must have rank 1, not the shape []"},
      {"StridedSliceGrad", {kScalar, {1}, {1}, {1}, {1}}, {}, {}, "must have rank 1, not the shape []"},
  });
}

TEST(ShapeRefusals, OfImagesThatAreNotDrawnUpon) {
  ExpectRefused({
      {"DrawBoundingBoxes", {{1, 5, 5, 2}, {1, 3, 4}}, {}, {}, "images have 1, 3 or 4 channels, not 2"},
      {"DrawBoundingBoxes", {{1, 5, 5, 3}, {1, 3, 5}}, {}, {}, "dimensions must be equal, but are 5 and 4"},
  });
  EXPECT_EQ(Infer("DrawBoundingBoxesV2", {{1, 5, 5, 2}, {7}, {7}})[0], (PartialShape{1, 5, 5, 2}));
}

TEST(ShapeRefusals, OfSizesThatAreValues) {
  ExpectRefused({
      {"Fill", {{}, kScalar}, {}, {{0, Ints({2, -1})}}, "holds the dimension -1"},
      {"LinSpace", {kScalar, kScalar, {}}, {}, {{2, Int(0)}}, "num must be positive, not 0"},
      {"NthElement", {{2, 3}, {}}, {}, {{1, Int(3)}}, "rows of 3 elements have no element 3"},
      {"Range", {{}, {}, {}}, {}, {{0, Int(0)}, {1, Int(9)}, {2, Int(0)}}, "delta must not be 0"},
      {"Range", {{}, {}, {}}, {}, {{0, Int(0)}, {1, Int(9)}, {2, Int(-1)}}, "do not fit the sign of delta -1"},
      {"Range", {{}, {}, {}}, {}, {{0, Int(9)}, {1, Int(0)}, {2, Int(1)}}, "do not fit the sign of delta 1"},
      {"Reshape", {{2, 6}, {}}, {}, {{1, Ints({5})}}, "12 elements do not fill the shape"},
      {"Reshape", {{2, 6}, {}}, {}, {{1, Ints({5, -1})}}, "12 elements do not fill the shape"},
      {"Reshape", {{2, 6}, {}}, {}, {{1, Ints({0, -1})}}, "12 elements do not fill the shape"},
      {"Reshape", {{2, 6}, {}}, {}, {{1, Ints({-2})}}, "holds the dimension -2"},
      {"Reshape", {{1}, kScalar}, {}, {{1, Int(-1)}}, "rank 1"},
      {"Slice", {{4, 5}, {}, {}}, {}, {{1, Ints({0, 0})}, {2, Ints({1, -2})}}, "the size -2 of the dimension 1"},
      {"Slice", {{4, 5}, {}, {}}, {}, {{1, Ints({0, 6})}, {2, Ints({1, -1})}}, "a dimension would be negative: 5 - 6"},
      {"TopKV2", {{2, 3}, {}}, {}, {{1, Int(4)}}, "k is 4, but the last dimension has only the size 3"},
      {"TopKV2", {{2, 3}, {}}, {}, {{1, Int(-1)}}, "says a size and must not be negative: -1"},
      {"ResizeBilinear", {{1, 2, 2, 1}, {}}, {}, {{1, Ints({-1, 2})}}, "says the size -1 x 2"},
      {"ResizeBilinear", {{1, 2, 2, 1}, {}}, {}, {{1, Ints({2, -1})}}, "says the size 2 x -1"},
      {"RandomCrop", {{2, 2, 1}, {}}, {}, {{1, MakeVector<int64_t>({-1, 2})}}, "a crop cannot have the size -1 x 2"},
      {"RandomCrop", {{2, 2, 1}, {}}, {}, {{1, MakeVector<int64_t>({2, -1})}}, "a crop cannot have the size 2 x -1"},
      {"DecodePaddedRaw", {{2}, {}}, {{"out_type", DType::kInt32}}, {{1, Int(6)}}, "a multiple of 4, not 6"},
      {"DecodePaddedRaw", {{2}, {}}, {{"out_type", DType::kInt32}}, {{1, Int(-4)}}, "must not be negative: -4"},
      {"Fingerprint", {{2}, {}}, {}, {{1, MakeScalar<std::string>("md5")}}, "must be 'farmhash64'"},
  });
}

TEST(ShapeRefusals, OfPlacesInATensor) {
  const Tensor axis = Int(0);
  ExpectRefused({
      {"GatherV2", {{4, 5}, {3}, {}}, {{"batch_dims", 2}}, {{2, axis}}, "batch_dims 2 is outside the rank 1"},
      {"GatherV2", {{4, 5}, {3}, {}}, {{"batch_dims", -2}}, {{2, axis}}, "batch_dims -2 is outside the rank 1"},
      {"GatherV2", {{4}, {4}, {}}, {{"batch_dims", 1}}, {{2, axis}}, "batch_dims 1 is not below the rank 1"},
      {"GatherNd", {{4, 5}, {3, 3}}, {}, {}, "holds 3 coordinates, but params has the shape [4,5]"},
      {"ScatterNd", {{2, 1}, {2}, {}}, {}, {{2, Ints({0})}}, "has no place for updates"},
      {"ScatterNd", {{2, 3, 1}, {2}, {}}, {}, {{2, Ints({9})}}, "do not begin with the dimensions of the indices"},
      {"ScatterNd", {{2, 3}, {2, 1}, {}}, {}, {{2, Ints({9, 9})}}, "shapes must be equal, but are [1] and []"},
      {"OneHot", {{2}, kScalar, kScalar, kScalar}, {{"axis", -2}}, {}, "the axis must be -1 or more, not -2"},
      {"ReverseV2", {{2, 3}, {}}, {}, {{1, Ints({1, -1})}}, "the axis 1 is named twice"},
      {"ReverseV2", {{2, 3}, {}}, {}, {{1, Ints({2})}}, "the axis 2 is outside [-2, 2)"},
      {"ReverseSequence", {{4, 3}, {4}}, {{"seq_dim", 2}}, {}, "the axis 2 is outside the shape [4,3]"},
      {"ReverseSequence", {{4, 3}, {4}}, {{"seq_dim", 1}, {"batch_dim", -1}}, {}, "the axis -1 is outside the shape"},
      {"UniqueV2", {{2, 3}, {}}, {}, {{1, Ints({0, 1})}}, "one axis or none, not 2"},
      {"Transpose", {{2, 3}, {3}}, {}, {}, "3 axes do not permute the shape [2,3]"},
      {"Squeeze", {{1, 2}}, {{"squeeze_dims", List({1})}}, {}, "dimension 1 has the size 2, not 1"},
      {"DiagPart", {{2, 3, 2}}, {}, {}, "must have an even number of dimensions, not [2,3,2]"},
      {"DiagPart", {kScalar}, {}, {}, "must have an even number of dimensions, not []"},
      {"ParallelConcat", {{1, 2}}, {{"N", 1}, {"shape", PartialShape{1, -1}}}, {}, "must be fully known, and have"},
      {"ParallelConcat", {kScalar}, {{"N", 1}, {"shape", kScalar}}, {}, "must be fully known, and have"},
      {"ParallelConcat",
       {{1, -1}},
       {{"N", 1}, {"shape", PartialShape{1, 2}}},
       {},
       "must be fully known when the graph"},
      {"Dequantize", {{2}, kScalar, kScalar}, {{"axis", -2}}, {}, "axis must be at least -1, not -2"},
  });
}

TEST(ShapeRefusals, OfPiecesAndPaddings) {
  const Tensor left = MakeTensor<int32_t>({1, 2}, {-1, 2}), right = MakeTensor<int32_t>({1, 2}, {2, -1});
  const AttrMap two = {{"num_split", 2}}, mirror = {{"mode", "REFLECT"}};
  ExpectRefused({
      {"Split", {{}, {2, 5}}, two, {{0, Int(1)}}, "the dimension 1 of size 5 is no multiple of 2"},
      {"SplitV", {{6}, {}, {}}, two, {{1, Ints({-2, 8})}, {2, Int(0)}}, "a piece of the size -2"},
      {"SplitV", {{6}, {}, {}}, two, {{1, Ints({-1, -1})}, {2, Int(0)}}, "only one size may be -1"},
      {"SplitV", {{6}, {}, {}}, two, {{1, Ints({1, 2})}, {2, Int(0)}}, "pieces of 3 in all do not make up 6"},
      {"SplitV", {{6}, {}, {}}, two, {{1, Ints({7, -1})}, {2, Int(0)}}, "pieces of 7 in all do not make up 6"},
      {"SplitV", {{6}, {}, {}}, two, {{1, Ints({1, 2, 3})}, {2, Int(0)}}, "3 sizes for 2 pieces"},
      {"Pad", {{2}, {}}, {}, {{1, left}}, "paddings must not be negative: -1, 2"},
      {"Pad", {{2}, {}}, {}, {{1, right}}, "paddings must not be negative: 2, -1"},
      {"MirrorPad", {{9}, {}}, mirror, {{1, left}}, "paddings must not be negative: -1, 2"},
      {"MirrorPad", {{9}, {}}, mirror, {{1, right}}, "paddings must not be negative: 2, -1"},
      {"SpaceToBatchND", {{4, 1}, {}, {}}, {}, {{1, Ints({2})}, {2, left}}, "must not hold negative numbers: -1, 2"},
      {"SpaceToBatchND", {{4, 1}, {}, {}}, {}, {{1, Ints({2})}, {2, right}}, "must not hold negative numbers: 2, -1"},
      {"SpaceToBatchND", {{4, 1}, {}, {1, 2}}, {}, {{1, Ints({0})}}, "must hold positive sizes, not 0"},
      {"SpaceToBatchND", {{4, 1}, {-1}, {1, 2}}, {}, {}, "must be known to be a vector"},
      {"BatchToSpaceND", {{3, 4}, {}, {1, 2}}, {}, {{1, Ints({2})}}, "the dimension 3 is not a multiple of 2"},
      {"SpaceToDepth", {{1, 3, 4, 1}}, {{"block_size", 2}}, {}, "the dimension 3 is not a multiple of 2"},
      {"StridedSlice",
       {{4}, {}, {}, {}},
       {},
       {{1, Ints({0})}, {2, Ints({1})}, {3, Ints({0})}},
       "stride of slot 0 is 0"},
  });
}

TEST(ShapeRefusals, OfDiagonals) {
  const auto diag = [](Tensor k, int32_t rows, int32_t columns, PartialShape diagonal, std::string words) {
    return Refusal{"MatrixDiagV2",
                   {std::move(diagonal), {}, {}, {}, kScalar},
                   {},
                   {{1, std::move(k)}, {2, Int(rows)}, {3, Int(columns)}},
                   std::move(words)};
  };
  ExpectRefused({
      diag(Ints({0, 1, 2}), 3, 3, {3, 3}, "must hold one or two numbers, not 3"),
      diag(Ints({1, 0}), 3, 3, {2, 3}, "names the diagonals 1 to 0, which are none"),
      diag(Int(0), 2, 3, {3}, "of 2 rows and 3 columns is too small for diagonals of 3 elements"),
      diag(Int(0), 3, 2, {3}, "of 3 rows and 2 columns is too small for diagonals of 3 elements"),
      diag(Int(0), 4, 4, {3}, "of 4 rows and 4 columns has longer diagonals than 3"),
      {"MatrixSetDiag", {{2, 4, 5}, {2, 5}}, {}, {}, "dimensions must be equal, but are 4 and 5"},
      {"MatrixSetDiag", {{2, 4, -1}, {3, 4}}, {}, {}, "shapes must be equal, but are [2,4,?] and [3,?,?]"},
      {"MatrixSetDiagV2", {{2, 4, 5}, {4}, {1}}, {}, {}, "must have rank 2 at least, not the shape [4]"},
      {"MatrixSetDiagV2", {{2, 4, 5}, {1, 1, 1, 4}, {1}}, {}, {}, "must have rank 3 at most"},
      {"MatrixDiagPartV2", {{2, 3}, {}, kScalar}, {}, {{1, Int(-2)}}, "of 2 rows and 3 columns has no diagonal -2"},
      {"MatrixDiagPartV2", {{2, 3}, {}, kScalar}, {}, {{1, Int(3)}}, "of 2 rows and 3 columns has no diagonal 3"},
  });
}

AttrMap Windows(std::vector<int64_t> ksize, std::vector<int64_t> strides) {
  return {{"ksize", std::move(ksize)}, {"strides", std::move(strides)}, {"padding", "SAME"}};
}
AttrMap With(AttrMap attrs, std::string_view name, std::vector<int64_t> values) {
  attrs[std::string(name)] = std::move(values);
  return attrs;
}

TEST(ShapeRefusals, OfWindows) {
  const std::vector<int64_t> ones = {1, 1, 1, 1};
  const PartialShape images = {1, 4, 4, 4}, filter = {2, 2, 2, 2};
  const AttrMap plain = Windows(ones, ones), dilation = With(plain, "rates", ones);
  AttrMap given = With(plain, "explicit_paddings", {0, 0, 1, 1, 1, 1, 0, 0});
  const AttrMap not_explicit = given;
  given["padding"] = "EXPLICIT";
  ExpectRefused({
      {"Conv2D", {{1, 4, 4, 3}, filter}, plain, {}, "the depth 3 of the input is no multiple of the filter's depth 2"},
      {"Conv2D", {images, {2, 2, 0, 2}}, plain, {}, "the depth 4 of the input is no multiple of the filter's depth 0"},
      {"Conv2D", {images, {2, 2, 2, 3}}, plain, {}, "the output depth 3 is no multiple of the number of groups 2"},
      {"Conv2D", {images, filter}, With(plain, "strides", {1, 1, 1}), {}, "'strides' must have 4 values, not 3"},
      {"Conv2D", {images, filter}, With(plain, "strides", {1, 0, 1, 1}), {}, "strides must be positive, not 0"},
      {"Conv2D", {images, filter}, With(plain, "dilations", {1, 1, 0, 1}), {}, "dilations must be positive, not 0"},
      {"Conv2D",
       {images, filter},
       not_explicit,
       {},
       "explicit_paddings go with the padding EXPLICIT and with no other"},
      {"Conv2D", {images, filter}, With(given, "explicit_paddings", {}), {}, "go with the padding EXPLICIT"},
      {"Conv2D", {images, filter}, With(given, "explicit_paddings", {1, 1}), {}, "must have 8 values, not 2"},
      {"Conv2D",
       {images, filter},
       With(given, "explicit_paddings", {0, 0, 1, -1, 0, 0, 0, 0}),
       {},
       "explicit_paddings must not be negative: -1"},
      {"Conv2D",
       {images, filter},
       With(given, "explicit_paddings", {0, 1, 0, 0, 0, 0, 0, 0}),
       {},
       "batch and channels cannot be padded"},
      {"Conv2D",
       {images, filter},
       With(given, "explicit_paddings", {0, 0, 0, 0, 0, 0, 1, 0}),
       {},
       "batch and channels cannot be padded"},
      {"MaxPoolWithArgmax", {images}, Windows({1, 2, 0, 1}, ones), {}, "ksize must be positive, not 0"},
      {"MaxPool3D", {{1, 2, 2, 2, 1}}, Windows({1, 2, 2, 1}, {1, 1, 1, 1, 1}), {}, "must have 5 values, not 4"},
      {"MaxPoolV2",
       {images, {}, {}},
       {{"padding", "SAME"}},
       {{1, Ints({2, 2})}, {2, Ints({1, 1, 1, 1})}},
       "must be equal, but are 2 and 4"},
      {"MaxPoolV2", {images, {4}, {1}}, {{"padding", "SAME"}}, {}, "must be equal, but are 1 and 4"},
      {"FractionalMaxPool",
       {images},
       {{"pooling_ratio", std::vector<float>{1, 2}}},
       {},
       "pooling_ratio must have 4 values, not 2"},
      {"FractionalMaxPool",
       {images},
       {{"pooling_ratio", std::vector<float>{1, 0.5F, 2, 1}}},
       {},
       "pooling_ratio must not be below 1: 0.5"},
  });
}

TEST(ShapeRefusals, OfAttributesThatDisagree) {
  const std::vector<DType> floats(2, DType::kFloat);
  const AttrMap components = {{"output_types", floats}, {"output_shapes", std::vector<PartialShape>{{2}}}};
  const auto format = [](const char* text, size_t inputs) {
    return Refusal{"StringFormat",
                   std::vector<PartialShape>(inputs, kScalar),
                   {{"T", std::vector<DType>(inputs, DType::kFloat)}, {"template", text}, {"placeholder", "{}"}},
                   {},
                   Str(" placeholders for ", inputs, " inputs")};
  };
  ExpectRefused({
      format("{}", 2),
      format("{} {}", 1),
      format("none", 1),
      format("{}", 0),
      {"OptionalGetValue", {kScalar}, components, {}, "there are 1 output_shapes for 2 output_types"},
      {"UncompressElement", {kScalar}, components, {}, "there are 1 output_shapes for 2 output_types"},
      {"RestoreV2",
       {kScalar, {1}, {}},
       {{"dtypes", floats}},
       {{2, MakeVector<std::string>({""})}},
       "has 1 texts for 2"},
      {"DecodeCSV",
       {{3}, {2}},
       {{"OUT_TYPE", std::vector<DType>{DType::kFloat}}},
       {},
       "must be one value or none, not 2"},
      {"DecodePng", {kScalar}, {{"channels", -1}}, {}, "must not be negative, but is -1"},
      {"Skipgram", {}, {{"filename", ""}, {"batch_size", -1}}, {}, "batch_size must not be negative: -1"},
      {"Einsum", {{2, 3}}, {{"N", 1}, {"equation", "ij,jk->ik"}}, {}, "has 2 operands, not 1"},
      {"Einsum", {{2, 3}}, {{"N", 1}, {"equation", "ij"}}, {}, "an einsum equation has one '->', unlike 'ij'"},
      {"Einsum", {{2, 3}}, {{"N", 1}, {"equation", "i->i->i"}}, {}, "an einsum equation has one '->'"},
      {"Einsum", {{2, 3}}, {{"N", 1}, {"equation", "ij->k"}}, {}, "has the label 'k', which no operand has"},
      {"Einsum", {{2, 3}}, {{"N", 1}, {"equation", "ijk->k"}}, {}, "needs a rank of 3, not 2"},
      {"Einsum", {{2}}, {{"N", 1}, {"equation", "...ij->i"}}, {}, "needs a rank of 2 at least, not 1"},
      {"Einsum", {{2, 3}}, {{"N", 1}, {"equation", "i...->i"}}, {}, "has no ellipsis (...) for 1 broadcasting axes"},
      {"Einsum", {{2, 3}}, {{"N", 1}, {"equation", "i..->i"}}, {}, "that are not one ellipsis (...)"},
  });
  EXPECT_NO_THROW(Infer("StringFormat", {kScalar}, {{"T", std::vector<DType>{DType::kFloat}}, {"placeholder", ""}}));
}

TEST(ShapeRefusals, OfShapesThatDoNotFit) {
  ExpectRefused({
      {"SparseTensorToCSRSparseMatrix",
       {{4, 1}, {4}, {}},
       {},
       {{2, MakeVector<int64_t>({5})}},
       "a batch of matrices is"},
      {"SparseFillEmptyRows", {{4, 0}, {4}, {0}, kScalar}, {}, {}, "must not be empty"},
      {"BandedTriangularSolve", {{0, 4}, {4, 7}}, {}, {}, "a matrix must have one band at least"},
      {"BandedTriangularSolve", {{5, 4}, {4, 7}}, {}, {}, "a matrix of 4 rows cannot have the number of bands 5"},
      {"SoftmaxCrossEntropyWithLogits", {{5}, {5}}, {}, {}, "logits and labels must be matrices, not [5]"},
      {"SoftmaxCrossEntropyWithLogits", {kUnknown, {5}}, {}, {}, "must have rank 2, not the shape [5]"},
      {"Betainc", {kUnknown, {2, 3}, {2, 4}}, {}, {}, "shapes must be equal, but are [2,3] and [2,4]"},
      {"BoostedTreesCalculateBestGainsPerFeature",
       {{2}, {3, 4, 2}, kScalar, kScalar, kScalar, kScalar},
       {{"max_splits", 4}, {"num_features", 1}},
       {},
       "dimensions must be equal, but are 3 and 4"},
      {"GenerateBoundingBoxProposals",
       {kUnknown, kUnknown, {1, 6}, kUnknown, kScalar, kScalar, kScalar},
       {{"post_nms_topn", 9}},
       {},
       "dimensions must be equal, but are 6 and 5"},
      {"TridiagonalMatMul", {{3, 1, 5}, {3, 1, 4}, kUnknown, kUnknown}, {}, {}, "must be equal, but are 5 and 4"},
      {"UnicodeEncode", {{0}, {0}}, {}, {}, "a dimension would be negative: 0 - 1"},
      {"CountUpTo", {{2}}, {{"limit", 3}}, {}, "does not fit []: a shape of 0 dimensions is needed"},
      {"Substr", {{2}, {-1}, {2}}, {}, {}, "pos and len must have one shape, known alike"},
      {"FakeQuantWithMinMaxVarsPerChannel", {kScalar, {1}, {1}}, {}, {}, "must have at least one dimension"},
      {"QuantizedConcat", std::vector<PartialShape>(7, kScalar), {{"N", 2}}, {}, "must have rank 1 at least"},
      {"ConcatV2", {kScalar, kScalar, kScalar}, {{"N", 2}}, {}, "must have rank 1 at least"},
  });
}

// Of two sizes either may be unknown; what follows from both is unknown then.
TEST(ShapeRefusals, UnknownSizesAreNotRefused) {
  const PartialShape tall = {3, -1}, wide = {-1, 3};
  for (const PartialShape& matrix : {tall, wide}) {
    EXPECT_EQ(Infer("Qr", {matrix})[1].dim(0), -1);
    EXPECT_EQ(Infer("Svd", {matrix})[0], (PartialShape{-1}));
  }
  EXPECT_EQ(Infer("Qr", {{-1, 0}})[1].dim(0), 0) << "no column, whatever the rows";
  EXPECT_EQ(Infer("Svd", {{0, -1}})[0], (PartialShape{0}));
  EXPECT_EQ(Infer("Qr", {{5, 3}})[0], (PartialShape{5, 3}));
  EXPECT_EQ(Infer("Qr", {{3, 5}})[1], (PartialShape{3, 5}));
  EXPECT_EQ(Infer("BandedTriangularSolve", {{5, -1}, {-1, 7}})[0], (PartialShape{-1, 7}));
  EXPECT_EQ(Infer("TopKV2", {{2, -1}, {}}, {}, {{1, Int(4)}})[0], (PartialShape{2, 4}));
  EXPECT_EQ(Infer("SpaceToDepth", {{1, -1, 4, 1}}, {{"block_size", 2}})[0], (PartialShape{1, -1, 2, 4}));
  EXPECT_EQ(Infer("Split", {{}, {2, -1}}, {{"num_split", 2}}, {{0, Int(1)}})[0], (PartialShape{2, -1}));
}

// As many as a shape may have, and no fewer.
TEST(ShapeRefusals, OfMoreDimensionsThanThereMayBe) {
  const auto inferred = [](std::string_view op, PartialShape second) {
    if (op == "Fill") return Infer(op, {std::move(second), kScalar});
    if (op == "Slice") return Infer(op, {kUnknown, second, second});
    const AttrMap attrs = op == "MirrorPad" ? AttrMap{{"mode", "REFLECT"}} : AttrMap{};
    return Infer(op, {kUnknown, std::move(second)}, attrs);
  };
  for (const std::string_view op : {"Fill", "MirrorPad", "Pad", "Reshape", "Slice", "Transpose"}) {
    const auto counting = [&](int64_t count) {
      return op.ends_with("Pad") ? PartialShape{count, 2} : PartialShape{count};
    };
    const auto most = inferred(op, counting(kMaxRank));
    ASSERT_TRUE(most.at(0).has_rank()) << op;
    EXPECT_EQ(most[0].rank(), kMaxRank) << op;
    EXPECT_EQ(StatusOf([&] { inferred(op, counting(kMaxRank + 1)); }).code(), Code::kInvalidArgument) << op;
  }
}

}  // namespace
}  // namespace plumb
