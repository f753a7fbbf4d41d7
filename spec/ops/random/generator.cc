#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SavedStateShapes(const ShapeContext& c) {
  RequireScalar(c, 1);
  RequireScalar(c, 2);
  return {PartialShape{3}};
}

}  // namespace

std::span<const OpRow> RandomGenerator() {
  static const OpRow rows[] = {
      {.signature = "RngReadAndSkip(resource: resource<Variable>, alg: int32, delta: uint64) -> (value: int64) "
                    "stateful",
       .doc = "The counter and key that a variable keeps of a generator, which then passes over the numbers of delta "
              "values (rule R88).",
       .gpu = "all",
       .shape_fn = SavedStateShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v {-256, 2, 7}; v 1 3; "
                   "r = ReadVariableOp dtype=int64: v",
                   "v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v {5, 0, -7}; v 3 0; "
                   "r = ReadVariableOp dtype=int64: v"}},
  };
  return rows;
}

}  // namespace plumb::topics
