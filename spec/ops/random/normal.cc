#include "spec/ops/op_def.h"
#include "spec/ops/random/stateless.h"
#include "spec/ops/random/stored.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes StatelessShapes(const ShapeContext& c) { return OfKeyAndCounter(c); }
Shapes SeededShapes(const ShapeContext& c) { return OfSeeds(c); }
Shapes StoredShapes(const ShapeContext& c) { return OfStoredGenerator(c); }
Shapes TaggedShapes(const ShapeContext& c) { return {ConstantShape(c, 1)}; }

}  // namespace

std::span<const OpRow> RandomNormal() {
  static const OpRow rows[] = {
      {.signature = "RandomStandardNormal(shape: T) -> (output: dtype) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .doc = "Normally distributed numbers of mean 0 and deviation 1 (rule R73).",
       .gpu = "all",
       .shape_fn = OfShapeInput,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       // The two large seeds draw a uniform number near 0, which has no logarithm, in float32 and in float64.
       .samples = {"seed=7 seed2=3: {5, 4}", "seed=3 seed2=1: {n, 7}", "seed=1: {}", "seed=2 seed2=5: {0, 3}",
                   "seed=7 seed2=4271356: {5, 4}", "seed=7 seed2=764922: {5, 4}"}},
      {.signature = "StatefulStandardNormal(resource: resource<Variable>, shape: shape_dtype) -> (output: dtype) "
                    "stateful",
       .attrs = kStoredAttrs,
       .doc = "StatefulStandardNormalV2 by a generator whose algorithm stands before its counter (rule R88).",
       .cpu = "dtype in [floats]; shape_dtype in [int32, int64]",
       .shape_fn = TaggedShapes,
       .accuracy = Statistical(4),
       .samples = {"v = VarHandleOp dtype=int64 shape=[4]: ; w = AssignVariableOp dtype=int64: v {1, -256, 2, 7}; "
                   "shape_dtype in [int32, int64]: v {5, 4}; r = ReadVariableOp dtype=int64: v",
                   "v = VarHandleOp dtype=int64 shape=[5]: ; w = AssignVariableOp dtype=int64: v {3, -1, -1, -7, 9}; "
                   "shape_dtype in [int32, int64]: v {n, 7}; r = ReadVariableOp dtype=int64: v",
                   "v = VarHandleOp dtype=int64 shape=[4]: ; w = AssignVariableOp dtype=int64: v {1, 0, 2, 7}; "
                   "shape_dtype in [int32, int64]: v {}; "
                   "r = ReadVariableOp dtype=int64: v"},
       .deprecated = {29, "Use StatefulStandardNormalV2 instead"}},
      {.signature = "StatefulStandardNormalV2(resource: resource<Variable>, algorithm: int64, shape: shape_dtype) -> "
                    "(output: dtype) stateful",
       .attrs = kStoredAttrs,
       .doc = "Normally distributed numbers of mean 0 and deviation 1 (rule R73), by the generator that a variable "
              "keeps (rule R88).",
       .cpu = "dtype in [floats]; shape_dtype in [int32, int64]",
       .shape_fn = StoredShapes,
       .accuracy = Statistical(4),
       .samples = StoredSamples()},
      {.signature = "StatefulTruncatedNormal(resource: resource<Variable>, algorithm: int64, shape: shape_dtype) -> "
                    "(output: dtype) stateful",
       .attrs = kStoredAttrs,
       .doc = "Normally distributed numbers of mean 0 and deviation 1; those beyond 2 are drawn again (rule R74), by "
              "the generator that a variable keeps (rule R88).",
       .cpu = "dtype in [floats]; shape_dtype in [int32, int64]",
       .shape_fn = StoredShapes,
       .accuracy = Statistical(4),
       .samples = StoredSamples()},
      {.signature = "StatelessRandomNormal(shape: T, seed: Tseed) -> (output: dtype)",
       .attrs = kSeededAttrs,
       .doc = "StatelessRandomNormalV2 with the key and the counter that two seeds are scrambled into.",
       .gpu = "all",
       .shape_fn = SeededShapes,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       .samples = SeededSamples()},
      {.signature = "StatelessRandomNormalV2(shape: Tshape, key: uint64, counter: uint64, alg: int32) -> (output: "
                    "dtype)",
       .attrs = kStatelessAttrs,
       .doc = "Normally distributed numbers of mean 0 and deviation 1 (rule R73), by a generator with this key and "
              "counter.",
       .gpu = "all",
       .shape_fn = StatelessShapes,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       .samples = StatelessSamples()},
      {.signature = "StatelessTruncatedNormal(shape: T, seed: Tseed) -> (output: dtype)",
       .attrs = kSeededAttrs,
       .doc = "StatelessTruncatedNormalV2 with the key and the counter that two seeds are scrambled into.",
       .gpu = "all",
       .shape_fn = SeededShapes,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       .samples = SeededSamples()},
      {.signature = "StatelessTruncatedNormalV2(shape: Tshape, key: uint64, counter: uint64, alg: int32) -> (output: "
                    "dtype)",
       .attrs = kStatelessAttrs,
       .doc = "Normally distributed numbers of mean 0 and deviation 1; those beyond 2 are drawn again (rule R74), by a "
              "generator with this key and counter.",
       .gpu = "all",
       .shape_fn = StatelessShapes,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       .samples = StatelessSamples()},
      {.signature = "TruncatedNormal(shape: T) -> (output: dtype) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .doc = "Normally distributed numbers of mean 0 and deviation 1; those beyond 2 are drawn again (rule "
              "R74).",
       .gpu = "all",
       .shape_fn = OfShapeInput,
       .accuracy = Statistical(4),
       .gradient = BlocksGradient(),
       .samples = {"seed=7 seed2=3: {5, 4}", "seed=3 seed2=1: {n, 7}", "seed=1: {}", "seed=2 seed2=5: {0, 3}"}},
  };
  return rows;
}

}  // namespace plumb::topics
