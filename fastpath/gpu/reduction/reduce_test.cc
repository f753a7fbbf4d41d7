#include <cmath>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Folded(const std::string& op, Tensor x, std::vector<int32_t> axes) {
  const DType type = x.dtype();
  return {op, {std::move(x), VectorOf(axes)}, {{"T", type}, {"Tidx", DType::kInt32}}};
}

// Rows for a warp, for a block, and cut into pieces; columns, few and many, short and cut; axes that alternate.
TEST(GpuReduction, SumsAreThoseOfTheCpuForEveryWayToFold) {
  ExpectSameOnBoth(Folded("Sum", Digits({70, 33}), {1}));
  ExpectSameOnBoth(Folded("Sum", Digits({9, 1024}), {1}));
  ExpectSameOnBoth(Folded("Sum", Digits({3, 1500}), {1}));
  ExpectSameOnBoth(Folded("Sum", Digits({2, 9001}), {1}));
  ExpectSameOnBoth(Folded("Sum", Digits({100000}), {0}));
  ExpectSameOnBoth(Folded("Sum", Digits({50, 3}), {0}));
  ExpectSameOnBoth(Folded("Sum", Digits({300, 70}), {0}));
  ExpectSameOnBoth(Folded("Sum", Digits({9001, 3}), {0}));
  ExpectSameOnBoth(Folded("Sum", Digits({5000, 40}), {0}));
  ExpectSameOnBoth(Folded("Sum", Digits({3, 40, 5, 60}), {1, 3}));
  ExpectSameOnBoth(Folded("Sum", Digits({3, 40, 5, 60}), {0, 2}));
  ExpectSameOnBoth(Folded("Sum", Digits({3, 40, 5, 61}), {1, 3}));
  ExpectSameOnBoth(Folded("Sum", Digits({3, 40, 5, 61}), {0, 2}));
  ExpectSameOnBoth(Folded("Sum", Digits({1100, 260}), {0}));
  ExpectSameOnBoth(Folded("Sum", Digits({7, 4}), {0}));
}

TEST(GpuReduction, ExtremesOfPiecesAreThoseOfTheWhole) {
  ExpectSameOnBoth(Folded("Max", Digits({2, 9001}, 100000), {1}));
  ExpectSameOnBoth(Folded("Min", Digits({9001, 3}, 100000), {0}));
  Tensor whole = VectorOf(std::vector<int64_t>(9001, int64_t{1} << 40));
  ExpectSameOnBoth(Folded("Mean", std::move(whole), {0}));
}

// N12: of equals the last, which a sign of zero shows.
TEST(GpuReduction, OfZerosTheLastIsTheGreatest) {
  for (const int64_t last : {0, 1}) {
    Tensor x = Digits({9001, 3}, 1);
    for (float& value : x.mutable_data<float>()) value = value > 0 ? 0.0F : -0.0F;
    for (float& value : x.mutable_data<float>().subspan(3 * 9000)) value = last > 0 ? 0.0F : -0.0F;
    for (const char* op : {"Max", "Min"}) {
      const Tensor zeros = AnswersTo(Folded(op, x, {0}), true)[0];
      for (const float zero : zeros.data<float>()) {
        EXPECT_EQ(std::signbit(zero), last == 0) << op;
      }
    }
  }
}

TEST(GpuReduction, AllSeesTheOneFalseElementOfManyPieces) {
  Tensor x(DType::kBool, Shape({9001}));
  for (bool& value : x.mutable_data<bool>()) value = true;
  const Question all{"All", {x, MakeVector<int32_t>({0})}, {{"Tidx", DType::kInt32}}};
  EXPECT_TRUE(AnswersTo(all, true)[0].scalar<bool>());
  x.mutable_data<bool>()[8999] = false;
  const Question some{"All", {x, MakeVector<int32_t>({0})}, {{"Tidx", DType::kInt32}}};
  EXPECT_FALSE(AnswersTo(some, true)[0].scalar<bool>());
}

// N12: of equal values the first, whichever piece it lies in.
TEST(GpuReduction, ThePlaceOfTheGreatestIsTheFirst) {
  for (const Shape& shape : {Shape({3, 9001}), Shape({9001, 3}), Shape({40, 50})}) {
    for (const int32_t axis : {0, 1}) {
      for (const char* op : {"ArgMax", "ArgMin"}) {
        ExpectSameOnBoth({op,
                          {Digits(shape, 500), MakeScalar(axis)},
                          {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"output_type", DType::kInt64}}});
      }
    }
  }
}

TEST(GpuReduction, SquaresOfManyPiecesAddUp) {
  ExpectSameOnBoth({"L2Loss", {Digits({100000}, 3)}, {{"T", DType::kFloat}}});
}

}  // namespace
}  // namespace plumb::fast
