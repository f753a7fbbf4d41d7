#include <limits>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Counting(const Tensor& values, float low, float high, int32_t bins) {
  return {"HistogramFixedWidth",
          {values, VectorOf<float>({low, high}), MakeScalar(bins)},
          {{"T", DType::kFloat}, {"dtype", DType::kInt32}}};
}

TEST(GpuHistogram, CountsWhatIsInEachPart) {
  ExpectSameOnBoth(Counting(Digits({100000}, 997), 3, 800, 37));
  ExpectSameOnBoth(Counting(Digits({7}), 0, 1, 1));
  ExpectSameOnBoth(Counting(Digits({0}), 0, 1, 4));
}

TEST(GpuHistogram, RefusesWhatHasNoPlace) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const Status no_number = StatusOf(Counting(VectorOf<float>({1, 2, kNaN}), 0, 4, 3));
  EXPECT_EQ(no_number.code(), Code::kInvalidArgument);
  EXPECT_NE(no_number.message().find("value 2"), std::string::npos) << no_number.ToString();
  EXPECT_EQ(StatusOf(Counting(Digits({0}), 2, 2, 3)).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf(Counting(Digits({4}), 2, kNaN, 3)).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf(Counting(Digits({4}), 2, 3, 0)).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
