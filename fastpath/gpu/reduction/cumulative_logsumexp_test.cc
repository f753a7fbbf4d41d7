#include <limits>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Running(const std::vector<float>& x, bool is_exclusive) {
  return {"CumulativeLogsumexp",
          {VectorOf(x), MakeScalar(int32_t{0})},
          {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"exclusive", is_exclusive}}};
}

// A NaN counts as the sum before it, and infinities add up to NaN: numbers are taken in turn.
TEST(GpuRunningLogsumexp, TakesNumbersThatAreNoneInTheirOrder) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
  std::vector<float> x(75, -kInf);
  for (const size_t i : {40, 41, 50, 63}) x[i] = 0.25F * static_cast<float>(i);
  x[45] = x[46] = kNaN;
  for (const bool is_exclusive : {false, true}) {
    ExpectSameOnBoth(Running(x, is_exclusive));
    std::vector<float> with_infinities = x;
    with_infinities[52] = with_infinities[60] = kInf;
    ExpectSameOnBoth(Running(with_infinities, is_exclusive));
  }
}

}  // namespace
}  // namespace plumb::fast
