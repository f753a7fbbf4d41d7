#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

const Value kMatrix = MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Array, ReshapeInfersOneDimension) {
  EXPECT_EQ((KernelCall{"Reshape", {kMatrix, Ints({3, -1})}}().tensor.shape()), Shape({3, 2}));
  const Value empty = MakeTensor<float>({2, 0, 3}, {});
  EXPECT_EQ((KernelCall{"Reshape", {empty, Ints({0, -1})}}().tensor.shape()), Shape({0, 6})) << "zeros do not count";
  EXPECT_EQ((KernelCall{"Reshape", {empty, Ints({-1, 3})}}().tensor.shape()), Shape({0, 3}));
  for (const Tensor& shape : {Ints({4, -1}), Ints({-1, -1}), Ints({7}), Ints({-2, -3}), Ints({0, -1})}) {
    EXPECT_EQ((KernelCall{"Reshape", {kMatrix, shape}}.Fails()), Code::kInvalidArgument) << shape.ToString();
  }
  const Tensor huge = MakeVector<int64_t>({INT64_MAX, INT64_MAX});
  EXPECT_EQ((KernelCall{"Reshape", {kMatrix, huge}}.Fails()), Code::kInvalidArgument);
}

TEST(Array, TransposePermutesAxes) {
  EXPECT_THAT(Floats(KernelCall{"Transpose", {kMatrix, Ints({1, 0})}}()), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ((KernelCall{"Transpose", {kMatrix, Ints({0, 0})}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Transpose", {kMatrix, Ints({0, 2})}}.Fails()), Code::kInvalidArgument);
}

TEST(Array, BoundsAndTangentsMoveWithTheirElements) {
  Value x = kMatrix;
  x.bound = std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3, 4, 5, 6});
  x.tangent = std::make_shared<const std::vector<double>>(std::vector<double>{6, 5, 4, 3, 2, 1});
  const Value y = KernelCall{"Transpose", {x, Ints({1, 0})}}();
  EXPECT_THAT(Bounds(y), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Tangents(y), ElementsAre(6, 3, 5, 2, 4, 1));
}

TEST(Array, ConcatAndSplitAreInverse) {
  const Value joined = KernelCall{"ConcatV2", {kMatrix, kMatrix, Int(1)}}();
  EXPECT_THAT(Floats(joined), ElementsAre(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6));
  const Value along = KernelCall{"ConcatV2", {kMatrix, kMatrix, Ints({1})}}();
  EXPECT_TRUE(along.tensor.BitwiseEquals(joined.tensor));
  const Value nested = MakeTensor<int32_t>({1, 1}, {1});
  EXPECT_EQ((KernelCall{"ConcatV2", {kMatrix, kMatrix, nested}}.Fails()), Code::kInvalidArgument);
  const auto parts = KernelCall{"Split", {Int(-1), joined}, {}, {DType::kFloat, DType::kFloat}}.Run();
  EXPECT_TRUE(parts[1].tensor.BitwiseEquals(kMatrix.tensor));
  const auto uneven = KernelCall{"SplitV", {joined, Ints({-1, 5}), Int(1)}, {}, {DType::kFloat, DType::kFloat}}.Run();
  EXPECT_THAT(Floats(uneven[0]), ElementsAre(1, 4));
  EXPECT_EQ((KernelCall{"SplitV", {joined, Ints({2, 5}), Int(1)}, {}, {DType::kFloat, DType::kFloat}}.Fails()),
            Code::kInvalidArgument);
}

TEST(Array, PadAndReverseKnowEightDimensions) {  // T9
  const auto pad = [](const Shape& shape) {
    const Tensor paddings = Zeros(DType::kInt32, {shape.rank(), 2});
    return KernelCall{"Pad", {Tensor(DType::kFloat, shape), paddings}};
  };
  const auto reverse = [](const Shape& shape) {
    return KernelCall{"ReverseV2", {Tensor(DType::kFloat, shape), Ints({-1})}};
  };
  const Shape eight({1, 1, 1, 1, 1, 1, 1, 2}), nine({1, 1, 1, 1, 1, 1, 1, 1, 2}), empty({1, 1, 1, 1, 1, 1, 1, 1, 0});
  EXPECT_EQ(pad(eight)().tensor.shape(), eight);
  EXPECT_EQ(pad(nine).Fails(), Code::kUnimplemented);
  EXPECT_EQ(reverse(eight)().tensor.shape(), eight);
  EXPECT_EQ(reverse(nine).Fails(), Code::kUnimplemented);
  EXPECT_EQ(reverse(empty)().tensor.shape(), empty) << "nothing can move";
}

TEST(Array, TileKnowsNoQuantizedTypesAndNoUint16) {  // T11
  for (const DType type : {DType::kUint16, DType::kQint32}) {
    const auto tile = [&](int32_t times) { return KernelCall{"Tile", {Tensor(type, Shape({2})), Ints({times})}}; };
    EXPECT_EQ(tile(2).Fails(), Code::kUnimplemented) << DTypeName(type);
    EXPECT_EQ(tile(1)().tensor.shape(), Shape({2})) << DTypeName(type);
    EXPECT_EQ(tile(0)().tensor.shape(), Shape({0})) << DTypeName(type);
  }
}

TEST(Array, PackStacksAndUnpackTakesApart) {
  const Value packed = KernelCall{"Pack", {Vector({1, 2}), Vector({3, 4})}, {{"axis", 1}}}();
  EXPECT_THAT(Floats(packed), ElementsAre(1, 3, 2, 4));
  const auto rows = KernelCall{"Unpack", {packed}, {{"axis", 1}}, {DType::kFloat, DType::kFloat}}.Run();
  EXPECT_THAT(Floats(rows[1]), ElementsAre(3, 4));
}

TEST(Array, SliceTakesABlock) {
  EXPECT_THAT(Floats(KernelCall{"Slice", {kMatrix, Ints({0, 1}), Ints({-1, 2})}}()), ElementsAre(2, 3, 5, 6));
  for (const auto& [begin, size] : {std::pair{Ints({0, 4}), Ints({1, 0})}, std::pair{Ints({0, 1}), Ints({1, 3})},
                                    std::pair{Ints({-1, 0}), Ints({1, 1})}, std::pair{Ints({0}), Ints({1})}}) {
    EXPECT_EQ((KernelCall{"Slice", {kMatrix, begin, size}}.Fails()), Code::kInvalidArgument) << begin.ToString();
  }
}

TEST(Array, TileRepeatsAndTileGradSums) {
  const Value tiled = KernelCall{"Tile", {kMatrix, Ints({1, 2})}}();
  EXPECT_THAT(Floats(tiled), ElementsAre(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6));
  EXPECT_THAT(Floats(KernelCall{"TileGrad", {tiled, Ints({1, 2})}}()), ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_EQ((KernelCall{"Tile", {kMatrix, Ints({1, -1})}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Tile", {kMatrix, Ints({INT32_MAX, 1})}}.Fails()), Code::kResourceExhausted);
}

TEST(Array, PadSurroundsWithZeros) {
  const Tensor paddings = MakeTensor<int32_t>({1, 2}, {1, 2});
  EXPECT_THAT(Floats(KernelCall{"Pad", {Vector({1, 2}), paddings}}()), ElementsAre(0, 1, 2, 0, 0));
  EXPECT_EQ((KernelCall{"Pad", {Vector({1}), MakeTensor<int32_t>({1, 2}, {-1, 2})}}.Fails()), Code::kInvalidArgument);
  const Tensor huge = MakeTensor<int64_t>({1, 2}, {INT64_MAX, INT64_MAX});
  EXPECT_EQ((KernelCall{"Pad", {Vector({1}), huge}}.Fails()), Code::kInvalidArgument);
}

TEST(Array, ReverseAndReverseSequence) {
  EXPECT_THAT(Floats(KernelCall{"ReverseV2", {kMatrix, Ints({-1})}}()), ElementsAre(3, 2, 1, 6, 5, 4));
  const KernelCall call{"ReverseSequence", {kMatrix, Ints({2, 3})}, {{"seq_dim", 1}, {"batch_dim", 0}}};
  EXPECT_THAT(Floats(call()), ElementsAre(2, 1, 3, 6, 5, 4));
  EXPECT_EQ((KernelCall{"ReverseSequence", {kMatrix, Ints({2, 4})}, {{"seq_dim", 1}, {"batch_dim", 0}}}.Fails()),
            Code::kInvalidArgument);
}

TEST(Array, GatherTakesSlicesAlongAnAxis) {
  EXPECT_THAT(Floats(KernelCall{"GatherV2", {kMatrix, Ints({2, 0}), Int(1)}}()), ElementsAre(3, 1, 6, 4));
  const Value batched =
      KernelCall{"GatherV2", {kMatrix, MakeTensor<int32_t>({2, 1}, {2, 0}), Int(1)}, {{"batch_dims", 1}}}();
  EXPECT_THAT(Floats(batched), ElementsAre(3, 4));
  EXPECT_EQ((KernelCall{"GatherV2", {kMatrix, Ints({3}), Int(1)}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"GatherV2", {kMatrix, Ints({-1}), Int(0)}}.Fails()), Code::kInvalidArgument);
}

TEST(Array, DynamicPartitionAndStitch) {
  const auto parts = KernelCall{"DynamicPartition", {kMatrix, Ints({1, 0})}, {}, {DType::kFloat, DType::kFloat}}.Run();
  EXPECT_THAT(Floats(parts[0]), ElementsAre(4, 5, 6));
  const KernelCall stitch{"DynamicStitch", {Ints({3}), Ints({0, 3}), Vector({1}), Vector({2, 5})}, {}, {DType::kFloat}};
  EXPECT_THAT(Floats(stitch()), ElementsAre(2, 0, 0, 5)) << "gaps are zero, the later piece wins";
  const KernelCall hostile{"DynamicStitch", {Ints({INT32_MAX}), Vector({1})}, {}, {DType::kFloat}};
  EXPECT_EQ(hostile.Fails(), Code::kInvalidArgument) << "there is no int32 above it to count the rows";
}

TEST(Array, BroadcastToComparesShapesWithoutElementsToo) {
  EXPECT_EQ((KernelCall{"BroadcastTo", {Vector({1, 2}), Ints({0})}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"BroadcastTo", {Vector({1}), Ints({2, 0})}}().tensor.shape()), Shape({2, 0}));
  EXPECT_EQ((KernelCall{"BroadcastTo", {Scalar(1), Int(3)}}.Fails()), Code::kInvalidArgument);
}

TEST(Array, RangeIsHalfOpen) {
  EXPECT_THAT(Integers(KernelCall{"Range", {Int(5), Int(-1), Int(-2)}}()), ElementsAre(5, 3, 1));
  EXPECT_THAT(Floats(KernelCall{"Range", {Scalar(0), Scalar(1), Scalar(0.5)}}()), ElementsAre(0, 0.5));
  EXPECT_EQ((KernelCall{"Range", {Int(0), Int(5), Int(0)}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Range", {Int(0), Int(5), Int(-1)}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Range", {Scalar(0), Scalar(1), Scalar(NAN)}}.Fails()), Code::kInvalidArgument);
}

TEST(Array, FillAndOneHotBoundTheirSize) {
  EXPECT_THAT(Floats(KernelCall{"Fill", {Ints({2}), Scalar(7)}, {}, {DType::kFloat}}()), ElementsAre(7, 7));
  const Tensor huge = MakeVector<int64_t>({int64_t{1} << 50});
  EXPECT_EQ((KernelCall{"Fill", {huge, Scalar(7)}}.Fails()), Code::kResourceExhausted);
  const KernelCall hot{"OneHot", {Ints({1, -1, 0}), Int(2), Scalar(5), Scalar(1)}, {{"axis", 0}}, {DType::kFloat}};
  EXPECT_THAT(Floats(hot()), ElementsAre(1, 1, 5, 5, 1, 1));
  EXPECT_EQ((KernelCall{"OneHot", {Ints({1}), Int(2), Scalar(5), Scalar(1)}, {{"axis", -2}}}.Fails()),
            Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"OneHot", {Ints({1}), Int(-1), Scalar(5), Scalar(1)}, {{"axis", 0}}}.Fails()),
            Code::kInvalidArgument);
}

TEST(Array, WhereUniqueAndInvertPermutation) {
  const Value where = KernelCall{"Where", {MakeTensor<float>({2, 2}, {0, NAN, 3, -0.0f})}, {}, {DType::kInt64}}();
  EXPECT_THAT(Integers(where), ElementsAre(0, 1, 1, 0));
  const auto unique = KernelCall{"Unique", {Ints({4, 2, 4, 4, 1})}, {}, {DType::kInt32, DType::kInt32}}.Run();
  EXPECT_THAT(Integers(unique[0]), ElementsAre(4, 2, 1));
  EXPECT_THAT(Integers(unique[1]), ElementsAre(0, 1, 0, 0, 2));
  const Tensor zeros = Vector({0, -0.0f, 0});
  const std::vector<DType> ints = {DType::kInt32, DType::kInt32};
  EXPECT_THAT(Integers(KernelCall{"Unique", {zeros}, {}, ints}.Run()[1]), ElementsAre(0, 0, 0));
  const auto of_16_bits = [&]<class T>(T) {
    const Tensor bits = MakeVector<T>({T(0.0f), T(-0.0f), T(0.0f)});
    return Integers(KernelCall{"Unique", {bits}, {}, ints}.Run()[1]);
  };
  EXPECT_THAT(of_16_bits(Half()), ElementsAre(0, 1, 0));
  EXPECT_THAT(of_16_bits(BFloat16()), ElementsAre(0, 1, 0));
  EXPECT_THAT(Integers(KernelCall{"InvertPermutation", {Ints({2, 0, 1})}}()), ElementsAre(1, 2, 0));
  EXPECT_EQ((KernelCall{"InvertPermutation", {Ints({1, 1, 0})}}.Fails()), Code::kInvalidArgument);
}

TEST(Array, BroadcastGradientArgsNamesTheSummedAxes) {
  const auto args =
      KernelCall{"BroadcastGradientArgs", {Ints({2, 1, 1}), Ints({3, 1})}, {}, {DType::kInt32, DType::kInt32}}.Run();
  EXPECT_THAT(Integers(args[0]), ElementsAre(1, 2));
  EXPECT_THAT(Integers(args[1]), ElementsAre(0, 2));
}

TEST(Array, ShapesAndSizes) {
  const KernelCall shape{"Shape", {kMatrix}, {}, {DType::kInt64}};
  EXPECT_THAT(Integers(shape()), ElementsAre(2, 3));
  EXPECT_THAT(Integers(KernelCall{"Rank", {kMatrix}, {}, {DType::kInt32}}()), ElementsAre(2));
  EXPECT_EQ((KernelCall{"ExpandDims", {kMatrix, Int(-1)}}().tensor.shape()), Shape({2, 3, 1}));
  EXPECT_EQ((KernelCall{"Squeeze", {MakeTensor<float>({1, 2, 1}, {1, 2})}}().tensor.shape()), Shape({2}));
  EXPECT_EQ((KernelCall{"Squeeze", {kMatrix}, {{"squeeze_dims", std::vector<int64_t>{0}}}}.Fails()),
            Code::kInvalidArgument);
  const KernelCall offsets{"ConcatOffset", {Int(1), Ints({2, 3}), Ints({2, 5})}, {}, {DType::kInt32, DType::kInt32}};
  EXPECT_THAT(Integers(offsets.Run()[1]), ElementsAre(0, 3));
}

TEST(Array, SlicesAreNamedBySevenCoordinatesAtMost) {  // T9
  const Tensor shape = MakeVector<int32_t>({1, 1, 1, 1, 1, 1, 1, 1}), x = Zeros(DType::kFloat, Shape(ToInt64s(shape)));
  for (const int64_t depth : {7, 8}) {
    const Code wanted = depth == 7 ? Code::kOk : Code::kInvalidArgument;
    const Tensor indices = Zeros(DType::kInt32, Shape({1, depth}));
    const Tensor updates = Zeros(DType::kFloat, depth == 7 ? Shape({1, 1}) : Shape({1}));
    const std::vector<DType> floats = {DType::kFloat};
    EXPECT_EQ((KernelCall{"GatherNd", {x, indices}}.Fails()), wanted) << depth;
    EXPECT_EQ((KernelCall{"ScatterNd", {indices, updates, shape}, {}, floats}.Fails()), wanted) << depth;
    EXPECT_EQ((KernelCall{"TensorScatterUpdate", {x, indices, updates}}.Fails()), wanted) << depth;
  }
}

}  // namespace
}  // namespace plumb::reference
