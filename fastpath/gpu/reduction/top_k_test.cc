#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Rows that a warp sorts and rows that eight do, of lengths that are powers of two and not; many are equal.
TEST(GpuTopK, IsThatOfTheCpuForRowsOfEveryLength) {
  for (const int64_t columns : {1, 2, 3, 31, 64, 65, 256, 777, 1024}) {
    ExpectSameOnBoth({"TopKV2",
                      {Digits({5, columns}, 200), MakeScalar(static_cast<int32_t>((columns + 1) / 2))},
                      {{"T", DType::kFloat}},
                      2});
  }
}

}  // namespace
}  // namespace plumb::fast
