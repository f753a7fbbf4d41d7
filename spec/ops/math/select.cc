#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The condition is a scalar, has the shape of the data, or is a vector that chooses among rows.
Shapes SelectShapes(const ShapeContext& c) {
  const PartialShape data = MergeInputs(c, 1, 2);
  const PartialShape& condition = c.input(0);
  if (!condition.has_rank() || !data.has_rank() || condition.rank() == 0) return {data};
  if (condition.rank() == 1 && data.rank() > 1) {
    return {WithDim(data, 0, MergeDims(c, data.dim(0), condition.dim(0)))};
  }
  return {MergeShapes(c, data, condition)};
}

Values SelectGradient(Gradient& g) {
  const Endpoint zeros = g.ZerosLike(g.dy());
  return {GradientValue::None(), g.Call("Select", {g.x(0), g.dy(), zeros}), g.Call("Select", {g.x(0), zeros, g.dy()})};
}

}  // namespace

std::span<const OpRow> MathSelect() {
  static const OpRow rows[] = {
      {.signature = "Select(condition: bool, t: T, e: T) -> (output: T) hands_on",
       .attrs = "T: type",
       .doc = "t where the condition holds, e elsewhere. t and e have one shape; the condition has it too, or "
              "is a scalar, or is a vector that chooses whole rows.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int32, int64]",
       .shape_fn = SelectShapes,
       .gradient = SelectGradient,
       .samples = {"[d...] [d...] [d...]", "[a] [a b] [a b]", "[] [d...] [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
