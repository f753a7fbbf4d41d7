#include "spec/ops/op_def.h"
#include "spec/ops/random/stateless.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes StoredShapes(const ShapeContext& c) { return {ConstantShape(c, 2)}; }

Shapes SeededShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 1, 1).dim(0), 2);
  return {ConstantShape(c, 0)};
}

}  // namespace

std::span<const OpRow> RandomBinomial() {
  static const OpRow rows[] = {
      {.signature =
           "StatefulRandomBinomial(resource: resource<Variable>, algorithm: int64, shape: S, counts: T, probs: "
           "T) -> (output: dtype) stateful",
       .attrs =
           "S: type in [int32, int64]; T: type = float64 in [float16, float32, float64, int32, int64]; dtype: type "
           "= int64 in [float16, float32, float64, int32, int64]",
       .doc = "How many of `counts` tries succeed, each with the probability probs; both broadcast, and their shape is "
              "the end of `shape` (rule R89). The generator is the one that a variable keeps, Philox (rule R88).",
       .cpu = "T in [float16, float32, float64]",
       .shape_fn = StoredShapes,
       .cost = 256,
       .accuracy = Statistical(),
       .samples = {"v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v {-256, 2, 7}; "
                   "v 1 {5, 4} 10 0.5; r = ReadVariableOp dtype=int64: v",
                   "v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v [3]; "
                   "v 1 {n, 2, 3} [2 1] in 0..300 [3] in 0..1; r = ReadVariableOp dtype=int64: v",
                   "v = VarHandleOp dtype=int64 shape=[4]: ; w = AssignVariableOp dtype=int64: v [4]; "
                   "v 1 {4} {-1, 0, 5, 9} {0.5, 0.5, -1, 1.5}; r = ReadVariableOp dtype=int64: v"}},
      {.signature = "StatelessRandomBinomial(shape: S, seed: Tseed, counts: T, probs: T) -> (output: dtype)",
       .attrs = "S: type in [int32, int64]; Tseed: type = int64 in [int32, int64]; T: type = float64 in [float16, "
                "float32, float64, int32, int64]; dtype: type = int64 in [float16, float32, float64, int32, int64]",
       .doc = "StatefulRandomBinomial with the key and the counter that two seeds are scrambled into (rule R85).",
       .cpu = "T in [float16, float32, float64]",
       .shape_fn = SeededShapes,
       .cost = 256,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"{5, 4} [2] 10 0.5", "{n, 2, 3} [2] [2 1] in 0..300 [3] in 0..1",
                   "{4} {7, -3} {-1, 0, 5, 9} {0.5, 0.5, -1, 1.5}", "{0, 2} {0, 0} [2] in 0..30 0.25"}},
  };
  return rows;
}

}  // namespace plumb::topics
