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

// What no test can hold in memory: walks of 2^31 elements and more, and by one less.
TEST(GpuWalk, LongOnesAreWalkedAsShortOnes) {
  using emulated_gpu::AddAxis;
  using emulated_gpu::Walk;
  constexpr int64_t kMost = 0x7fffffff;  // a prime
  const auto walk_of = [](std::initializer_list<int64_t> sizes) {
    Walk walk;
    int64_t stride = 1000;
    for (const int64_t size : sizes) {
      stride += 7;
      AddAxis(walk, size, stride, -stride);
    }
    return walk;
  };
  EXPECT_TRUE(walk_of({kMost}).is_short);
  EXPECT_FALSE(walk_of({kMost + 1}).is_short);
  EXPECT_FALSE(walk_of({int64_t{1} << 40, int64_t{1} << 40}).is_short) << "more than 64 bits say";
  EXPECT_TRUE(walk_of({4, kMost / 4}).is_short);
  for (const std::initializer_list<int64_t> sizes :
       {std::initializer_list<int64_t>{3, 5, 7, 11}, {5, int64_t{1} << 20, 3, 1000}, {int64_t{3} << 30, 2}}) {
    const Walk walk = walk_of(sizes);
    ASSERT_EQ(walk.rank, std::ssize(sizes));
    int64_t elements = 1;
    for (const int64_t size : sizes) elements *= size;
    EXPECT_EQ(walk.is_short, elements <= kMost);
    for (const int64_t i : {int64_t{0}, int64_t{1}, elements / 3, elements / 2 + 1, elements - 1}) {
      int64_t rest = i, first = 0, second = 0;
      for (int axis = walk.rank - 1; axis >= 0; --axis) {
        first += rest % walk.size[axis] * walk.stride[0][axis];
        second += rest % walk.size[axis] * walk.stride[1][axis];
        rest /= walk.size[axis];
      }
      EXPECT_EQ(walk.At(0, i), first);
      EXPECT_EQ(walk.At(1, i), second);
      EXPECT_EQ(walk.BothAt(i).first, first);
      EXPECT_EQ(walk.BothAt(i).second, second);
    }
  }
}

// Along the inmost axis, from multiples of the run on, in the operand as in the result.
TEST(GpuWalk, RunsLieAlongTheInmostAxis) {
  using emulated_gpu::AddAxis;
  const auto goes = [](std::initializer_list<std::pair<int64_t, int64_t>> axes, int which = 0) {
    emulated_gpu::Walk walk;
    for (const auto& [size, stride] : axes) AddAxis(walk, size, which == 0 ? stride : 1, which == 0 ? 1 : stride);
    return walk.GoesInRuns(which, 4);
  };
  EXPECT_FALSE(goes({})) << "a scalar";
  EXPECT_TRUE(goes({{5, 1}})) << "what is left over is taken one by one";
  EXPECT_TRUE(goes({{5, 0}}));
  EXPECT_FALSE(goes({{8, 2}}));
  EXPECT_FALSE(goes({{8, -1}}));
  for (const int which : {0, 1}) {
    EXPECT_TRUE(goes({{3, 12}, {8, 1}}, which));
    EXPECT_FALSE(goes({{3, 12}, {6, 1}}, which)) << "runs would begin amid a row";
    EXPECT_FALSE(goes({{3, 10}, {8, 1}}, which)) << "rows begin amid a run";
    EXPECT_FALSE(goes({{2, 100}, {3, 10}, {8, 1}}, which));
    EXPECT_FALSE(goes({{2, 30}, {3, 12}, {8, 1}}, which));
    EXPECT_TRUE(goes({{3, 10}, {8, 0}}, which)) << "a run is one element";
    EXPECT_FALSE(goes({{3, 8}, {8, 2}}, which));
  }
}

}  // namespace
}  // namespace plumb::fast
