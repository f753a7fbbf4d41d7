#include "fastpath/formulas/array/tiles.h"

#include "spec/core/status.h"

namespace plumb::fast {

void RequireMultiples(const Shape& shape, const Tensor& multiples) {
  Require(multiples.rank() == 1 && multiples.elements() == shape.rank(), "multiples must hold ", shape.rank(),
          " numbers, not have the shape ", multiples.shape().ToString());
}

Tiles::Tiles(const Shape& shape, const Tensor& multiples) {
  RequireMultiples(shape, multiples);
  Require(shape.rank() <= kMaxRank / 2, "a tensor of rank ", shape.rank(), " has too many dimensions to be untiled");
  const std::vector<int64_t> numbers = ToInt64s(multiples);
  std::vector<int64_t> tile_dims, split_dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t times = numbers[static_cast<size_t>(axis)];
    Require(times > 0 && shape[axis] % times == 0, "dimension ", axis, " of size ", shape[axis], " is not made of ",
            times, " tiles");
    tile_dims.push_back(shape[axis] / times);
    split_dims.insert(split_dims.end(), {times, shape[axis] / times});
    is_folded.insert(is_folded.end(), {true, false});
  }
  tile = Shape(tile_dims);
  split = Shape(split_dims);
}

}  // namespace plumb::fast
