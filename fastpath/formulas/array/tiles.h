// Tensors that are several tiles.
#pragma once

#include <vector>

#include "spec/core/tensor.h"

namespace plumb::fast {

// Throws kInvalidArgument where there is not one multiple for each dimension.
void RequireMultiples(const Shape& shape, const Tensor& multiples);

// A tensor of tiles, each axis of which is seen as two, which tile and where in it: TileGrad adds up over the first.
struct Tiles {
  // multiples: on the host. Throws kInvalidArgument for a shape that is not made of so many tiles.
  Tiles(const Shape& shape, const Tensor& multiples);

  Shape tile, split;
  std::vector<bool> is_folded;  // by axis of `split`
};

}  // namespace plumb::fast
