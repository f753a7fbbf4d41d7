#include <limits>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// `rows` indices below `slices`, of which many are equal.
Tensor Indices(int64_t rows, int64_t slices) {
  Tensor indices(DType::kInt32, Shape({rows, 1}));
  int64_t i = 0;
  for (int32_t& index : indices.mutable_data<int32_t>()) index = static_cast<int32_t>(i++ * 7919 % slices);
  return indices;
}

const AttrMap kAttrs = {{"T", DType::kFloat}, {"Tindices", DType::kInt32}};

// Lists of no row, of one, of as many as a warp sorts, and of more; blocks that sort several lists.
TEST(GpuScatterNd, AddsUpWhatGoesToOneSlice) {
  const int64_t cases[][2] = {{1, 9}, {700, 1}, {700, 3}, {5000, 40}, {300, 70000}};
  for (const auto& [rows, slices] : cases) {
    const Tensor indices = Indices(rows, slices);
    for (const int64_t inner : {1, 5}) {
      const Tensor shape = VectorOf(std::vector<int32_t>{static_cast<int32_t>(slices), static_cast<int32_t>(inner)});
      ExpectSameOnBoth({"ScatterNd", {indices, Digits(Shape({rows, inner})), shape}, kAttrs});
    }
  }
}

TEST(GpuScatterNd, TheLastUpdateStays) {
  const Tensor indices = Indices(5000, 40);
  ExpectSameOnBoth({"TensorScatterUpdate", {Digits(Shape({40, 3})), indices, Digits(Shape({5000, 3}), 99999)}, kAttrs});
}

// Sums of numbers that are rounded are the same every time: the order of additions is that of the updates.
TEST(GpuScatterNd, AddsInTheOrderOfTheUpdates) {
  Tensor updates = Digits(Shape({5000}));
  for (float& value : updates.mutable_data<float>()) value = 1.0F / (1.0F + value);
  ExpectSameOnBoth({"ScatterNd", {Indices(5000, 3), updates, VectorOf(std::vector<int32_t>{3})}, kAttrs});
}

// A NaN changes nothing, and is not changed; of equal numbers the old one stays, whose zero may have another sign.
TEST(GpuScatterNd, RaisesAndLowersAsTheCpuDoes) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const Tensor target = VectorOf<float>({kNaN, 1, 0, -3}), updates = VectorOf<float>({5, kNaN, -0.0F, 7, -9, 2});
  const Tensor indices = MakeTensor<int32_t>({6, 1}, {0, 1, 2, 3, 3, 1});
  for (const char* const op : {"TensorScatterMax", "TensorScatterMin"}) {
    ExpectSameOnBoth({op, {target, indices, updates}, kAttrs});
    ExpectSameOnBoth({op, {Digits(Shape({40, 3})), Indices(5000, 40), Digits(Shape({5000, 3}), 99999)}, kAttrs});
  }
}

}  // namespace
}  // namespace plumb::fast
