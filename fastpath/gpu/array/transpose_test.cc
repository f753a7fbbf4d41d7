// Copies by tiles and in wide elements.
#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Tensor As(const Tensor& digits, DType type) {
  return AnswersTo({"Cast", {digits}, {{"SrcT", DType::kFloat}, {"DstT", type}}}, false)[0];
}

// Sides below, at and beyond those of a tile; axes that stay where they are.
TEST(GpuTranspose, TilesAreWhereTheyBelong) {
  const auto turned = [](const Tensor& x, const std::vector<int32_t>& order) {
    return Question{"Transpose", {x, VectorOf(order)}, {{"T", x.dtype()}, {"Tperm", DType::kInt32}}};
  };
  for (const Shape& sides : {Shape({15, 40}), Shape({16, 16}), Shape({32, 64}), Shape({33, 100}), Shape({65, 17})}) {
    const int64_t a = sides[0], b = sides[1];
    for (const DType type : {DType::kFloat, DType::kHalf, DType::kDouble, DType::kUint8, DType::kComplex128}) {
      ExpectSameOnBoth(turned(As(Digits(sides, 100), type), {1, 0}));
    }
    ExpectSameOnBoth(turned(Digits(Shape({3, a, b}), 1000), {0, 2, 1}));
    ExpectSameOnBoth(turned(Digits(Shape({3, a, b}), 1000), {2, 1, 0}));
    ExpectSameOnBoth(turned(Digits(Shape({2, a, 3, b}), 1000), {0, 3, 2, 1}));
    ExpectSameOnBoth(turned(Digits(Shape({2, a, 3, b}), 1000), {3, 0, 1, 2}));
  }
}

TEST(GpuConcat, RowsOfEveryWidthAreJoined) {
  const AttrMap attrs = {{"N", 2}, {"T", DType::kFloat}, {"Tidx", DType::kInt32}};
  for (const int64_t first : {1, 2, 4, 6, 8}) {
    for (const int64_t second : {1, 2, 4, 12}) {
      const Tensor a = Digits(Shape({5, first})), b = Digits(Shape({5, second}));
      ExpectSameOnBoth({"ConcatV2", {a, b, MakeScalar<int32_t>(1)}, attrs});
    }
  }
}

}  // namespace
}  // namespace plumb::fast
