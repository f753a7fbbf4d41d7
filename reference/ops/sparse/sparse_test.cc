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

}  // namespace
}  // namespace plumb::reference
