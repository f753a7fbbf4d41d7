// Elements that are taken several at a time: whole runs, what is left of them, and operands that are broadcast.
#include "fastpath/gpu/lib/testing/both.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast {
namespace {

Question Added(const Shape& x, const Shape& y) { return {"AddV2", {Digits(x), Digits(y, 5)}, {{"T", DType::kFloat}}}; }

TEST(GpuRuns, EveryCountHasItsRest) {
  for (const int64_t count : {1, 3, 4, 5, 7, 8, 9, 1023, 1024, 1025, 70003}) {
    ExpectSameOnBoth({"Neg", {Digits(Shape({count}))}, {{"T", DType::kFloat}}});
    ExpectSameOnBoth(Added(Shape({count}), Shape({count})));
    ExpectSameOnBoth({"Cast", {Digits(Shape({count}))}, {{"SrcT", DType::kFloat}, {"DstT", DType::kHalf}}});
    ExpectSameOnBoth({"AddN", {Digits(Shape({count})), Digits(Shape({count}), 3)}, {{"N", 2}, {"T", DType::kFloat}}});
  }
}

// Rows of whole runs and others, operands that repeat along rows, along columns, and along both.
TEST(GpuRuns, OperandsAreBroadcast) {
  for (const int64_t row : {1, 4, 7, 8, 40}) {
    const Shape matrix({6, row}), vector({row}), column({6, 1}), scalar{};
    for (const Shape& other : {matrix, vector, column, scalar}) {
      ExpectSameOnBoth(Added(matrix, other));
      ExpectSameOnBoth(Added(other, matrix));
    }
    ExpectSameOnBoth(Added(column, vector));
    ExpectSameOnBoth(Added(Shape({2, 1, 3, row}), Shape({5, 1, row})));
    ExpectSameOnBoth(Added(Shape({2, row, 3, 4}), Shape({2, 1, 3, 1})));
  }
}

TEST(GpuRuns, ABiasIsAddedAlongItsChannels) {
  for (const int64_t channels : {1, 3, 4, 8}) {
    const Tensor bias = Digits(Shape({channels}), 5);
    const AttrMap last = {{"T", DType::kFloat}}, first = {{"T", DType::kFloat}, {"data_format", "NCHW"}};
    ExpectSameOnBoth({"BiasAdd", {Digits(Shape({2, 3, 5, channels})), bias}, last});
    const Tensor images = Digits(Shape({2, channels, 3, 4}));
    const Tensor sums = AnswersTo({"BiasAdd", {images, bias}, first}, true)[0];
    for (int64_t i = 0; i < images.elements(); ++i) {
      const auto at = static_cast<size_t>(i);
      const auto channel = static_cast<size_t>(i / 12 % channels);
      EXPECT_EQ(sums.data<float>()[at], images.data<float>()[at] + bias.data<float>()[channel]);
    }
  }
}

TEST(GpuWalk, DivisorsDivide) {
  constexpr uint32_t kMost = 0x7fffffff;
  std::vector<uint32_t> numbers = {1, 2, 3, 5, 7, 10, 641, 65535, 65536, 65537, kMost - 1, kMost};
  for (uint32_t drawn = 1; numbers.size() < 500;) {
    drawn = drawn * 1664525 + 1013904223;
    numbers.push_back((drawn >> 1 >> (drawn % 31)) + 1 > kMost ? kMost : (drawn >> 1 >> (drawn % 31)) + 1);
  }
  for (const uint32_t by : numbers) {
    const emulated_gpu::Divisor divisor(by);
    for (const uint32_t of : numbers) {
      const uint32_t multiple = of / by * by;
      for (const uint32_t near : {of, multiple, multiple == 0 ? 0 : multiple - 1}) {
        ASSERT_EQ(divisor.Quotient(near), near / by) << near << " / " << by;
      }
    }
  }
}

}  // namespace
}  // namespace plumb::fast
