#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ShapeOf(const ShapeContext& c) {
  Shapes outputs;
  for (int i = 0; i < c.num_inputs(); ++i) outputs.push_back(PartialShape{c.input(i).rank()});
  return outputs;
}

std::optional<Tensor> FoldShape(const Folding& f, int output) {
  return f.shape(output).IsFullyDefined() ? KnownVector(f, f.shape(output).dims()) : std::nullopt;
}

std::optional<Tensor> FoldSize(const Folding& f, int) {
  return f.shape(0).IsFullyDefined() ? KnownScalar(f, f.shape(0).ToShape().elements()) : std::nullopt;
}

std::optional<Tensor> FoldRank(const Folding& f, int) {
  return f.shape(0).has_rank() ? KnownScalar(f, f.shape(0).rank()) : std::nullopt;
}

}  // namespace

std::span<const OpRow> ArrayShape() {
  static const OpRow rows[] = {
      {.signature = "Shape(input: T) -> (output: out_type)",
       .attrs = "T: type; out_type: type = int32 in [int32, int64]",
       .doc = "The shape of the input as a vector.",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape_fn = ShapeOf,
       .fold = FromShapes(FoldShape),
       .gradient = BlocksGradient(),
       .samples = {"[d...]"}},
      {.signature = "ShapeN(input: T*N) -> (output: out_type*N)",
       .attrs = "N: int >= 1; T: type; out_type: type = int32 in [int32, int64]",
       .doc = "The shapes of the inputs, one vector each.",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape_fn = ShapeOf,
       .fold = FromShapes(FoldShape),
       .gradient = BlocksGradient(),
       .samples = {"N=2: ([a...] [b...])"}},
      {.signature = "Size(input: T) -> (output: out_type)",
       .attrs = "T: type; out_type: type = int32 in [int32, int64]",
       .doc = "How many elements the input has.",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape = "? -> []",
       .fold = FromShapes(FoldSize),
       .gradient = BlocksGradient()},
      {.signature = "Rank(input: T) -> (output: int32)",
       .attrs = "T: type",
       .doc = "How many dimensions the input has.",
       .gpu = "T in [floats, complexes, int64, uint8, bool]",
       .shape = "? -> []",
       .fold = FromShapes(FoldRank),
       .gradient = BlocksGradient()},
  };
  return rows;
}

}  // namespace plumb::topics
