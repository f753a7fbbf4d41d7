#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Rows that warps weigh, and blocks; an odd number of samples in a row, so that rows begin within a block of words.
TEST(GpuMultinomial, DrawsWhatTheCpuDraws) {
  const AttrMap attrs = {{"T", DType::kFloat}, {"Tseed", DType::kInt64}, {"output_dtype", DType::kInt64}};
  for (const int64_t classes : {1, 7, 1500}) {
    const Tensor logits = Digits({9, classes}, 5), count = MakeScalar(int32_t{301});
    const Tensor seeds = VectorOf<int64_t>({1, -2});
    ExpectSameOnBoth({"StatelessMultinomial", {logits, count, seeds}, attrs});
  }
}

}  // namespace
}  // namespace plumb::fast
