#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

const Value kAt = MakeTensor<int64_t>({3, 2}, {0, 0, 0, 2, 1, 1});
const Value kShape = MakeVector<int64_t>({2, 3});

TEST(Sparse, BoundsAndTangentsGoAlong) {
  const Value values = WithTangent(Vector({1, 5, 3}), {0.5, 0, 2});
  const Value dense = KernelCall{.op = "SparseToDense",
                                 .inputs = {kAt, kShape, values, Scalar(9)},
                                 .attrs = {{"validate_indices", true}},
                                 .output_types = {DType::kFloat}}();
  EXPECT_THAT(Floats(dense), ElementsAre(1, 9, 5, 9, 3, 9));
  EXPECT_THAT(Tangents(dense), ElementsAre(0.5, 0, 0, 0, 2, 0));
}

TEST(Sparse, SumsAreThoseOfTheElements) {
  const KernelCall sum{.op = "SparseReduceSum",
                       .inputs = {kAt, Vector({1, 5, 3}), kShape, Ints({1})},
                       .attrs = {{"keep_dims", false}},
                       .output_types = {DType::kFloat}};
  EXPECT_THAT(Floats(sum()), ElementsAre(6, 3));
  KernelCall outside = sum;
  outside.inputs[2] = MakeVector<int64_t>({2, 2});
  EXPECT_EQ(outside.Fails(), Code::kOk) << "the place of an element is what counts";
  outside.inputs[2] = MakeVector<int64_t>({1, 3});
  EXPECT_EQ(outside.Fails(), Code::kInternal);
}

TEST(Sparse, TheAxisOfAConcatenationIsAskedForBeforeItsParts) {
  const Value vast = MakeVector<int64_t>({INT64_MAX, INT64_MAX}), values = Vector({1, 5, 3});
  const auto code = [&](int64_t axis) {
    return KernelCall{.op = "SparseConcat",
                      .inputs = {kAt, kAt, values, values, vast, vast},
                      .attrs = {{"N", 2}, {"concat_dim", axis}},
                      .output_types = {DType::kInt64, DType::kFloat, DType::kInt64}}
        .Fails();
  };
  EXPECT_EQ(code(0), Code::kInternal) << "the parts cannot be counted";
  EXPECT_EQ(code(int64_t{1} << 31), Code::kInvalidArgument);
}

TEST(Sparse, TheDistanceOfRowsIsThatOfTheirElements) {
  const Value empty = MakeTensor<int64_t>({0, 2}, {});
  const KernelCall distance{.op = "EditDistance",
                            .inputs = {kAt, Ints({1, 2, 3}), kShape, kAt, Ints({1, 3, 3}), kShape},
                            .attrs = {{"normalize", true}},
                            .output_types = {DType::kFloat}};
  EXPECT_THAT(Floats(distance()), ElementsAre(0.5, 0));
  KernelCall nothing = distance;
  nothing.inputs[3] = empty;
  nothing.inputs[4] = Ints({});
  EXPECT_THAT(Floats(nothing()), ElementsAre(INFINITY, INFINITY));
}

TEST(Sparse, CountsAsManyColumnsAsAreAskedFor) {  // GetOutputSize
  const auto counted = [](int64_t least, int64_t most, std::vector<int32_t> numbers) {
    return KernelCall{.op = "DenseCountSparseOutput",
                      .inputs = {MakeTensor<int32_t>({std::ssize(numbers)}, numbers), Ints({})},
                      .attrs = {{"minlength", least}, {"maxlength", most}, {"binary_output", false}},
                      .output_types = {DType::kInt64, DType::kInt32, DType::kInt64}};
  };
  const auto columns = [&](int64_t least, int64_t most) {
    return counted(least, most, {4, 1, 4}).Run()[2].tensor.data<int64_t>()[0];
  };
  EXPECT_EQ(columns(-1, -1), 5);
  EXPECT_EQ(columns(7, -1), 7);
  EXPECT_EQ(columns(7, 3), 3);
  EXPECT_EQ(columns(7, 0), 0);
  EXPECT_EQ(counted(7, 0, {4, 1, 4}).Run()[1].tensor.elements(), 0) << "no number is below a maximum of zero";
  EXPECT_EQ(counted(-1, -1, {1, -1}).Fails(), Code::kInvalidArgument);
}

TEST(Sparse, ArithmeticRefusesZeroDivisorsAndPlacesOutsideOfTheShape) {
  const Value values = Vector({1, 5, 3});
  const auto divided = [&](Value dense) {
    return KernelCall{.op = "SparseDenseCwiseDiv",
                      .inputs = {kAt, values, kShape, std::move(dense)},
                      .output_types = {DType::kFloat}};
  };
  EXPECT_THAT(Floats(divided(MakeTensor<float>({2, 3}, {1, 0, 1, 1, 2, 1}))()), ElementsAre(1, 5, 1.5F))
      << "a zero where no element is does no harm";
  EXPECT_EQ(divided(MakeTensor<float>({1, 3}, {1, 0, 1})).Fails(), Code::kInvalidArgument);
  const auto larger = [&](const Value& shape) {
    return KernelCall{.op = "SparseSparseMaximum",
                      .inputs = {kAt, values, shape, kAt, values, shape},
                      .output_types = {DType::kInt64, DType::kFloat}};
  };
  EXPECT_EQ(larger(kShape).Fails(), Code::kOk);
  EXPECT_EQ(larger(MakeVector<int64_t>({2, 2})).Fails(), Code::kInvalidArgument);
}

TEST(Sparse, AnElementThatIsThereTwiceTakesTheGradientOnce) {  // SparseAddGradOp
  const auto at = [](std::vector<int64_t> rows) {
    const auto count = static_cast<int64_t>(rows.size());
    return MakeTensor<int64_t>({count, 1}, rows);
  };
  const KernelCall call{.op = "SparseAddGrad",
                        .inputs = {Vector({5, 7}), at({0, 0}), at({1}), at({0, 1})},
                        .output_types = {DType::kFloat, DType::kFloat}};
  const std::vector<Value> gradients = call.Run();
  EXPECT_THAT(Floats(gradients[0]), ElementsAre(5, 0));
  EXPECT_THAT(Floats(gradients[1]), ElementsAre(7));
}

TEST(Splits, MayHaveMoreDimensionsThanOne) {  // some kernels read all as one, some count rows by the first of them
  const Value column = MakeTensor<int64_t>({3, 1}, {0, 1, 3}), row = MakeTensor<int64_t>({1, 3}, {0, 1, 3});
  const std::vector<DType> types = {DType::kInt64, DType::kFloat, DType::kInt64};
  const auto shape = [&](const Value& splits) {
    const AttrMap rank = {{"RAGGED_RANK", int64_t{1}}};
    return ToInt64s(KernelCall{"RaggedTensorToSparse", {splits, Vector({1, 2, 3})}, rank, types}.Run()[2].tensor);
  };
  EXPECT_THAT(shape(column), ElementsAre(2, 2));
  EXPECT_THAT(shape(row), ElementsAre(0, 2));
  for (const Value& splits : {column, row}) {
    const KernelCall count{.op = "RaggedBincount",
                           .inputs = {splits, Ints({0, 1, 2}), MakeScalar<int32_t>(3), Vector({})},
                           .attrs = {{"binary_output", false}},
                           .output_types = {DType::kFloat}};
    EXPECT_THAT(Floats(count()), ElementsAre(1, 0, 0, 0, 1, 1));
  }
  const KernelCall encode{.op = "UnicodeEncode",
                          .inputs = {MakeTensor<int32_t>({3, 1}, {65, 66, 67}), column},
                          .attrs = {{"output_encoding", std::string("UTF-8")},
                                    {"errors", std::string("replace")},
                                    {"replacement_char", int64_t{63}}},
                          .output_types = {DType::kString}};
  EXPECT_EQ(encode().tensor.shape(), Shape({2}));
  KernelCall in_a_row = encode;
  in_a_row.inputs[1] = row;
  EXPECT_EQ(in_a_row.Fails(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
