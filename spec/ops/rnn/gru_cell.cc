#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes GruShapes(const ShapeContext& c) {
  return Shapes(4, PartialShape{WithRank(c, 0, 2).dim(0), WithRank(c, 1, 2).dim(1)});
}

Shapes GruGradShapes(const ShapeContext& c) {
  const PartialShape x = WithRank(c, 0, 2);
  const PartialShape cells = {x.dim(0), WithRank(c, 1, 2).dim(1)};
  return {x, cells, cells, WithDim(cells, 1, WithRank(c, 2, 2).dim(1))};
}

}  // namespace

std::span<const OpRow> RnnGruCell() {
  static const OpRow rows[] = {
      {.signature = "GRUBlockCell(x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T) -> (r: T, u: T, c: T, h: T)",
       .attrs = "T: type in [float32]",
       .doc = "One step of a GRU: sigmoid([x, h_prev]·w_ru + b_ru) holds the reset gate r and the update gate u, in "
              "this order; c = tanh([x, r·h_prev]·w_c + b_c) is the candidate, and h = u·h_prev + (1 - u)·c the new "
              "state.",
       .gpu = "all",
       .shape_fn = GruShapes,
       .cost = 64,
       .accuracy = Composed(4),
       .samples = {"[b 2] finite [b 3] finite [5 6] finite [5 3] finite [6] finite [3] finite",
                   "[b 7] finite [b 17] finite [24 34] finite [24 17] finite [34] finite [17] finite"}},
      {.signature = "GRUBlockCellGrad(x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T, r: T, u: T, c: T, d_h: T) -> "
                    "(d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T)",
       .attrs = "T: type in [float32]",
       .doc = "The gradient of GRUBlockCell by its inputs x and h_prev, and by what tanh and the sigmoids of r and u "
              "are taken of.",
       .gpu = "all",
       .shape_fn = GruGradShapes,
       .cost = 64,
       .accuracy = Composed(4),
       .samples = {"[b 2] finite [b 3] finite [5 6] finite [5 3] finite [6] finite [3] finite [b 3] finite [b 3] "
                   "finite [b 3] finite [b 3] finite",
                   "[b 7] finite [b 17] finite [24 34] finite [24 17] finite [34] finite [17] finite [b 17] finite "
                   "[b 17] finite [b 17] finite [b 17] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
