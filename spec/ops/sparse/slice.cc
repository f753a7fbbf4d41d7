#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The slice has the rank that shape, start and size tell; whether they agree is the kernel's affair.
Shapes SparseSliceShapes(const ShapeContext& c) {
  int64_t rank = -1;
  for (const int i : {2, 3, 4}) {
    const PartialShape& vector = c.input(i);
    if (rank < 0 && vector.rank() == 1) rank = vector.dim(0);
  }
  return {PartialShape{-1, rank}, PartialShape{-1}, PartialShape{rank}};
}

Shapes SparseSliceGradShapes(const ShapeContext& c) {
  const PartialShape indices = WithRank(c, 1, 2);
  return {PartialShape{indices.dim(0)}};
}

Values SparseSliceGradient(Gradient& g) {
  Values values(5);
  values[1] = g.Call("SparseSliceGrad", {g.dy(1), g.x(0), g.x(3), g.y(0)});
  return values;
}

}  // namespace

std::span<const OpRow> SparseSlice() {
  static const OpRow rows[] = {
      {.signature = "SparseSlice(indices: int64, values: T, shape: int64, start: int64, size: int64) -> "
                    "(output_indices: int64, output_values: T, output_shape: int64)",
       .attrs = "T: type",
       .doc =
           "The elements of a sparse tensor in the box that begins at `start`, which may reach beyond the shape, and "
           "their coordinates in it. Coordinates outside of the shape are not refused.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [numbers, bool]",
       .shape_fn = SparseSliceShapes,
       .gradient = SparseSliceGradient,
       .samples = {"[9 2] sorted in 0..6 [9] {6, 7} {1, 2} {3, 4}", "[7 2] sorted in 0..5 [7] {5, 5} {2, 0} {9, 3}",
                   "[n 1] in 0..9 [n] {9} {4} {0}", "[0 2] in 0..1 [0] {4, 4} {7, 1} {2, 2}",
                   "[n 1] in 0..9 [n] {9} {-2} {7}"}},
      {.signature = "SparseSliceGrad(backprop_val_grad: T, input_indices: int64, input_start: int64, output_indices: "
                    "int64) -> (val_grad: T)",
       .attrs = "T: type in [numbers, quantized]",
       .doc = "The gradient of SparseSlice with respect to its values: that of each element that the slice has, zero "
              "for the others.",
       .cpu = "T in [numbers]",
       .shape_fn = SparseSliceGradShapes,
       .samples = {"[2] {{0, 1}, {1, 2}, {2, 0}, {2, 3}} {1, 1} {{0, 1}, {1, 2}}"}},
  };
  return rows;
}

}  // namespace plumb::topics
