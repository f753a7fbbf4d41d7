#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

Question Untiling(const Tensor& tiles, std::vector<int32_t> multiples) {
  return {"TileGrad", {tiles, VectorOf(multiples)}, {{"T", tiles.dtype()}}};
}

TEST(GpuTileGrad, AddsUpTheTiles) {
  ExpectSameOnBoth(Untiling(Digits({60, 34}), {20, 2}));
  ExpectSameOnBoth(Untiling(Digits({9000}), {3000}));
  ExpectSameOnBoth(Untiling(Digits({3, 7}), {1, 1}));
}

// Each is two floats, which are added up apart.
TEST(GpuTileGrad, AddsUpComplexNumbers) {
  Tensor tiles(DType::kComplex64, Shape({12, 5}));
  float i = 0;
  for (std::complex<float>& number : tiles.mutable_data<std::complex<float>>()) {
    number = {i, -2 * i};
    i += 1;
  }
  ExpectSameOnBoth(Untiling(tiles, {4, 5}));
}

TEST(GpuTileGrad, RefusesWhatIsNotMadeOfTiles) {
  EXPECT_EQ(StatusOf(Untiling(Digits({7}), {2})).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf(Untiling(Digits({6}), {0})).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
