// Cells of recurrent networks: what their inputs must be, and the sizes that they say. What does not fit is
// kInvalidArgument.
#pragma once

#include <string>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb::fast {

// Of inputs [first, end).
template <class Context>
std::vector<Shape> ShapesOfInputs(const Context& context, int first, int end) {
  std::vector<Shape> shapes;
  for (int i = first; i < end; ++i) shapes.push_back(context.input(i).shape());
  return shapes;
}
// `first`: the number of the first of these inputs.
void RequireShapes(const std::vector<Shape>& shapes, int first, const Shape& shape);

struct LstmSizes {
  int64_t steps = 1, batch = 0, inputs = 0, cells = 0;
  int64_t rows() const { return steps * batch; }
};
// Of x (of rank 2, or 3 with times first), which is input `first`, cs_prev, h_prev, w, three vectors of peephole
// weights, and b.
LstmSizes LstmSizesOf(const std::vector<Shape>& shapes, int first, int rank, bool peephole);
// How many steps of a sequence are computed.
int64_t StepsOf(const Shape& seq_len_max, int64_t steps, int64_t times);

struct GruSizes {
  int64_t batch = 0, inputs = 0, cells = 0;
  Shape state() const { return {batch, cells}; }
};
// Of x, h_prev, w_ru, w_c, b_ru and b_c, and of gradients besides r, u, c and d_h.
GruSizes GruSizesOf(const std::vector<Shape>& shapes);

}  // namespace plumb::fast
