#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

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
