#include "spec/ops/op_def.h"
#include "spec/ops/random/stateless.h"
#include "spec/ops/random/stored.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes StatelessShapes(const ShapeContext& c) { return OfKeyAndCounter(c); }
Shapes SeededShapes(const ShapeContext& c) { return OfSeeds(c); }
Shapes StoredShapes(const ShapeContext& c) { return OfStoredGenerator(c); }

// Inputs `first` and the next are limits: between them lies a number, if any is drawn.
void CheckLimits(const ShapeContext& c, int first, const PartialShape& drawn) {
  const Tensor *low = c.constant(first), *high = c.constant(first + 1);
  if (low == nullptr || high == nullptr || !drawn.IsFullyDefined() || drawn.ToShape().elements() == 0) return;
  const auto is_narrow = [](const Tensor& limit) {
    return limit.dtype() == DType::kInt32 || limit.dtype() == DType::kInt64;
  };
  if (!is_narrow(*low) || !is_narrow(*high) || low->elements() != 1 || high->elements() != 1) return;
  const int64_t least = ToInt64s(*low)[0], most = ToInt64s(*high)[0];
  Require(least < most, c.op().name, ": no number lies in [", least, ", ", most, ")");
}

Shapes UniformIntShapes(const ShapeContext& c) {
  Shapes shapes = OfShapeInput(c);
  CheckLimits(c, 1, shapes[0]);
  return shapes;
}

Shapes StatelessUniformIntShapes(const ShapeContext& c) {
  Shapes shapes = OfKeyAndCounter(c);
  CheckLimits(c, 4, shapes[0]);
  return shapes;
}

Shapes StoredUniformIntShapes(const ShapeContext& c) {
  const Shapes shapes = OfStoredGenerator(c);
  CheckLimits(c, 3, Shape());  // also where nothing is drawn
  return shapes;
}

Shapes SeededUniformIntShapes(const ShapeContext& c) {
  Shapes shapes = OfSeeds(c);
  CheckLimits(c, 2, shapes[0]);
  return shapes;
}

}  // namespace

std::span<const OpRow> RandomUniform() {
  static const OpRow rows[] = {
      {.signature = "RandomUniform(shape: T) -> (output: dtype) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; dtype: type in [floats]; T: type in [int32, int64]",
       .doc = "Numbers drawn evenly from [0, 1) (rule R72).",
       .gpu = "all",
       .shape_fn = OfShapeInput,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"seed=7 seed2=3: {5, 4}", "seed=3 seed2=1: {n, 7}", "seed=1: {}", "seed=2 seed2=5: {0, 3}"}},
      {.signature = "RandomUniformInt(shape: T, minval: Tout, maxval: Tout) -> (output: Tout) stateful draws_numbers",
       .attrs = "seed: int = 0; seed2: int = 0; Tout: type in [int32, int64]; T: type in [int32, int64]",
       .doc = "Integers drawn evenly from [minval, maxval), which must not be empty (rule R72).",
       .gpu = "all",
       .shape_fn = UniformIntShapes,
       .accuracy = Statistical(),
       .samples = {"seed=7 seed2=3: {4, 5} -5 17", "seed=3 seed2=1: {n, 7} -5 17", "seed=1: {} 0 1"}},
      {.signature = "StatefulUniform(resource: resource<Variable>, algorithm: int64, shape: shape_dtype) -> (output: "
                    "dtype) stateful",
       .attrs = kStoredAttrs,
       .doc = "Numbers drawn evenly from [0, 1) (rule R72) by the generator that a variable keeps (rule R88).",
       .cpu = "dtype in [floats]; shape_dtype in [int32, int64]",
       .shape_fn = StoredShapes,
       .accuracy = Statistical(),
       .samples = StoredSamples()},
      {.signature = "StatefulUniformFullInt(resource: resource<Variable>, algorithm: int64, shape: shape_dtype) -> "
                    "(output: dtype) stateful",
       .attrs = "dtype: type = uint64; shape_dtype: type = int64",
       .doc = "Numbers drawn evenly from all of the type by the generator that a variable keeps (rule R88).",
       .cpu = "dtype in [int32, int64, uint32, uint64]; shape_dtype in [int32, int64]",
       .shape_fn = StoredShapes,
       .accuracy = Statistical(),
       .samples = StoredSamples()},
      {.signature = "StatefulUniformInt(resource: resource<Variable>, algorithm: int64, shape: shape_dtype, minval: "
                    "dtype, maxval: dtype) -> (output: dtype) stateful",
       .attrs = "dtype: type = int64; shape_dtype: type = int64",
       .doc = "Integers drawn evenly from [minval, maxval), which must not be empty (rule R72), by the generator that "
              "a variable keeps (rule R88).",
       .cpu = "dtype in [int32, int64]; shape_dtype in [int32, int64]",
       .shape_fn = StoredUniformIntShapes,
       .accuracy = Statistical(),
       .samples =
           {"v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v {-256, 2, 7}; "
            "dtype in [int32, int64] shape_dtype in [int32, int64]: v 1 {4, 5} -5 17; r = ReadVariableOp dtype=int64: "
            "v",
            "v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v [3]; "
            "dtype in [int32, int64] shape_dtype in [int32, int64]: v 3 {n, 7} -5 17; r = ReadVariableOp dtype=int64: "
            "v",
            "v = VarHandleOp dtype=int64 shape=[3]: ; w = AssignVariableOp dtype=int64: v [3]; "
            "dtype in [int32, int64] shape_dtype in [int32, int64]: v 1 {} 0 1; r = ReadVariableOp dtype=int64: v"}},
      {.signature = "StatelessRandomUniform(shape: T, seed: Tseed) -> (output: dtype)",
       .attrs = kSeededAttrs,
       .doc = "StatelessRandomUniformV2 with the key and the counter that two seeds are scrambled into.",
       .gpu = "all",
       .shape_fn = SeededShapes,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = SeededSamples()},
      {.signature = "StatelessRandomUniformInt(shape: T, seed: Tseed, minval: dtype, maxval: dtype) -> (output: dtype)",
       .attrs = "dtype: type in [int32, int64]; T: type in [int32, int64]; Tseed: type = int64 in [int32, int64]",
       .doc = "StatelessRandomUniformIntV2 with the key and the counter that two seeds are scrambled into.",
       .gpu = "all",
       .shape_fn = SeededUniformIntShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"{4, 5} [2] -5 17", "{n, 7} {0, 0} -5 17", "{} {7, -3} 0 1", "{3, 0} [2] 0 1"}},
      {.signature = "StatelessRandomUniformFullInt(shape: T, seed: Tseed) -> (output: dtype)",
       .attrs = "dtype: type = uint64 in [int32, int64, uint32, uint64]; T: type = int32 in [int32, int64]; Tseed: "
                "type = int64 in "
                "[int32, int64, uint32, uint64]",
       .doc = "StatelessRandomUniformFullIntV2 with the key and the counter that two seeds are scrambled into.",
       .cpu = "Tseed in [int32, int64]",
       .gpu = "all",
       .shape_fn = SeededShapes,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = SeededSamples()},
      {.signature = "StatelessRandomUniformFullIntV2(shape: Tshape, key: uint64, counter: uint64, alg: int32) -> "
                    "(output: dtype)",
       .attrs = "dtype: type = uint64 in [int32, int64, uint32, uint64]; Tshape: type = int32 in [int32, int64]",
       .doc = "Numbers drawn evenly from all of the type, by a generator with this key and counter.",
       .gpu = "all",
       .shape_fn = StatelessShapes,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = StatelessSamples()},
      {.signature = "StatelessRandomUniformIntV2(shape: Tshape, key: uint64, counter: uint64, alg: int32, minval: "
                    "dtype, maxval: dtype) -> (output: dtype)",
       .attrs = "dtype: type in [int32, int64, uint32, uint64]; Tshape: type = int32 in [int32, int64]",
       .doc = "Integers drawn evenly from [minval, maxval), which must not be empty (rule R72), by a generator with "
              "this key and counter.",
       .cpu = "dtype in [int32, int64]",
       .gpu = "all",
       .shape_fn = StatelessUniformIntShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"{4, 5} [1] [2] 1 -5 17", "{n, 7} {1} {0, 0} 3 -5 17", "{} [1] [2] 3 0 1", "{3, 0} [1] [2] 2 0 1"}},
      {.signature = "StatelessRandomUniformV2(shape: Tshape, key: uint64, counter: uint64, alg: int32) -> (output: "
                    "dtype)",
       .attrs = kStatelessAttrs,
       .doc = "Numbers drawn evenly from [0, 1) (rule R72) by a generator with this key and counter.",
       .gpu = "all",
       .shape_fn = StatelessShapes,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = StatelessSamples()},
  };
  return rows;
}

}  // namespace plumb::topics
