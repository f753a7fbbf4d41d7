#include <algorithm>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The gradient goes to the operand that was chosen; the first when both are equal.
Values Choose(Gradient& g, const char* comparison) {
  const Endpoint zeros = g.ZerosLike(g.dy());
  const Endpoint first = g.Call(comparison, {g.x(0), g.x(1)});
  return Broadcast(g, g.Call("Select", {first, g.dy(), zeros}), g.Call("Select", {first, zeros, g.dy()}));
}

// d(x / y) = dx / y − x / y² dy, with the division that the op itself uses.
Values Quotient(Gradient& g, const char* divide) {
  const Endpoint x = g.Conjugate(g.x(0)), y = g.Conjugate(g.x(1));
  const Endpoint slope = g.Call(divide, {g.Call(divide, {g.Call("Neg", {x}), y}), y});
  return Broadcast(g, g.Call(divide, {g.dy(), y}), g.Call("Mul", {g.dy(), slope}));
}

Values AddGradient(Gradient& g) { return Broadcast(g, g.dy(), g.dy()); }
Values AddV2Gradient(Gradient& g) { return AddGradient(g); }
Values SubGradient(Gradient& g) { return Broadcast(g, g.dy(), g.Call("Neg", {g.dy()})); }

Values MulGradient(Gradient& g) {
  return Broadcast(g, g.Call("Mul", {g.dy(), g.Conjugate(g.x(1))}), g.Call("Mul", {g.Conjugate(g.x(0)), g.dy()}));
}

Values RealDivGradient(Gradient& g) { return Quotient(g, "RealDiv"); }
Values DivGradient(Gradient& g) { return Quotient(g, "Div"); }
Values FloorDivGradient(Gradient&) { return {GradientValue::None(), GradientValue::None()}; }

// x mod y = x − floor(x / y)·y.
Values FloorModGradient(Gradient& g) {
  const Endpoint floor = g.Call("FloorDiv", {g.x(0), g.x(1)});
  return Broadcast(g, g.dy(), g.Call("Neg", {g.Call("Mul", {g.dy(), floor})}));
}

Values MaximumGradient(Gradient& g) { return Choose(g, "GreaterEqual"); }
Values MinimumGradient(Gradient& g) { return Choose(g, "LessEqual"); }

Values SquaredDifferenceGradient(Gradient& g) {
  const Endpoint two = g.Scalar(2, g.dtype(g.dy()));
  const Endpoint dx = g.Call("Mul", {g.Call("Mul", {two, g.dy()}), g.Call("Sub", {g.x(0), g.x(1)})});
  return Broadcast(g, dx, g.Call("Neg", {dx}));
}

Values NegGradient(Gradient& g) { return {g.Call("Neg", {g.dy()})}; }
Values AbsGradient(Gradient& g) { return {g.Call("Mul", {g.dy(), g.Call("Sign", {g.x()})})}; }
Values SignGradient(Gradient& g) { return {g.ZerosLike(g.x())}; }

Values SquareGradient(Gradient& g) {
  const Endpoint two = g.Scalar(2, g.dtype(g.dy()));
  return {g.Call("Mul", {g.dy(), g.Call("Mul", {g.Conjugate(g.x()), two})})};
}

std::optional<Tensor> FoldAdd(const Folding& f) {
  return FoldPairs(f, [](int64_t a, int64_t b) -> std::optional<int64_t> {
    int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  });
}

std::optional<Tensor> FoldSub(const Folding& f) {
  return FoldPairs(f, [](int64_t a, int64_t b) -> std::optional<int64_t> {
    int64_t result = 0;
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  });
}

std::optional<Tensor> FoldMul(const Folding& f) {
  return FoldPairs(f, [](int64_t a, int64_t b) -> std::optional<int64_t> {
    int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  });
}

bool HasNoQuotient(int64_t a, int64_t b) { return b == 0 || (a == INT64_MIN && b == -1); }

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

std::optional<Tensor> FoldFloorDiv(const Folding& f) {
  return FoldPairs(f, [](int64_t a, int64_t b) -> std::optional<int64_t> {
    return HasNoQuotient(a, b) ? std::nullopt : std::optional(FloorDivide(a, b));
  });
}

std::optional<Tensor> FoldFloorMod(const Folding& f) {
  return FoldPairs(f, [](int64_t a, int64_t b) -> std::optional<int64_t> {
    return HasNoQuotient(a, b) ? std::nullopt : std::optional(a - FloorDivide(a, b) * b);
  });
}

std::optional<Tensor> FoldMaximum(const Folding& f) {
  return FoldPairs(f, [](int64_t a, int64_t b) { return std::optional(std::max(a, b)); });
}

std::optional<Tensor> FoldMinimum(const Folding& f) {
  return FoldPairs(f, [](int64_t a, int64_t b) { return std::optional(std::min(a, b)); });
}

}  // namespace

std::span<const OpRow> MathArithmetic() {
  static const OpRow rows[] = {
      {.signature = "Add(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes, uint8, int8, int16, int32, int64, string]",
       .doc = "x + y, broadcast; strings are joined.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .fold = FromValues(FoldAdd),
       .gradient = AddGradient,
       .samples = BroadcastingSamples()},
      {.signature = "AddV2(x: T, y: T) -> (z: T) commutative aggregate",
       .attrs = "T: type in [numbers]",
       .doc = "x + y, broadcast.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .fold = FromValues(FoldAdd),
       .gradient = AddV2Gradient,
       .samples = BroadcastingSamples()},
      {.signature = "Sub(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [numbers]",
       .doc = "x - y, broadcast.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .fold = FromValues(FoldSub),
       .gradient = SubGradient,
       .samples = BroadcastingSamples()},
      {.signature = "Mul(x: T, y: T) -> (z: T) commutative",
       .attrs = "T: type in [numbers]",
       .doc = "x * y, broadcast.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .fold = FromValues(FoldMul),
       .accuracy = ExactIfReal(),
       .gradient = MulGradient,
       .samples = BroadcastingSamples()},
      {.signature = "Div(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [numbers]",
       .doc = "x / y, broadcast. Integers are divided towards zero; dividing one by zero is an error.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .accuracy = ExactIfReal(),
       .gradient = DivGradient,
       .samples = NonzeroSamples()},
      {.signature = "RealDiv(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [numbers]",
       .doc = "x / y, broadcast.",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape_fn = Broadcasting,
       .accuracy = ExactIfReal(),
       .gradient = RealDivGradient,
       .samples = NonzeroSamples()},
      {.signature = "FloorDiv(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [numbers]",
       .doc = "floor(x / y), broadcast. Dividing an integer by zero is an error.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [float32, float64, int64]",
       .shape_fn = Broadcasting,
       .fold = FromValues(FoldFloorDiv),
       .gradient = FloorDivGradient,
       .samples = NonzeroSamples()},
      {.signature = "FloorMod(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x - floor(x / y) y, broadcast: the remainder has the sign of y. An integer modulo zero is an "
              "error.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .fold = FromValues(FoldFloorMod),
       .cost = 8,
       .gradient = FloorModGradient,
       .samples = NonzeroSamples()},
      {.signature = "Maximum(x: T, y: T) -> (z: T<either_zero>)",
       .attrs = "T: type in [floats, ints]",
       .doc = "The larger of x and y, broadcast; NaN where either is NaN.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .fold = FromValues(FoldMaximum),
       .gradient = MaximumGradient,
       .samples = BroadcastingSamples()},
      {.signature = "Minimum(x: T, y: T) -> (z: T<either_zero>)",
       .attrs = "T: type in [floats, ints]",
       .doc = "The smaller of x and y, broadcast; NaN where either is NaN.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .fold = FromValues(FoldMinimum),
       .gradient = MinimumGradient,
       .samples = BroadcastingSamples()},
      {.signature = "SquaredDifference(x: T, y: T) -> (z: T) commutative",
       .attrs = "T: type in [floats, complexes, int32, int64]",
       .doc = "(x - y) conj(x - y), broadcast.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .accuracy = Composed(1),
       .gradient = SquaredDifferenceGradient,
       .samples = BroadcastingSamples()},
      {.signature = "Neg(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes, int8, int16, int32, int64]",
       .doc = "The number with the other sign; unsigned and smallest integers wrap around.",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .gradient = NegGradient},
      {.signature = "Abs(x: T) -> (y: T)",
       .attrs = "T: type in [floats, int8, int16, int32, int64]",
       .doc = "The absolute value.",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .gradient = AbsGradient},
      {.signature = "Sign(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes, int8, int16, int32, int64]",
       .doc = "-1, 0 or 1; NaN stays NaN, and a complex number becomes x / |x|.",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .accuracy = ExactIfReal(),
       .gradient = SignGradient},
      {.signature = "Square(x: T) -> (y: T)",
       .attrs = "T: type in [numbers]",
       .doc = "x * x.",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .accuracy = ExactIfReal(),
       .gradient = SquareGradient},
  };
  return rows;
}

}  // namespace plumb::topics
