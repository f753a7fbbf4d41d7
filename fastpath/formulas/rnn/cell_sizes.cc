#include "fastpath/formulas/rnn/cell_sizes.h"

namespace plumb::fast {
namespace {

void RequireShape(const Shape& found, int input, const Shape& shape) {
  Require(found == shape, "input ", input, " must have the shape ", shape.ToString(), ", not ", found.ToString());
}

}  // namespace

void RequireShapes(const std::vector<Shape>& shapes, int first, const Shape& shape) {
  for (size_t i = 0; i < shapes.size(); ++i) RequireShape(shapes[i], first + static_cast<int>(i), shape);
}

LstmSizes LstmSizesOf(const std::vector<Shape>& shapes, int first, int rank, bool peephole) {
  const Shape &x = shapes.at(0), &cs_prev = shapes.at(1);
  Require(x.rank() == rank, "x must have rank ", rank, ", not the shape ", x.ToString());
  Require(cs_prev.rank() == 2, "cs_prev must be a matrix, not ", cs_prev.ToString());
  const LstmSizes sizes{rank == 3 ? x[0] : 1, x[rank - 2], x[rank - 1], cs_prev[1]};
  const Shape state{sizes.batch, sizes.cells};
  RequireShape(cs_prev, first + 1, state);
  RequireShape(shapes.at(2), first + 2, state);
  RequireShape(shapes.at(3), first + 3, {sizes.inputs + sizes.cells, 4 * sizes.cells});
  for (int i = 4; i < 7; ++i) {
    const Shape& weights = shapes.at(static_cast<size_t>(i));
    Require(weights.rank() == 1, "peephole weights must be a vector, not ", weights.ToString());
    if (peephole) RequireShape(weights, first + i, {sizes.cells});
  }
  RequireShape(shapes.at(7), first + 7, {4 * sizes.cells});
  return sizes;
}

int64_t StepsOf(const Shape& seq_len_max, int64_t steps, int64_t times) {
  Require(seq_len_max.rank() == 0 && steps >= 0 && steps <= times, "seq_len_max must be a number from 0 to ", times,
          ", not ", steps);
  return steps;
}

GruSizes GruSizesOf(const std::vector<Shape>& shapes) {
  const Shape &x = shapes.at(0), &h = shapes.at(1);
  Require(x.rank() == 2 && h.rank() == 2, "x and h_prev must be matrices, not of shapes ", x.ToString(), " and ",
          h.ToString());
  const GruSizes sizes{x[0], x[1], h[1]};
  const int64_t cells = sizes.cells, both = sizes.inputs + cells;
  RequireShape(h, 1, sizes.state());
  RequireShape(shapes.at(2), 2, {both, 2 * cells});
  RequireShape(shapes.at(3), 3, {both, cells});
  RequireShape(shapes.at(4), 4, {2 * cells});
  RequireShape(shapes.at(5), 5, {cells});
  for (size_t i = 6; i < shapes.size(); ++i) RequireShape(shapes[i], static_cast<int>(i), sizes.state());
  return sizes;
}

}  // namespace plumb::fast
