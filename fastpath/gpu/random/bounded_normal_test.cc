#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Drawing(std::vector<int32_t> shape, const Tensor& means, const Tensor& deviations, float low, float high) {
  return {"ParameterizedTruncatedNormal",
          {VectorOf(shape), means, deviations, MakeScalar(low), MakeScalar(high)},
          {{"dtype", DType::kFloat}, {"T", DType::kInt32}, {"seed", int64_t{5}}, {"seed2", int64_t{8}}}};
}

// Normals, evenly drawn numbers and exponentials; batches of one hundred, whose last one is shorter, and rows.
TEST(GpuBoundedNormal, DrawsWhatTheCpuDraws) {
  const Tensor zero = MakeScalar(0.0F), one = MakeScalar(1.0F);
  ExpectSameOnBoth(Drawing({250}, zero, one, -2, 4));
  ExpectSameOnBoth(Drawing({5, 50}, zero, one, 1, 1.25F));
  ExpectSameOnBoth(Drawing({250}, zero, one, 3, 40));
  ExpectSameOnBoth(Drawing({3, 7}, VectorOf<float>({-1, 0, 6}), VectorOf<float>({1, 2, 3}), -2, 4));
}

TEST(GpuBoundedNormal, RefusesBoundsThatAreNone) {
  const Tensor zero = MakeScalar(0.0F), one = MakeScalar(1.0F);
  EXPECT_EQ(StatusOf(Drawing({250}, zero, one, 2, 2)).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf(Drawing({250}, zero, zero, -2, 2)).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
