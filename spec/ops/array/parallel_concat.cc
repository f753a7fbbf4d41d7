#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ParallelConcatShapes(const ShapeContext& c) {
  const auto& shape = c.attr<PartialShape>("shape");
  Require(shape.IsFullyDefined() && shape.rank() > 0, "ParallelConcat: the shape ", shape.ToString(),
          " must be fully known, and have a dimension");
  const PartialShape row = WithDim(shape, 0, 1);
  for (int i = 0; i < c.num_inputs(); ++i) {
    Require(c.input(i).IsFullyDefined(), "ParallelConcat: the shape of value ", i, ", ", c.input(i).ToString(),
            ", must be fully known when the graph is built");
    MergeShapes(c, c.input(i), row);
  }
  return {shape};
}

}  // namespace

std::span<const OpRow> ArrayParallelConcat() {
  static const OpRow rows[] = {
      {.signature = "ParallelConcat(values: T*N) -> (output: T)",
       .attrs = "N: int >= 1; T: type; shape: shape",
       .doc = "A tensor of the given shape, of which each value is a row: the values have one entry along the first "
              "dimension. Rows beyond the values are zero.",
       .cpu = "T in [numbers, bool, string]",
       .gpu = "T in [floats]",
       .shape_fn = ParallelConcatShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"shape=[2 b] N=2: ([1 b] [1 b])", "shape=[3] N=3: ([1] [1] [1])", "shape=[1 a b] N=1: ([1 a b])",
                   "shape=[4 b] N=3: ([1 b] [1 b] [1 b])"}},
  };
  return rows;
}

}  // namespace plumb::topics
