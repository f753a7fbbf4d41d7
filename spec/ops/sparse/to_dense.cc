#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SparseToDenseShapes(const ShapeContext& c) {
  WithRank(c, 1, 1);
  return {ConstantShape(c, 1)};
}

// What no value covers has the default's gradient.
Values SparseToDenseGradient(Gradient& g) {
  const Endpoint rank = g.Call("Size", {g.x(1)});
  const Endpoint indices = g.Call("Reshape", {g.x(0), g.Call("Pack", {g.Scalar(-1, DType::kInt32), rank})});
  const Endpoint covered = g.Call("GatherNd", {g.dy(), indices});
  const Endpoint total = g.Call("Sum", {Flat(g, g.dy()), Zero(g)});
  const Endpoint of_values = g.Call("Sum", {covered, Zero(g)});
  const PartialShape& values = g.shape(g.x(2));
  const bool is_one = values.rank() == 0;
  return {GradientValue::None(), GradientValue::None(), is_one ? of_values : covered,
          g.Call("Sub", {total, of_values})};
}

}  // namespace

std::span<const OpRow> SparseToDense() {
  static const OpRow rows[] = {
      {.signature = "SparseToDense(sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, default_value: "
                    "T) -> (dense: T)",
       .attrs = "validate_indices: bool = true; T: type; Tindices: type in [int32, int64]",
       .doc = "A dense tensor with the values, or the one value, at the coordinates, and default_value elsewhere. "
              "Coordinates outside of the shape are an error; those out of order or repeated too, if validate_indices.",
       .cpu = "T in [numbers, bool, string, qint8, quint8, qint16, quint16]",
       .gpu = "T in [float16, float32, float64, ints, bool]",
       .shape_fn = SparseToDenseShapes,
       .gradient = SparseToDenseGradient,
       .samples = {"[5 2] sorted in 0..4 {4, 6} [5] []", "[4 1] sorted in 0..9 {9} [] []",
                   "validate_indices=false: {{2, 0, 1}, {0, 0, 0}, {1, 1, 1}} {3, 2, 2} [3] []",
                   "[0 2] in 0..1 {3, 2} [0] []", "{1, 3} {4} [2] []", "2 {4} [] []"}},
  };
  return rows;
}

}  // namespace plumb::topics
