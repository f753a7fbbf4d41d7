#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// params[:batch_dims] + indices[batch_dims:] + params[batch_dims + 1:].
Shapes ResourceGatherShapes(const ShapeContext& c) {
  const PartialShape params = DeclaredShape(c, 0, "dtype");
  const int64_t batch_dims = c.attr<int64_t>("batch_dims");
  Require(batch_dims >= 0, "ResourceGather: batch_dims must not be negative: ", batch_dims);
  const PartialShape& indices = WithRankAtLeast(c, 1, batch_dims);
  Require(!params.has_rank() || params.rank() > batch_dims, "ResourceGather: batch_dims ", batch_dims,
          " is not below the rank of the variable's shape ", params.ToString());
  if (!params.has_rank() || !indices.has_rank()) return {PartialShape::Unknown()};
  const int batch = static_cast<int>(batch_dims);
  return {Join(Join(Part(params, 0, batch), Part(indices, batch)), Part(params, batch + 1))};
}

Values ResourceGatherGradient(Gradient& g) {
  return {RowSlices(g, g.x(1), g.Call("VariableShape", {g.x(0)})), GradientValue::None()};
}

// indices.shape[:-1] + variable.shape[indices.shape[-1]:].
Shapes ResourceGatherNdShapes(const ShapeContext& c) {
  const PartialShape variable = DeclaredShape(c, 0, "dtype");
  const PartialShape& indices = WithRankAtLeast(c, 1, 1);
  if (!indices.has_rank()) return {PartialShape::Unknown()};
  const int64_t depth = indices.dim(indices.rank() - 1);
  if (depth < 0 || !variable.has_rank()) return {PartialShape::Unknown()};
  Require(depth <= variable.rank(), "ResourceGatherNd: an index of ", depth, " numbers does not fit the shape ",
          variable.ToString());
  return {Join(Part(indices, 0, indices.rank() - 1), Part(variable, static_cast<int>(depth)))};
}

// Rows that a column of indices names can be told apart; other slices are put where they were taken.
Values ResourceGatherNdGradient(Gradient& g) {
  const Endpoint indices = g.x(1);
  const Endpoint shape = g.Call("VariableShape", {g.x(0)}, {{"out_type", g.dtype(indices)}});
  const PartialShape& known = g.shape(indices);
  if (known.rank() == 2 && known.dim(1) == 1) {
    return {GradientValue::Sparse(g.dy(), Flat(g, indices), shape), GradientValue::None()};
  }
  return {g.Call("ScatterNd", {indices, g.dy(), shape}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> StateResourceGather() {
  static const OpRow rows[] = {
      {.signature = "ResourceGather(resource: resource<Variable>, indices: Tindices) -> (output: dtype) stateful",
       .attrs = "batch_dims: int = 0; validate_indices: bool = true; dtype: type; Tindices: type in [int32, "
                "int64]",
       .doc = "The rows of the resource variable that the indices name; one out of range is an error (rule "
              "R44).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceGatherShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = ResourceGatherGradient,
       .samples = {"[V b] [n] in 0..V", "[V] [i j] in 0..V", "batch_dims=1: [a V] [a 2] in 0..V"}},
      {.signature = "ResourceGatherNd(resource: resource<Variable>, indices: Tindices) -> (output: dtype) stateful",
       .attrs = "dtype: type; Tindices: type in [int32, int64]",
       .doc = "The slices of the resource variable that the rows of indices name, each a position in its first "
              "dimensions; one out of range is an error (rule R44).",
       .cpu = "dtype in [numbers, bool, resource, string, variant]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceGatherNdShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = ResourceGatherNdGradient,
       .samples = {"[V b] [n 1] in 0..V", "[4 4] [i j 2] in 0..4", "[3 3 B] [n 2] in 0..3"}},
  };
  return rows;
}

}  // namespace plumb::topics
