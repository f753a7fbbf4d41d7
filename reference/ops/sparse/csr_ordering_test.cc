#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

Value Csr(const std::vector<int64_t>& at, const std::vector<int64_t>& shape) {
  const auto rank = std::ssize(shape), count = std::ssize(at) / rank;
  return KernelCall{.op = "SparseTensorToCSRSparseMatrix",
                    .inputs = {MakeTensor<int64_t>({count, rank}, at), Zeros(DType::kFloat, {count}),
                               MakeTensor<int64_t>({rank}, shape)},
                    .output_types = {DType::kVariant}}();
}

KernelCall Ordering(const Value& matrix) {
  return {.op = "SparseMatrixOrderingAMD", .inputs = {matrix}, .output_types = {DType::kInt32}};
}

// A star around row 0: leaves go while they have fewer neighbours, then the first of the two that are left.
TEST(CsrOrdering, TakesTheRowWithTheFewestNeighbours) {
  const Value star = Csr({1, 0, 2, 0, 3, 0}, {4, 4});
  EXPECT_THAT(Ordering(star)().tensor.data<int32_t>(), ElementsAre(1, 2, 0, 3));
}

// A ring of four: whoever goes first makes neighbours of the two beside it.
TEST(CsrOrdering, NeighboursOfWhatIsGoneAreNeighbours) {
  const Value ring = Csr({1, 0, 2, 1, 3, 0, 3, 2}, {4, 4});
  EXPECT_THAT(Ordering(ring)().tensor.data<int32_t>(), ElementsAre(0, 1, 2, 3));
  const Value batch = Csr({0, 0, 1, 1, 1, 0, 1, 2, 0}, {2, 3, 3});
  const Value orders = Ordering(batch)();
  EXPECT_EQ(orders.tensor.shape(), Shape({2, 3}));
  EXPECT_THAT(orders.tensor.data<int32_t>(), ElementsAre(0, 1, 2, 1, 0, 2)) << "above the diagonal nothing is read";
}

TEST(Csr, RefusesMoreRowsThanHaveSplits) {
  const KernelCall vast{
      .op = "SparseTensorToCSRSparseMatrix",
      .inputs = {MakeTensor<int64_t>({1, 2}, {0, 0}), Zeros(DType::kFloat, {1}), MakeVector<int64_t>({INT64_MAX, 1})},
      .output_types = {DType::kVariant}};
  EXPECT_EQ(vast.Fails(), Code::kInvalidArgument);
}

TEST(CsrOrdering, RefusesWhatHasNoOrder) {
  EXPECT_EQ(Ordering(Csr({0, 0}, {2, 3})).Fails(), Code::kInvalidArgument);
  EXPECT_THROW(Csr({0, 4}, {2, 2}), Error) << "a column that the shape does not have";
  EXPECT_EQ(Ordering(MakeScalar<Variant>({})).Fails(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
