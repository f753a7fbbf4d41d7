#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Replacing(const Shape& whole, std::vector<int32_t> begin, std::vector<int32_t> end,
                   std::vector<int32_t> strides, const Shape& value) {
  return {"TensorStridedSliceUpdate",
          {Digits(whole), VectorOf(begin), VectorOf(end), VectorOf(strides), Digits(value, 99)},
          {{"T", DType::kFloat}, {"Index", DType::kInt32}}};
}

TEST(GpuStridedSlice, IsReplacedByWhatBroadcastsToIt) {
  ExpectSameOnBoth(Replacing({70, 33, 5}, {1, 30, 0}, {69, 2, 5}, {3, -2, 1}, {23, 14, 5}));
  ExpectSameOnBoth(Replacing({70, 33, 5}, {1, 30, 0}, {69, 2, 5}, {3, -2, 1}, {14, 1}));
  ExpectSameOnBoth(Replacing({4, 5}, {1, 0}, {3, 4}, {1, 2}, {1, 1, 2, 1}));
  ExpectSameOnBoth(Replacing({4, 5}, {1, 0}, {3, 4}, {1, 2}, {}));
}

TEST(GpuStridedSlice, IsNotReplacedWhereItTakesNothing) {
  ExpectSameOnBoth(Replacing({4, 5}, {3, 0}, {1, 4}, {1, 2}, {7, 9}));
}

TEST(GpuStridedSlice, RefusesAValueThatDoesNotFit) {
  EXPECT_EQ(StatusOf(Replacing({4, 5}, {1, 0}, {3, 4}, {1, 2}, {3, 2})).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
