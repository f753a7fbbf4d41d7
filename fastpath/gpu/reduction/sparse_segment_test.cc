#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Ascending, some left out.
Tensor Ids(int64_t rows, int64_t each) {
  Tensor ids(DType::kInt32, Shape({rows}));
  int64_t i = 0;
  for (int32_t& id : ids.mutable_data<int32_t>()) id = static_cast<int32_t>(i++ / each * 2);
  return ids;
}
Tensor Rows(int64_t count, int64_t limit) {
  Tensor rows(DType::kInt32, Shape({count}));
  int64_t i = 0;
  for (int32_t& row : rows.mutable_data<int32_t>()) row = static_cast<int32_t>(i++ * 7919 % limit);
  return rows;
}

// Rows wider than a warp and narrower; segments that a thread folds, a warp, and a block.
TEST(GpuSortedSegments, AreThoseOfTheCpuForEveryWidth) {
  const AttrMap attrs = {{"T", DType::kFloat}, {"Tindices", DType::kInt32}};
  for (const char* op : {"SegmentSum", "SegmentMax", "SegmentMin"}) {
    for (const int64_t width : {1, 3, 40}) {
      for (const int64_t each : {1, 7, 2500}) {
        ExpectSameOnBoth({op, {Digits(Shape({5000, width})), Ids(5000, each)}, attrs});
      }
    }
  }
}

TEST(GpuSparseSegments, AddTheRowsThatAreNamed) {
  const AttrMap attrs = {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"Tsegmentids", DType::kInt32}};
  for (const int64_t width : {2, 40}) {
    const Tensor data = Digits(Shape({100, width}));
    ExpectSameOnBoth({"SparseSegmentSum", {data, Rows(3000, 100), Ids(3000, 11)}, attrs});
    const Tensor grad = Digits(Shape({600, width}));
    ExpectSameOnBoth({"SparseSegmentSumGrad", {grad, Rows(3000, 100), Ids(3000, 11), MakeScalar<int32_t>(100)}, attrs});
  }
}

// Of numbers that are rounded the sums show the order in which they were added.
TEST(GpuSparseSegments, GradientsAreAddedInTheOrderOfTheIndices) {
  Tensor grad = Digits(Shape({600}));
  for (float& value : grad.mutable_data<float>()) value = 1.0F / (1.0F + value);
  const AttrMap attrs = {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"Tsegmentids", DType::kInt32}};
  ExpectSameOnBoth({"SparseSegmentSumGrad", {grad, Rows(3000, 7), Ids(3000, 11), MakeScalar<int32_t>(7)}, attrs});
}

TEST(GpuInTopK, CountsLongRowsByABlock) {
  for (const int64_t classes : {30, 1000, 3000}) {
    ExpectSameOnBoth({"InTopK",
                      {Digits(Shape({50, classes}), 5000), Rows(50, classes)},
                      {{"k", int64_t{20}}, {"T", DType::kInt32}}});
  }
}

TEST(GpuBincount, AddsWeightsInTheirOrder) {
  Tensor weights = Digits(Shape({4000}));
  for (float& value : weights.mutable_data<float>()) value = 1.0F / (1.0F + value);
  const AttrMap attrs = {{"T", DType::kFloat}};
  const Tensor size = MakeScalar<int32_t>(300);
  const Tensor once = AnswersTo({"Bincount", {Rows(4000, 350), size, weights}, attrs}, true)[0];
  EXPECT_TRUE(once.BitwiseEquals(AnswersTo({"Bincount", {Rows(4000, 350), size, weights}, attrs}, true)[0]));
  ExpectSameOnBoth({"Bincount", {Rows(4000, 350), size, Digits(Shape({4000}))}, attrs});
}

}  // namespace
}  // namespace plumb::fast
