#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Tensor Rows(int64_t rank, const std::vector<int64_t>& coordinates) {
  const auto count = static_cast<int64_t>(coordinates.size()) / rank;
  return MakeTensor<int64_t>({count, rank}, std::span<const int64_t>(coordinates));
}
Tensor One(float value) { return MakeTensor<float>({}, {value}); }
const AttrMap kFloat = {{"T", DType::kFloat}};

// Coordinates below 8 and 16, in no order, some of them repeated.
Tensor Scattered(int64_t count) {
  std::vector<int64_t> at;
  for (int64_t i = 0; i < count; ++i) {
    at.push_back(i * 7919 % 8);
    at.push_back(i * 104729 / 3 % 16);
  }
  return Rows(2, at);
}

// A block puts few elements in order, all blocks many; of equal rows the order stays.
TEST(GpuSparse, ReordersFewElementsAndMany) {
  for (const int64_t count : {0, 5, 3000}) {
    ExpectSameOnBoth(
        {"SparseReorder", {Scattered(count), Digits({count}, 1000), VectorOf<int64_t>({8, 16})}, kFloat, 2});
  }
}

TEST(GpuSparse, JoinsCutsAndSplits) {
  const Tensor shape = VectorOf<int64_t>({8, 16}), x = Scattered(100), values = Digits({100}, 1000);
  ExpectSameOnBoth({"SparseConcat",
                    {x, Scattered(7), values, Digits({7}), shape, shape},
                    {{"T", DType::kFloat}, {"N", int64_t{2}}, {"concat_dim", int64_t{-1}}},
                    3});
  ExpectSameOnBoth(
      {"SparseSlice", {x, values, shape, VectorOf<int64_t>({2, -3}), VectorOf<int64_t>({3, 9})}, kFloat, 3});
  ExpectSameOnBoth({"SparseSplit",
                    {MakeTensor<int64_t>({}, {1}), x, values, shape},
                    {{"T", DType::kFloat}, {"num_split", int64_t{3}}},
                    9});
  ExpectSameOnBoth({"SparseReshape", {x, shape, VectorOf<int64_t>({4, -1, 2})}, {}, 2});
  ExpectSameOnBoth({"SparseReshape", {x, shape, VectorOf<int64_t>({8, -1})}, {}, 2});
}

TEST(GpuSparse, FillsEmptyRows) {
  const Tensor rows = Rows(2, {5, 1, 0, 2, 5, 0, 2, 9, 5, 7}), shape = VectorOf<int64_t>({7, 10});
  ExpectSameOnBoth({"SparseFillEmptyRows", {rows, Digits({5}), shape, One(-1)}, kFloat, 4});
  ExpectSameOnBoth({"SparseFillEmptyRowsGrad", {VectorOf<int64_t>({5, 0, 6, 2, 6}), Digits({9})}, kFloat, 2});
}

Question ToDense(const Tensor& rows, bool validates) {
  return {"SparseToDense",
          {rows, VectorOf<int64_t>({3, 4}), Digits({rows.dim(0)}), One(-1)},
          {{"T", DType::kFloat}, {"Tindices", DType::kInt64}, {"validate_indices", validates}}};
}

TEST(GpuSparse, BecomesDense) {
  ExpectSameOnBoth(ToDense(Rows(2, {0, 1, 0, 3, 2, 0}), true));
  ExpectSameOnBoth(ToDense(Rows(2, {2, 1, 0, 3, 2, 1, 0, 0, 2, 1}), false));
}

TEST(GpuSparse, IsRefusedByItsCoordinates) {
  EXPECT_EQ(StatusOf(ToDense(Rows(2, {0, 1, 0, 1}), true)).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf(ToDense(Rows(2, {1, 1, 0, 1}), true)).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf(ToDense(Rows(2, {0, 4}), false)).code(), Code::kInvalidArgument);
  const Tensor shape = VectorOf<int64_t>({3, 4}), one = Digits({1});
  EXPECT_EQ(StatusOf({"SparseFillEmptyRows", {Rows(2, {3, 0}), one, shape, One(0)}, kFloat}).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(StatusOf({"SparseFillEmptyRowsGrad", {VectorOf<int64_t>({1}), one}, kFloat}).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(StatusOf({"SparseSplit",
                      {MakeTensor<int64_t>({}, {0}), Rows(2, {3, 0}), one, shape},
                      {{"T", DType::kFloat}, {"num_split", int64_t{1}}}})
                .code(),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
