// Laws of the array kernels, with values computed by hand, and inputs that must be refused.
#include <gtest/gtest.h>

#include <numeric>

#include "fastpath/cpu/lib/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

I Ints(const Tensor& tensor) {
  const auto values = tensor.data<int32_t>();
  return {values.begin(), values.end()};
}
Tensor Iota(const Shape& shape) {
  Tensor x(DType::kInt32, shape);
  std::iota(x.mutable_data<int32_t>().begin(), x.mutable_data<int32_t>().end(), 0);
  return x;
}
Tensor Vector(std::initializer_list<int32_t> values) { return MakeVector<int32_t>(values); }

TEST(Reshape, InfersOneDimensionAndSharesTheBuffer) {
  const Tensor x = Iota({2, 6}), y = RunKernel1("Reshape", {x, Vector({3, -1})});
  EXPECT_EQ(y.shape(), Shape({3, 4}));
  EXPECT_EQ(y.raw(), x.raw());
  EXPECT_EQ(RunKernel1("Reshape", {Zeros(DType::kInt32, {0, 3}), Vector({0, -1})}).shape(), Shape({0, 3}));
  for (const Tensor& bad : {Vector({5, -1}), Vector({-1, -1}), Vector({3, 3}), Vector({-2, 6}), Vector({0, -1})}) {
    EXPECT_EQ(CodeOfKernel("Reshape", {x, bad}), Code::kInvalidArgument) << bad.ToString();
  }
  const Tensor huge = MakeVector<int64_t>({int64_t{1} << 40, int64_t{1} << 40, -1});
  EXPECT_EQ(CodeOfKernel("Reshape", {x, huge}), Code::kInvalidArgument);
}

TEST(ExpandDimsAndSqueeze, AreInverse) {
  const Tensor x = Iota({2, 3}), wide = RunKernel1("ExpandDims", {x, MakeScalar(-1)});
  EXPECT_EQ(wide.shape(), Shape({2, 3, 1}));
  EXPECT_EQ(RunKernel1("Squeeze", {wide}).shape(), x.shape());
  EXPECT_EQ(CodeOfKernel("ExpandDims", {x, MakeScalar(4)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Squeeze", {x}, {{"squeeze_dims", std::vector<int64_t>{0}}}), Code::kInvalidArgument);
}

TEST(ShapeOps, TellShapes) {
  EXPECT_EQ(Ints(RunKernel1("Shape", {Iota({2, 3})})), (I{2, 3}));
  EXPECT_EQ(RunKernel1("Size", {Iota({2, 3})}, {{"out_type", DType::kInt64}}).scalar<int64_t>(), 6);
  EXPECT_EQ(RunKernel1("Rank", {Iota({2, 3})}).scalar<int32_t>(), 2);
}

TEST(BroadcastGradientArgs, NameTheAxesThatWereRepeated) {
  auto axes = RunKernel("BroadcastGradientArgs", {Vector({2, 1, 3}), Vector({5, 3})});
  EXPECT_EQ(Ints(axes[0]), (I{1}));
  EXPECT_EQ(Ints(axes[1]), (I{0}));
  axes = RunKernel("BroadcastGradientArgs", {Vector({1, 2}), Vector({1, 2})});
  EXPECT_EQ(axes[0].elements() + axes[1].elements(), 0);
  EXPECT_EQ(CodeOfKernel("BroadcastGradientArgs", {Vector({2}), Vector({3})}), Code::kInvalidArgument);
}

TEST(InvertPermutation, RefusesWhatIsNone) {
  EXPECT_EQ(Ints(RunKernel1("InvertPermutation", {Vector({2, 0, 1})})), (I{1, 2, 0}));
  EXPECT_EQ(CodeOfKernel("InvertPermutation", {Vector({0, 0})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("InvertPermutation", {Vector({0, 2})}), Code::kInvalidArgument);
}

TEST(Concat, JoinsAlongAnyAxisAndSplitUndoesIt) {
  const Tensor a = Iota({2, 2}), b = Iota({2, 3});
  const Tensor joined = RunKernel1("ConcatV2", {a, b, MakeScalar(1)}, {{"N", int64_t{2}}, {"T", DType::kInt32}});
  EXPECT_EQ(Ints(joined), (I{0, 1, 0, 1, 2, 2, 3, 3, 4, 5}));
  const auto parts = RunKernel("SplitV", {joined, Vector({2, -1}), MakeScalar(-1)}, {{"num_split", int64_t{2}}});
  EXPECT_TRUE(parts[0].BitwiseEquals(a));
  EXPECT_TRUE(parts[1].BitwiseEquals(b));
  EXPECT_EQ(CodeOfKernel("ConcatV2", {a, b, MakeScalar(0)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("ConcatV2", {a, b, MakeScalar(2)}), Code::kInvalidArgument);
  const AttrMap two = {{"num_split", int64_t{2}}};
  EXPECT_EQ(CodeOfKernel("SplitV", {joined, Vector({2, 2}), MakeScalar(1)}, two), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SplitV", {joined, Vector({-5, 10}), MakeScalar(1)}, two), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Split", {MakeScalar(1), joined}, two), Code::kInvalidArgument);
}

TEST(Pack, StacksAndUnpackUndoesIt) {
  const Tensor a = Iota({3}), b = Vector({7, 8, 9});
  const Tensor rows = RunKernel1("Pack", {a, b}), columns = RunKernel1("Pack", {a, b}, {{"axis", int64_t{-1}}});
  EXPECT_EQ(Ints(rows), (I{0, 1, 2, 7, 8, 9}));
  EXPECT_EQ(Ints(columns), (I{0, 7, 1, 8, 2, 9}));
  const auto parts = RunKernel("Unpack", {columns}, {{"num", int64_t{2}}, {"axis", int64_t{1}}});
  EXPECT_TRUE(parts[0].BitwiseEquals(a));
  EXPECT_TRUE(parts[1].BitwiseEquals(b));
  EXPECT_EQ(CodeOfKernel("Unpack", {columns}, {{"num", int64_t{3}}, {"axis", int64_t{1}}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Pack", {a, Vector({1})}), Code::kInvalidArgument);
}

TEST(Slice, TakesABox) {
  const Tensor x = Iota({3, 4});
  EXPECT_EQ(Ints(RunKernel1("Slice", {x, Vector({1, 2}), Vector({2, -1})})), (I{6, 7, 10, 11}));
  for (const Tensor& size : {Vector({3, 1}), Vector({-2, 1}), Vector({1})}) {
    EXPECT_EQ(CodeOfKernel("Slice", {x, Vector({1, 0}), size}), Code::kInvalidArgument) << size.ToString();
  }
  const Tensor far = MakeVector<int64_t>({INT64_MAX, 0}), one = MakeVector<int64_t>({1, 1});
  EXPECT_EQ(CodeOfKernel("Slice", {x, far, one}), Code::kInvalidArgument);
}

TEST(StridedSlice, FollowsMasksAndNegativeStrides) {
  const Tensor x = Iota({3, 4});
  const auto slice = [&](const Tensor& begin, const Tensor& end, const Tensor& strides, AttrMap masks) {
    return RunKernel1("StridedSlice", {x, begin, end, strides}, std::move(masks));
  };
  EXPECT_EQ(Ints(slice(Vector({0, 3}), Vector({3, -5}), Vector({2, -2}), {})), (I{3, 1, 11, 9}));
  const Tensor row = slice(Vector({-1}), Vector({0}), Vector({1}), {{"shrink_axis_mask", int64_t{1}}});
  EXPECT_EQ(row.shape(), Shape({4}));
  EXPECT_EQ(Ints(row), (I{8, 9, 10, 11}));
  // x[..., newaxis, 1]
  const Tensor column =
      slice(Vector({0, 0, 1}), Vector({0, 0, 2}), Vector({1, 1, 1}),
            {{"ellipsis_mask", int64_t{1}}, {"new_axis_mask", int64_t{2}}, {"shrink_axis_mask", int64_t{4}}});
  EXPECT_EQ(column.shape(), Shape({3, 1}));
  EXPECT_EQ(Ints(column), (I{1, 5, 9}));
  EXPECT_EQ(slice(Vector({2}), Vector({1}), Vector({1}), {}).shape(), Shape({0, 4}));
}

TEST(StridedSlice, RefusesWhatTheShapeCannotSatisfy) {
  const Tensor x = Iota({3, 4});
  const auto code = [&](const Tensor& begin, const Tensor& end, const Tensor& strides, AttrMap masks) {
    return CodeOfKernel("StridedSlice", {x, begin, end, strides}, std::move(masks));
  };
  EXPECT_EQ(code(Vector({0}), Vector({1}), Vector({0}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({3}), Vector({4}), Vector({1}), {{"shrink_axis_mask", int64_t{1}}}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0, 0}), Vector({1, 1, 1}), Vector({1, 1, 1}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0}), Vector({1}), Vector({1}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0}), Vector({1, 1}), Vector({1, 1}), {{"ellipsis_mask", int64_t{3}}}),
            Code::kInvalidArgument);
}

TEST(StridedSliceGrad, PutsTheGradientWhereTheSliceWasTaken) {
  const Tensor y =
      RunKernel1("StridedSliceGrad", {Vector({4}), Vector({3}), Vector({-5}), Vector({-2}), Vector({7, 8})});
  EXPECT_EQ(Ints(y), (I{0, 8, 0, 7}));
  EXPECT_EQ(CodeOfKernel("StridedSliceGrad", {Vector({4}), Vector({0}), Vector({4}), Vector({1}), Vector({7, 8})}),
            Code::kInvalidArgument);
}

TEST(Transpose, MovesEveryElementForEveryOrderOfAxes) {
  const Shape shape({3, 5, 33, 2});
  const Tensor x = Iota(shape);
  std::vector<int32_t> perm = {0, 1, 2, 3};
  do {
    const Tensor y = RunKernel1("Transpose", {x, MakeTensor<int32_t>({4}, perm)}, {}, 2);
    const int64_t stride[] = {330, 66, 2, 1};
    size_t at = 0;
    for (int64_t i = 0; i < shape[perm[0]]; ++i)
      for (int64_t j = 0; j < shape[perm[1]]; ++j)
        for (int64_t k = 0; k < shape[perm[2]]; ++k)
          for (int64_t l = 0; l < shape[perm[3]]; ++l)
            ASSERT_EQ(y.data<int32_t>()[at++],
                      i * stride[perm[0]] + j * stride[perm[1]] + k * stride[perm[2]] + l * stride[perm[3]]);
  } while (std::next_permutation(perm.begin(), perm.end()));
  EXPECT_EQ(CodeOfKernel("Transpose", {x, Vector({0, 1, 2, 2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Transpose", {x, Vector({0, 1, 2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Transpose", {x, Vector({0, 1, 2, 4})}), Code::kInvalidArgument);
}

TEST(Reverse, TurnsTheNamedAxesRound) {
  const Tensor x = Iota({2, 3});
  EXPECT_EQ(Ints(RunKernel1("ReverseV2", {x, Vector({1})})), (I{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(Ints(RunKernel1("ReverseV2", {x, Vector({0, -1})})), (I{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(CodeOfKernel("ReverseV2", {x, Vector({1, -1})}), Code::kInvalidArgument);
}

TEST(ReverseSequence, TurnsTheBeginningOfEachEntryRound) {
  const Tensor x = Iota({2, 4});
  const AttrMap attrs = {{"seq_dim", int64_t{1}}};
  EXPECT_EQ(Ints(RunKernel1("ReverseSequence", {x, Vector({3, 0})}, attrs)), (I{2, 1, 0, 3, 4, 5, 6, 7}));
  EXPECT_EQ(CodeOfKernel("ReverseSequence", {x, Vector({5, 0})}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("ReverseSequence", {x, Vector({1})}, attrs), Code::kInvalidArgument);
}

TEST(Tile, RepeatsAndTileGradAddsTheTilesUp) {
  const Tensor x = Iota({2, 2});
  const Tensor tiled = RunKernel1("Tile", {x, Vector({1, 2})});
  EXPECT_EQ(Ints(tiled), (I{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(Ints(RunKernel1("TileGrad", {tiled, Vector({1, 2})})), (I{0, 2, 4, 6}));
  EXPECT_EQ(RunKernel1("Tile", {x, Vector({0, 2})}).shape(), Shape({0, 4}));
  EXPECT_EQ(CodeOfKernel("Tile", {x, Vector({-1, 2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Tile", {x, MakeVector<int64_t>({INT64_MAX, 2})}), Code::kInvalidArgument);
}

TEST(Pad, SurroundsWithZeros) {
  const Tensor paddings = MakeTensor<int32_t>({2, 2}, {1, 0, 0, 2});
  EXPECT_EQ(Ints(RunKernel1("Pad", {Vector({1, 2}).Reshaped({1, 2}), paddings})), (I{0, 0, 0, 0, 1, 2, 0, 0}));
  EXPECT_EQ(CodeOfKernel("Pad", {Vector({1, 2}), paddings}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Pad", {Vector({1}), MakeTensor<int32_t>({1, 2}, {-1, 0})}), Code::kInvalidArgument);
}

TEST(Fills, MakeTensorsOfFewValues) {
  EXPECT_EQ(Ints(RunKernel1("Fill", {Vector({2, 2}), MakeScalar(7)})), (I{7, 7, 7, 7}));
  EXPECT_EQ(CodeOfKernel("Fill", {Vector({-1}), MakeScalar(7)}), Code::kInvalidArgument);
  EXPECT_EQ(Ints(RunKernel1("Range", {MakeScalar(7), MakeScalar(0), MakeScalar(-3)})), (I{7, 4, 1}));
  EXPECT_EQ(RunKernel1("Range", {MakeScalar(0.0f), MakeScalar(1.0f), MakeScalar(0.3f)}).elements(), 4);
  EXPECT_EQ(CodeOfKernel("Range", {MakeScalar(0), MakeScalar(1), MakeScalar(0)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Range", {MakeScalar(0), MakeScalar(-1), MakeScalar(1)}), Code::kInvalidArgument);
  EXPECT_EQ(Ints(RunKernel1("OneHot", {Vector({1, -1, 5}), MakeScalar(2), MakeScalar(9), MakeScalar(0)})),
            (I{0, 9, 0, 0, 0, 0}));
  EXPECT_EQ(
      Ints(RunKernel1("OneHot", {Vector({1, 0}), MakeScalar(2), MakeScalar(9), MakeScalar(0)}, {{"axis", int64_t{0}}})),
      (I{0, 9, 9, 0}));
  EXPECT_EQ(RunKernel1("OnesLike", {Zeros(DType::kDouble, {3})}).data<double>()[2], 1);
  EXPECT_EQ(Ints(RunKernel1("ZerosLike", {Iota({3})})), (I{0, 0, 0}));
}

TEST(Gather, PicksRowsAlongAnyAxis) {
  const Tensor x = Iota({2, 3, 2});
  EXPECT_EQ(Ints(RunKernel1("GatherV2", {x, Vector({2, 0}), MakeScalar(1)})), (I{4, 5, 0, 1, 10, 11, 6, 7}));
  const Tensor batched =
      RunKernel1("GatherV2", {x, MakeTensor<int32_t>({2, 1}, {2, 0}), MakeScalar(1)}, {{"batch_dims", int64_t{1}}});
  EXPECT_EQ(batched.shape(), Shape({2, 1, 2}));
  EXPECT_EQ(Ints(batched), (I{4, 5, 6, 7}));
  EXPECT_EQ(CodeOfKernel("GatherV2", {x, Vector({3}), MakeScalar(1)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("GatherV2", {x, Vector({-1}), MakeScalar(1)}), Code::kInvalidArgument);
  const Tensor strings = MakeVector<std::string>({"a", "b", "c"});
  EXPECT_EQ(RunKernel1("GatherV2", {strings, Vector({2}), MakeScalar(0)}).data<std::string>()[0], "c");
}

TEST(DynamicPartition, DealsRowsOutAndStitchPutsThemBack) {
  const Tensor x = Iota({4, 2}), parts = Vector({1, 0, 1, 1}), places = Iota({4});
  const AttrMap two = {{"num_partitions", int64_t{2}}};
  const auto rows = RunKernel("DynamicPartition", {x, parts}, two);
  EXPECT_EQ(Ints(rows[0]), (I{2, 3}));
  EXPECT_EQ(Ints(rows[1]), (I{0, 1, 4, 5, 6, 7}));
  const auto where = RunKernel("DynamicPartition", {places, parts}, two);
  EXPECT_TRUE(RunKernel1("DynamicStitch", {where[0], where[1], rows[0], rows[1]}).BitwiseEquals(x));
  EXPECT_EQ(CodeOfKernel("DynamicPartition", {x, Vector({2, 0, 1, 1})}, two), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DynamicPartition", {x, Vector({0})}, two), Code::kInvalidArgument);
}

TEST(DynamicStitch, LeavesZerosInGapsAndLetsTheLastOneWin) {
  EXPECT_EQ(Ints(RunKernel1("DynamicStitch", {Vector({3, 0}), MakeScalar(0), Vector({5, 6}), MakeScalar(7)})),
            (I{7, 0, 0, 5}));
  EXPECT_EQ(CodeOfKernel("DynamicStitch", {Vector({-1}), Vector({5})}), Code::kInvalidArgument);
}

TEST(Unique, KeepsTheOrderOfFirstOccurrence) {
  const auto found = RunKernel("Unique", {Vector({5, 3, 5, 9, 3})});
  EXPECT_EQ(Ints(found[0]), (I{5, 3, 9}));
  EXPECT_EQ(Ints(found[1]), (I{0, 1, 0, 2, 1}));
  const auto zeros = RunKernel("Unique", {MakeVector<float>({0.0f, -0.0f})});
  EXPECT_EQ(zeros[0].elements(), 1);
  EXPECT_EQ(CodeOfKernel("Unique", {Iota({2, 2})}), Code::kInvalidArgument);
}

TEST(Where, GivesCoordinatesInOrder) {
  const Tensor places = RunKernel1("Where", {MakeTensor<bool>({2, 2}, {false, true, true, false})});
  EXPECT_TRUE(places.BitwiseEquals(MakeTensor<int64_t>({2, 2}, {0, 1, 1, 0})));
  EXPECT_EQ(RunKernel1("Where", {MakeVector<bool>({false})}).shape(), Shape({0, 1}));
}

TEST(Placeholder, FailsWhereNothingWasFed) {
  EXPECT_EQ(CodeOfKernel("Placeholder", {}, {{"dtype", DType::kFloat}}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
