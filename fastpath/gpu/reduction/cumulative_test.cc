#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Running(const std::string& op, Tensor x, int32_t axis, bool is_exclusive, bool is_reverse) {
  return {op,
          {std::move(x), MakeScalar(axis)},
          {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"exclusive", is_exclusive}, {"reverse", is_reverse}}};
}

// Lines that warps walk, longer than a warp, and lines of which threads walk one each.
TEST(GpuRunningSums, AreThoseOfTheCpuAlongEveryAxis) {
  for (const bool is_exclusive : {false, true}) {
    for (const bool is_reverse : {false, true}) {
      for (const int32_t axis : {0, 1, 2}) {
        ExpectSameOnBoth(Running("Cumsum", Digits({3, 70, 33}), axis, is_exclusive, is_reverse));
        ExpectSameOnBoth(Running("Cumsum", Digits({65, 40, 2}), axis, is_exclusive, is_reverse));
      }
      ExpectSameOnBoth(Running("Cumprod", Digits({300}, 1), 0, is_exclusive, is_reverse));
    }
  }
}

TEST(GpuRunningSums, RefuseAnAxisThatIsNotThere) {
  for (const int32_t axis : {-3, 2}) {
    const Status status = StatusOf(Running("Cumsum", Digits({3, 70}), axis, false, false));
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << axis;
  }
  for (const int32_t axis : {-2, -1}) ExpectSameOnBoth(Running("Cumsum", Digits({3, 70}), axis, false, false));
}

}  // namespace
}  // namespace plumb::fast
