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

}  // namespace
}  // namespace plumb::reference
