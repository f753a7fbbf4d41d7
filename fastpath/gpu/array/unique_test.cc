#include <cmath>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Asked(const Tensor& x, DType index) {
  return {"UniqueWithCounts", {x}, {{"T", x.dtype()}, {"out_idx", index}}, 3};
}

// A block puts few elements in order, all blocks many.
TEST(GpuUnique, FindsFewElementsAndMany) {
  for (const int64_t size : {0, 1, 300, 5000}) {
    ExpectSameOnBoth(Asked(Digits({size}, size / 4), DType::kInt32));
    ExpectSameOnBoth(Asked(Digits({size}, size / 4), DType::kInt64));
  }
}

TEST(GpuUnique, EveryNaNIsOneOfItsOwn) {
  const float nan = std::nanf("");
  ExpectSameOnBoth(Asked(VectorOf<float>({nan, 1, -0.0F, nan, 0, 1, nan}), DType::kInt32));
}

// As in TensorFlow, whose hash of such numbers is of their bits.
TEST(GpuUnique, ZerosOfBothSignsDifferInSixteenBits) {
  ExpectSameOnBoth(Asked(VectorOf<Half>({Half(-0.0F), Half(0.0F), Half(1.0F), Half(-0.0F)}), DType::kInt32));
}

TEST(GpuUnique, RefusesWhatIsNoVector) {
  EXPECT_EQ(StatusOf(Asked(Digits({2, 2}), DType::kInt32)).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
