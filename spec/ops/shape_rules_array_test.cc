// Shapes of ops that arrange data. Known values come as constants, -1 is an unknown dimension.
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
Tensor Int(int32_t value) { return MakeScalar<int32_t>(value); }

TEST(ArrayShapes, ReshapeFillsInWhatIsLeftOver) {
  const auto reshape = [](PartialShape input, std::vector<int32_t> shape) {
    return Infer("Reshape", {std::move(input), {}}, {}, {{1, Ints(std::move(shape))}})[0];
  };
  EXPECT_EQ(reshape({2, 6}, {3, -1}), (PartialShape{3, 4}));
  EXPECT_EQ(reshape({2, 6}, {12}), (PartialShape{12}));
  EXPECT_EQ(reshape({-1, 6}, {3, -1}), (PartialShape{3, -1}));
  EXPECT_EQ(reshape({0, 6}, {-1, 2}), (PartialShape{0, 2}));
  EXPECT_THROW(reshape({2, 6}, {5, -1}), Error);
  EXPECT_THROW(reshape({2, 6}, {5}), Error);
  EXPECT_THROW(reshape({2, 6}, {-2}), Error);
  EXPECT_EQ(Infer("Reshape", {{2, 6}, {3}})[0], (PartialShape{-1, -1, -1}));
  EXPECT_EQ(Infer("Reshape", {{2, 6}, {1}})[0], (PartialShape{12}));
}

TEST(ArrayShapes, AnOpenDimensionHasToFillWhatIsReshaped) {
  const auto reshape = [](PartialShape input, std::vector<int32_t> shape) {
    return Infer("Reshape", {std::move(input), {}}, {}, {{1, Ints(std::move(shape))}})[0];
  };
  EXPECT_EQ(reshape({0, -1}, {-1, 3}), (PartialShape{0, 3})) << "no element, whatever is open";
  EXPECT_EQ(reshape({-1, 3}, {2, 6}), (PartialShape{2, 6}));
  EXPECT_EQ(reshape({-1, -1, 3}, {2, 2}), (PartialShape{2, 2}));
  EXPECT_THROW(reshape({-1, 3}, {2, 2}), Error);
  EXPECT_THROW(reshape({-1, 0}, {2, 2}), Error);
}

TEST(ArrayShapes, SqueezeDropsOnesOrThoseNamed) {
  const auto squeeze = [](PartialShape input, std::vector<int64_t> dims) {
    return Infer("Squeeze", {std::move(input)}, {{"squeeze_dims", std::move(dims)}})[0];
  };
  EXPECT_EQ(squeeze({1, 2, 1}, {}), (PartialShape{2}));
  EXPECT_EQ(squeeze({1, 2, 1}, {-1}), (PartialShape{1, 2}));
  EXPECT_EQ(squeeze({-1, 2}, {}), kUnknown);
  EXPECT_EQ(squeeze({-1, 2}, {0}), (PartialShape{2}));
  EXPECT_THROW(squeeze({1, 2}, {1}), Error);
  EXPECT_THROW(squeeze({1, 2}, {2}), Error);
}

TEST(ArrayShapes, ExpandDimsCountsFromBothEnds) {
  const auto expand = [](int32_t dim) { return Infer("ExpandDims", {{2, 3}, {}}, {}, {{1, Int(dim)}})[0]; };
  EXPECT_EQ(expand(0), (PartialShape{1, 2, 3}));
  EXPECT_EQ(expand(-1), (PartialShape{2, 3, 1}));
  EXPECT_EQ(expand(-3), (PartialShape{1, 2, 3}));
  EXPECT_THROW(expand(3), Error);
  EXPECT_THROW(expand(-4), Error);
}

TEST(ArrayShapes, RangeCountsItsNumbers) {
  const auto range = [](int32_t start, int32_t limit, int32_t delta) {
    return Infer("Range", Shapes(3), {}, {{0, Int(start)}, {1, Int(limit)}, {2, Int(delta)}})[0];
  };
  EXPECT_EQ(range(0, 10, 3), (PartialShape{4}));
  EXPECT_EQ(range(5, -3, -2), (PartialShape{4}));
  EXPECT_EQ(range(3, 3, 1), (PartialShape{0}));
  EXPECT_THROW(range(0, 10, 0), Error);
  EXPECT_THROW(range(0, 10, -1), Error);
  const std::map<int, Tensor> huge = {{0, MakeScalar(-1e38f)}, {1, MakeScalar(1.f)}, {2, MakeScalar(1.f)}};
  EXPECT_THROW(Infer("Range", Shapes(3), {}, huge), Error);
  EXPECT_EQ(Infer("Range", Shapes(3))[0], (PartialShape{-1}));
}

TEST(ArrayShapes, ShapesAndCounts) {
  EXPECT_EQ(Infer("Shape", {{2, -1, 3}})[0], (PartialShape{3}));
  EXPECT_EQ(Infer("Shape", {kUnknown})[0], (PartialShape{-1}));
  EXPECT_EQ(Infer("ShapeN", {{2}, {3, 4}}, {{"N", 2}}), (Shapes{{1}, {2}}));
  EXPECT_EQ(Infer("Where", {{2, 3}})[0], (PartialShape{-1, 2}));
  EXPECT_EQ(Infer("Fill", {{}, kScalar}, {}, {{0, Ints({2, 0})}})[0], (PartialShape{2, 0}));
  EXPECT_THROW(Infer("Fill", {{}, kScalar}, {}, {{0, Ints({2, -1})}}), Error);
  EXPECT_EQ(Infer("OneHot", {{2, 3}, {}, kScalar, kScalar}, {{"axis", 1}}, {{1, Int(5)}})[0], (PartialShape{2, 5, 3}));
  EXPECT_EQ(Infer("OneHot", {{2, 3}, kScalar, kScalar, kScalar})[0], (PartialShape{2, 3, -1}));
  EXPECT_THROW(Infer("OneHot", {{2, 3}, {}, kScalar, kScalar}, {}, {{1, Int(-1)}}), Error);
}

TEST(ArrayShapes, TransposePermutesWhatIsKnown) {
  EXPECT_EQ(Infer("Transpose", {{2, -1, 4}, {}}, {}, {{1, Ints({2, 0, 1})}})[0], (PartialShape{4, 2, -1}));
  EXPECT_EQ(Infer("Transpose", {{2, 3}, {2}})[0], (PartialShape{-1, -1}));
  EXPECT_EQ(Infer("Transpose", {kUnknown, {3}})[0], PartialShape::OfRank(3));
  EXPECT_THROW(Infer("Transpose", {{2, 3}, {}}, {}, {{1, Ints({0, 2})}}), Error);
  EXPECT_THROW(Infer("Transpose", {{2, 3}, {3}}), Error);
}

TEST(ArrayShapes, ReversedTensorsKeepTheirShape) {
  EXPECT_EQ(Infer("ReverseV2", {{2, 3}, {}}, {}, {{1, Ints({-1})}})[0], (PartialShape{2, 3}));
  EXPECT_THROW(Infer("ReverseV2", {{2, 3}, {}}, {}, {{1, Ints({1, -1})}}), Error);
  const AttrMap attrs = {{"seq_dim", 1}, {"batch_dim", 0}};
  EXPECT_EQ(Infer("ReverseSequence", {{-1, 3}, {5}}, attrs)[0], (PartialShape{5, 3}));
  EXPECT_THROW(Infer("ReverseSequence", {{4, 3}, {5}}, attrs), Error);
  EXPECT_THROW(Infer("ReverseSequence", {{4}, {4}}, attrs), Error);
}

TEST(PieceShapes, ConcatAddsAlongTheAxisAndMergesTheRest) {
  const auto concat = [](Shapes inputs, int32_t axis) {
    const int count = static_cast<int>(inputs.size());
    inputs.emplace_back();
    return Infer("ConcatV2", std::move(inputs), {{"N", count}}, {{count, Int(axis)}})[0];
  };
  EXPECT_EQ(concat({{2, 3}, {2, 4}}, 1), (PartialShape{2, 7}));
  EXPECT_EQ(concat({{-1, 3}, {2, -1}}, -1), (PartialShape{2, -1}));
  EXPECT_EQ(concat({{2, 3}, kUnknown}, 0), (PartialShape{-1, 3}));
  EXPECT_THROW(concat({{2, 3}, {3, 4}}, 1), Error);
  EXPECT_THROW(concat({{2, 3}, {2}}, 0), Error);
  EXPECT_THROW(concat({{2}, {2}}, 1), Error);
  EXPECT_THROW(concat({kScalar, kScalar}, 0), Error);
  EXPECT_EQ(Infer("Concat", {{}, {2, 3}, {2, 4}}, {{"N", 2}}, {{0, Int(1)}})[0], (PartialShape{2, 7}));
  EXPECT_THROW(Infer("Concat", {{}, {2, 3}, {3, 4}}, {{"N", 2}}, {{0, Int(1)}}), Error);
}

TEST(PieceShapes, PackAndUnpackAreInverse) {
  EXPECT_EQ(Infer("Pack", {{2, -1}, {-1, 3}}, {{"N", 2}, {"axis", -1}})[0], (PartialShape{2, 3, 2}));
  EXPECT_THROW(Infer("Pack", {{2}, {3}}, {{"N", 2}}), Error);
  EXPECT_THROW(Infer("Pack", {{2}, {2}}, {{"N", 2}, {"axis", 2}}), Error);
  EXPECT_EQ(Infer("Unpack", {{2, 3, 2}}, {{"num", 2}, {"axis", -1}}), Shapes(2, PartialShape{2, 3}));
  EXPECT_THROW(Infer("Unpack", {{2, 3}}, {{"num", 3}}), Error);
}

TEST(PieceShapes, SplitsMustDivideOrAddUp) {
  const auto split = [](int64_t count) { return Infer("Split", {{}, {2, 6}}, {{"num_split", count}}, {{0, Int(1)}}); };
  EXPECT_EQ(split(3), Shapes(3, PartialShape{2, 2}));
  EXPECT_THROW(split(4), Error);
  const auto split_v = [](std::vector<int32_t> sizes) {
    const auto count = static_cast<int64_t>(sizes.size());
    return Infer("SplitV", {{2, 6}, {}, {}}, {{"num_split", count}}, {{1, Ints(std::move(sizes))}, {2, Int(1)}});
  };
  EXPECT_EQ(split_v({1, -1, 2}), (Shapes{{2, 1}, {2, 3}, {2, 2}}));
  EXPECT_THROW(split_v({1, 2}), Error);
  EXPECT_THROW(split_v({-1, -1}), Error);
  EXPECT_THROW(split_v({7, -1}), Error);
}

TEST(PieceShapes, PadTileGather) {
  const Tensor paddings = MakeTensor<int32_t>({2, 2}, {1, 0, 2, 3});
  EXPECT_EQ(Infer("Pad", {{2, -1}, {}}, {}, {{1, paddings}})[0], (PartialShape{3, -1}));
  EXPECT_THROW(Infer("Pad", {{2}, {}}, {}, {{1, paddings}}), Error);
  EXPECT_EQ(Infer("Tile", {{2, 3}, {}}, {}, {{1, Ints({2, 0})}})[0], (PartialShape{4, 0}));
  EXPECT_THROW(Infer("Tile", {{2, 3}, {}}, {}, {{1, Ints({2})}}), Error);
  EXPECT_EQ(Infer("Tile", {{0, 3}, kUnknown})[0], (PartialShape{0, -1}));
  EXPECT_EQ(Infer("Tile", {kUnknown, {}}, {}, {{1, Ints({2, 0})}})[0], (PartialShape{-1, 0}));
  EXPECT_EQ(Infer("TileGrad", {{4, 6}, {}}, {}, {{1, Ints({2, 3})}})[0], (PartialShape{2, 2}));
  EXPECT_EQ(Infer("TileGrad", {{4, 6}, {}}, {}, {{1, Ints({0, 5})}})[0], (PartialShape{-1, -1}));
  EXPECT_EQ(Infer("TileGrad", {{-1, 6}, {}}, {}, {{1, Ints({2, -2})}})[0], (PartialShape{-1, -1}));
  EXPECT_EQ(Infer("GatherV2", {{4, 5, 6}, {2, 3}, {}}, {}, {{2, Int(1)}})[0], (PartialShape{4, 2, 3, 6}));
  EXPECT_EQ(Infer("GatherV2", {{4, 5, 6}, {4, 3}, {}}, {{"batch_dims", 1}}, {{2, Int(1)}})[0], (PartialShape{4, 3, 6}));
  EXPECT_EQ(Infer("GatherV2", {{4, 5}, {3}, kScalar})[0], PartialShape::OfRank(2));
  EXPECT_THROW(Infer("GatherV2", {{4, 5}, {3}, {}}, {}, {{2, Int(2)}}), Error);
}

TEST(PieceShapes, PartitionAndStitch) {
  const AttrMap two = {{"num_partitions", 2}};
  EXPECT_EQ(Infer("DynamicPartition", {{4, 5, 6}, {4, 5}}, two), Shapes(2, PartialShape{-1, 6}));
  EXPECT_THROW(Infer("DynamicPartition", {{4, 5}, {5}}, two), Error);
  const Shapes inputs = {{}, {}, {2, 7}, {1, 7}};
  EXPECT_EQ(Infer("DynamicStitch", inputs, {{"N", 2}}, {{0, Ints({0, 4})}, {1, Ints({1})}})[0], (PartialShape{5, 7}));
  EXPECT_EQ(Infer("DynamicStitch", {{2}, {1}, {2, 7}, {1, -1}}, {{"N", 2}})[0], (PartialShape{-1, 7}));
  EXPECT_THROW(Infer("DynamicStitch", {{2}, {1}, {2, 7}, {1, 8}}, {{"N", 2}}), Error);
}

TEST(SliceShapes, SliceTakesABox) {
  const auto slice = [](std::vector<int32_t> begin, std::vector<int32_t> size) {
    return Infer("Slice", {{4, 5}, {}, {}}, {}, {{1, Ints(std::move(begin))}, {2, Ints(std::move(size))}})[0];
  };
  EXPECT_EQ(slice({1, 2}, {2, -1}), (PartialShape{2, 3}));
  EXPECT_THROW(slice({1, 6}, {2, -1}), Error);
  EXPECT_THROW(slice({1}, {2}), Error);
  EXPECT_EQ(Infer("Slice", {kUnknown, {2}, {2}})[0], PartialShape::OfRank(2));
}

PartialShape Strided(PartialShape input, std::vector<int32_t> begin, std::vector<int32_t> end,
                     std::vector<int32_t> strides, AttrMap masks = {}) {
  return Infer("StridedSlice", {std::move(input), {}, {}, {}}, std::move(masks),
               {{1, Ints(std::move(begin))}, {2, Ints(std::move(end))}, {3, Ints(std::move(strides))}})[0];
}

TEST(SliceShapes, RangesAreCutToTheDimension) {
  EXPECT_EQ(Strided({10}, {2}, {9}, {3}), (PartialShape{3}));
  EXPECT_EQ(Strided({10}, {-3}, {100}, {1}), (PartialShape{3}));
  EXPECT_EQ(Strided({10}, {8}, {2}, {-2}), (PartialShape{3}));
  EXPECT_EQ(Strided({10}, {2}, {8}, {-1}), (PartialShape{0}));
  EXPECT_EQ(Strided({10}, {-1}, {-11}, {-1}), (PartialShape{10}));
  EXPECT_EQ(Strided({10}, {5}, {5}, {1}, {{"begin_mask", 1}, {"end_mask", 1}}), (PartialShape{10}));
  EXPECT_EQ(Strided({-1}, {0}, {2}, {1}), (PartialShape{-1}));
  EXPECT_THROW(Strided({10}, {0}, {1}, {0}), Error);
}

TEST(SliceShapes, MasksDropInsertAndSkip) {
  EXPECT_EQ(Strided({4, 5, 6}, {0, 2}, {3, 3}, {1, 1}, {{"shrink_axis_mask", 2}}), (PartialShape{3, 6}));
  EXPECT_EQ(Strided({4, 5, 6}, {0, 0, 1}, {0, 0, 3}, {1, 1, 1}, {{"ellipsis_mask", 2}, {"new_axis_mask", 1}}),
            (PartialShape{1, 4, 5, 2}));
  EXPECT_EQ(Strided({4, 5}, {-1}, {0}, {1}, {{"shrink_axis_mask", 1}}), (PartialShape{5}));
  EXPECT_THROW(Strided({4}, {4}, {5}, {1}, {{"shrink_axis_mask", 1}}), Error);
  EXPECT_THROW(Strided({4}, {1}, {0}, {-1}, {{"shrink_axis_mask", 1}}), Error);
  EXPECT_THROW(Strided({4}, {0, 0}, {1, 1}, {1, 1}), Error);
  EXPECT_THROW(Strided({4, 4}, {0, 0}, {1, 1}, {1, 1}, {{"ellipsis_mask", 3}}), Error);
}

TEST(SliceShapes, UnknownStridesLeaveEverythingOpen) {
  EXPECT_EQ(Infer("StridedSlice", {{4, 5}, {2}, {2}, {2}})[0], kUnknown);
  EXPECT_EQ(Infer("StridedSliceGrad", {{}, {1}, {1}, {1}, kUnknown}, {}, {{0, Ints({4, 5})}})[0], (PartialShape{4, 5}));
}

TEST(SliceShapes, AGradientIsPutIntoTheShapeThatIsGiven) {
  const std::map<int, Tensor> slice = {{0, Ints({4, 5})}, {1, Ints({1})}, {2, Ints({4})}, {3, Ints({2})}};
  EXPECT_EQ(Infer("StridedSliceGrad", {{2}, {1}, {1}, {1}, {2, 5}}, {}, slice)[0], (PartialShape{4, 5}));
  EXPECT_EQ(Infer("StridedSliceGrad", {{2}, {1}, {1}, {1}, {3, 5}}, {}, slice)[0], (PartialShape{4, 5}));
}

TEST(RandomShapes, LimitsOfIntegersHaveOneBetweenThem) {
  const auto drawn = [](int32_t size, int32_t least, int32_t most) {
    return Infer("RandomUniformInt", {{1}, {}, {}}, {}, {{0, Ints({size})}, {1, Int(least)}, {2, Int(most)}})[0];
  };
  EXPECT_EQ(drawn(3, -1, 0), (PartialShape{3}));
  EXPECT_EQ(drawn(0, 1, 1), (PartialShape{0}));
  EXPECT_THROW(drawn(3, 1, 1), Error);
}

TEST(RaggedShapes, AVariantForTheWholeOrForEachRow) {
  const auto encoded = [](std::vector<PartialShape> inputs, bool is_batch) {
    const auto rank = static_cast<int64_t>(inputs.size()) - 1;
    return Infer("RaggedTensorToVariant", std::move(inputs), {{"RAGGED_RANK", rank}, {"batched_input", is_batch}})[0];
  };
  const PartialShape scalar{Shape()};
  EXPECT_EQ(encoded({{4}, {7}, {-1, 2}}, true), (PartialShape{3}));
  EXPECT_EQ(encoded({{-1}, {5}}, true), (PartialShape{-1}));
  EXPECT_EQ(encoded({{4}, {5}}, false), scalar);
  EXPECT_EQ(encoded({{5}}, true), scalar);
  EXPECT_EQ(encoded({PartialShape::Unknown()}, false), scalar);
  EXPECT_THROW(encoded({scalar}, false), Error) << "values have rows, even where nothing splits them";
  EXPECT_THROW(encoded({{4, 1}, {5}}, true), Error);
  EXPECT_THROW(encoded({{4}, scalar}, true), Error);
  EXPECT_THROW(encoded({{0}, {5}}, true), Error);
  const auto decoded = [](PartialShape variants, int64_t inner, int64_t outer) {
    return Infer("RaggedTensorFromVariant", {std::move(variants)},
                 {{"input_ragged_rank", inner}, {"output_ragged_rank", outer}, {"Tvalues", DType::kFloat}});
  };
  EXPECT_EQ(decoded({3}, 1, 2).size(), 3u);
  EXPECT_EQ(decoded({3}, -1, 2)[1], PartialShape::OfRank(1));
  EXPECT_EQ(decoded(PartialShape::Unknown(), 1, 1)[1], PartialShape::Unknown());
  EXPECT_THROW(decoded({3}, 2, 2), Error);
  EXPECT_THROW(decoded({3, 4}, -1, 1), Error);
}

TEST(RaggedShapes, CrossesOfVectorsAndMatrices) {
  const std::vector<DType> strings = {DType::kString}, ints = {DType::kInt64}, none;
  const auto crossed = [&](std::vector<PartialShape> inputs, const char* order) {
    return Infer("RaggedCross", std::move(inputs),
                 {{"Nsparse", int64_t{0}},
                  {"input_order", std::string(order)},
                  {"hashed_output", false},
                  {"num_buckets", int64_t{0}},
                  {"hash_key", int64_t{0}},
                  {"ragged_values_types", strings},
                  {"ragged_splits_types", ints},
                  {"sparse_values_types", none},
                  {"dense_types", strings},
                  {"out_values_type", DType::kString},
                  {"out_row_splits_type", DType::kInt64}});
  };
  EXPECT_EQ(crossed({{4}, {3}, {2, 2}}, "RD"), (std::vector<PartialShape>{PartialShape::OfRank(1), {3}}));
  EXPECT_THROW(crossed({{4}, {3}, {3, 2}}, "RD"), Error);
  EXPECT_THROW(crossed({{4}, {3}, {2}}, "RD"), Error);
  EXPECT_EQ(crossed({{4, 1}, {3}, {2, 2}}, "RD")[1], (PartialShape{3})) << "values are the kernel's to look at";
  EXPECT_EQ(crossed({{4}, {3}, {2, 2}}, "R")[1], (PartialShape{3})) << "the order is the kernel's to look at";
}

}  // namespace
}  // namespace plumb
