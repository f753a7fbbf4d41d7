#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes GatherNdShapes(const ShapeContext& c) {
  const PartialShape& params = c.input(0);
  const PartialShape& indices = WithRankAtLeast(c, 1, 1);
  if (!params.has_rank() || !indices.has_rank()) return {PartialShape::Unknown()};
  const int64_t depth = indices.dim(indices.rank() - 1);
  if (depth < 0) return {PartialShape::Unknown()};
  Require(depth <= params.rank(), InputName(c, 1), " holds ", depth, " coordinates, but params has the shape ",
          params.ToString());
  return {Join(Part(indices, 0, indices.rank() - 1), Part(params, static_cast<int>(depth)))};
}

// Rows named by one coordinate each are slices; all else is scattered into zeros.
Values GatherNdGradient(Gradient& g) {
  const PartialShape& indices = g.shape(g.x(1));
  const Endpoint shape = g.Call("Shape", {g.x(0)}, {{"out_type", g.dtype(g.x(1))}});
  if (indices.rank() == 2 && indices.dim(1) == 1) {
    const Endpoint rows = g.Call("Squeeze", {g.x(1)}, {{"squeeze_dims", std::vector<int64_t>{-1}}});
    return {GradientValue::Sparse(g.dy(), rows, shape), GradientValue::None()};
  }
  if (indices.rank() > 1 && indices.dim(indices.rank() - 1) == 0) {  // all of params, again and again
    const auto number = [&](int value) { return g.Scalar(value, DType::kInt32); };
    const Endpoint times = g.Call("Range", {number(0), number(indices.rank() - 1), number(1)});
    return {g.Call("Sum", {g.dy(), times}), GradientValue::None()};
  }
  if (indices.rank() != 1) return {g.Call("ScatterNd", {g.x(1), g.dy(), shape}), GradientValue::None()};
  // To ScatterNd a vector is many coordinates; here it is one.
  const Endpoint first = g.Scalar(0, DType::kInt32);
  const Endpoint at = g.Call("ExpandDims", {g.x(1), first}), update = g.Call("ExpandDims", {g.dy(), first});
  return {g.Call("ScatterNd", {at, update, shape}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArrayGatherNd() {
  static const OpRow rows[] = {
      {.signature = "GatherNd(params: Tparams, indices: Tindices) -> (output: Tparams)",
       .attrs = "Tparams: type; Tindices: type in [int16, int32, int64]",
       .doc = "The slices of params whose first coordinates stand in the last dimension of the indices. Coordinates "
              "outside of params are an error.",
       .cpu = "Tindices in [int32, int64]; Tparams in [numbers, bool, qint32, qint8, quint8, resource, string, "
              "variant]",
       .gpu = "Tparams in [floats, complexes, bool, int32, int64]; Tindices in [int32, int64]",
       .shape_fn = GatherNdShapes,
       .gradient = GatherNdGradient,
       .samples = {"[P b] [n 1] in 0..P", "[5 6 B] [i j 2] in 0..5", "[4 4 5] [n 3] in 0..4", "[P B] [1] in 0..P",
                   "[2 B] {{}, {}}", "[3 4 B] {{2, 3}, {0, 1}}"}},
  };
  return rows;
}

}  // namespace plumb::topics
