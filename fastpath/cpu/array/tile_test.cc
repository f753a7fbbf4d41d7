#include <gtest/gtest.h>

#include <numeric>

#include "fastpath/cpu/lib/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

I Ints(const Tensor& tensor) {
  const auto values = tensor.data<int32_t>();
  return {values.begin(), values.end()};
}

Tensor Iota(const Shape& shape) {
  Tensor x(DType::kInt32, shape);
  std::iota(x.mutable_data<int32_t>().begin(), x.mutable_data<int32_t>().end(), 0);
  return x;
}

Tensor Vector(std::initializer_list<int32_t> values) { return MakeVector<int32_t>(values); }

TEST(Tile, RepeatsAndTileGradAddsTheTilesUp) {
  const Tensor x = Iota({2, 2});
  const Tensor tiled = RunKernel1("Tile", {x, Vector({1, 2})});
  EXPECT_EQ(Ints(tiled), (I{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(Ints(RunKernel1("TileGrad", {tiled, Vector({1, 2})})), (I{0, 2, 4, 6}));
  EXPECT_EQ(RunKernel1("Tile", {x, Vector({0, 2})}).shape(), Shape({0, 4}));
  EXPECT_EQ(CodeOfKernel("Tile", {x, Vector({-1, 2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Tile", {x, MakeVector<int64_t>({INT64_MAX, 2})}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
