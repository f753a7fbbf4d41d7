#include "spec/ops/op_def.h"
#include "spec/ops/random/stored.h"

namespace plumb::topics {
namespace {

Shapes SavedStateShapes(const ShapeContext& c) {
  RequireScalar(c, 1);
  RequireScalar(c, 2);
  return {PartialShape{3}};
}

Shapes SkipShapes(const ShapeContext& c) {
  RequireScalar(c, 1);
  RequireScalar(c, 2);
  return {};
}

}  // namespace

Shapes OfStoredGenerator(const ShapeContext& c) {
  for (int i = 1; i < c.num_inputs(); ++i) {
    if (i != 2) RequireScalar(c, i);
  }
  return {ConstantShape(c, 2)};
}

std::vector<const char*> StoredSamples() {
  return {
      "v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v {-256, 2, 7}; "
      "shape_dtype in [int32, int64]: v 1 {5, 4}; r = ReadVariableOp dtype=int64: v",
      "v = VarHandleOp dtype=int64 shape=[4]: ; w = AssignVariableOp dtype=int64: v {-1, -1, -7, 9}; "
      "shape_dtype in [int32, int64]: v 3 {n, 7}; r = ReadVariableOp dtype=int64: v",
      "v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v [3]; "
      "shape_dtype in [int32, int64]: v 1 {}; r = ReadVariableOp dtype=int64: v",
      "v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v [3]; "
      "shape_dtype in [int32, int64]: v 1 {0, 3}; r = ReadVariableOp dtype=int64: v"};
}

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
      {.signature = "RngSkip(resource: resource<Variable>, algorithm: int64, delta: int64) -> () stateful",
       .doc = "Passes over the numbers of delta values of the generator that a variable keeps (rule R88).",
       .shape_fn = SkipShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples =
           {"v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v {-256, 2, 7}; v 1 3; "
            "r = ReadVariableOp dtype=int64: v",
            "v = VarHandleOp dtype=int64 shape=[4]: ; w = AssignVariableOp dtype=int64: v {5, 0, -7, 1}; v 3 -1; "
            "r = ReadVariableOp dtype=int64: v"}},
  };
  return rows;
}

}  // namespace plumb::topics
