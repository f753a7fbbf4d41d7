#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Rows that are named several times take every row of v; indices count modulo the rows.
TEST(GpuInplace, ChangesRowsInTheirOrder) {
  Tensor indices(DType::kInt32, Shape({900}));
  int64_t i = 0;
  for (int32_t& index : indices.mutable_data<int32_t>()) index = static_cast<int32_t>(i++ * 7919 % 200 - 100);
  for (const char* const op : {"InplaceUpdate", "InplaceAdd", "InplaceSub"}) {
    ExpectSameOnBoth({op, {Digits({30, 7}), indices, Digits({900, 7}, 99)}, {{"T", DType::kFloat}}});
  }
}

// An index counts modulo no rows at all: TensorFlow changes nothing then.
TEST(GpuInplace, ChangesNothingOfNoRows) {
  ExpectSameOnBoth({"InplaceUpdate", {Digits({0, 2}), VectorOf<int32_t>({0}), Digits({1, 2})}, {{"T", DType::kFloat}}});
}

}  // namespace
}  // namespace plumb::fast
