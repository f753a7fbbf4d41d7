// Gradients of elementwise mathematics. Complex gradients are conjugated, as TensorFlow's are.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// Both operands of a broadcasting op get their gradient summed to their own shape (rule D11).
Values Broadcast(Gradient& g, Endpoint dx, Endpoint dy) {
  return {g.SumToShapeOf(dx, g.x(0), g.x(1)), g.SumToShapeOf(dy, g.x(1), g.x(0))};
}

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

}  // namespace

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

// d(x^y) = y·x^(y−1) dx + x^y·log(x) dy, the second term only where x > 0 (x ≠ 0 for complex x).
Values PowGradient(Gradient& g) {
  const DType dtype = g.dtype(g.x(0));
  const Endpoint x = g.Conjugate(g.x(0)), y = g.Conjugate(g.x(1)), z = g.Conjugate(g.y());
  const Endpoint power = g.Call("Pow", {x, g.Call("Sub", {y, g.Scalar(1, dtype)})});
  const Endpoint dx = g.Call("Mul", {g.Call("Mul", {g.dy(), y}), power});
  const Endpoint zero = g.Scalar(0, dtype);
  const Endpoint defined = IsComplex(dtype) ? g.Call("NotEqual", {x, zero}) : g.Call("Greater", {x, zero});
  const Endpoint zeros = g.ZerosLike(x);
  const Endpoint safe = g.Call("Select", {defined, x, g.Call("OnesLike", {x})});
  const Endpoint log = g.Call("Select", {defined, g.Call("Log", {safe}), zeros});
  return Broadcast(g, dx, g.Call("Mul", {g.Call("Mul", {g.dy(), z}), log}));
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
Values ConjGradient(Gradient& g) { return {g.Call("Conj", {g.dy()})}; }

Values SquareGradient(Gradient& g) {
  const Endpoint two = g.Scalar(2, g.dtype(g.dy()));
  return {g.Call("Mul", {g.dy(), g.Call("Mul", {g.Conjugate(g.x()), two})})};
}

Values SqrtGradient(Gradient& g) { return {g.Call("SqrtGrad", {g.y(), g.dy()})}; }

// z = dy·0.5 / y.
Values SqrtGradGradient(Gradient& g) {
  const Endpoint quotient = g.Call("RealDiv", {g.dy(), g.x(0)});
  const Endpoint half = g.Scalar(0.5, g.dtype(g.dy()));
  return {g.Call("Mul", {g.Call("Neg", {g.Conjugate(quotient)}), g.y()}), g.Call("Mul", {half, quotient})};
}

Values RsqrtGradient(Gradient& g) { return {g.Call("RsqrtGrad", {g.y(), g.dy()})}; }

// z = dy·(−0.5)·y³.
Values RsqrtGradGradient(Gradient& g) {
  const DType dtype = g.dtype(g.dy());
  const Endpoint y = g.Conjugate(g.x(0)), dz = g.dy();
  const Endpoint square = g.Call("Mul", {y, y});
  const Endpoint with_y =
      g.Call("Mul", {g.Call("Mul", {g.Scalar(-1.5, dtype), dz}), g.Call("Mul", {g.Conjugate(g.x(1)), square})});
  const Endpoint with_dy = g.Call("Mul", {g.Call("Mul", {g.Scalar(-0.5, dtype), dz}), g.Call("Mul", {square, y})});
  return {with_y, with_dy};
}

Values ExpGradient(Gradient& g) { return {g.Call("Mul", {g.dy(), g.Conjugate(g.y())})}; }
Values LogGradient(Gradient& g) { return {g.Call("RealDiv", {g.dy(), g.Conjugate(g.x())})}; }
Values Log1pGradient(Gradient& g) {
  const Endpoint x = g.Conjugate(g.x());
  return {g.Call("RealDiv", {g.dy(), g.Call("Add", {g.Scalar(1, g.dtype(x)), x})})};
}
Values FloorGradient(Gradient&) { return {GradientValue::None()}; }

Values TanhGradient(Gradient& g) { return {g.Call("TanhGrad", {g.Conjugate(g.y()), g.dy()})}; }

// z = dy·(1 − y²).
Values TanhGradGradient(Gradient& g) {
  const Endpoint y = g.Conjugate(g.x(0)), dy = g.Conjugate(g.x(1));
  const Endpoint factor = g.Call("Mul", {g.Scalar(-2, g.dtype(y)), g.Call("Mul", {dy, y})});
  return {g.Call("Mul", {g.dy(), factor}), g.Call("TanhGrad", {y, g.dy()})};
}

Values SigmoidGradient(Gradient& g) { return {g.Call("SigmoidGrad", {g.Conjugate(g.y()), g.dy()})}; }

// z = dy·y·(1 − y).
Values SigmoidGradGradient(Gradient& g) {
  const DType dtype = g.dtype(g.x(0));
  const Endpoint y = g.Conjugate(g.x(0)), dy = g.Conjugate(g.x(1));
  const Endpoint slope = g.Call("Sub", {g.Scalar(1, dtype), g.Call("Mul", {g.Scalar(2, dtype), y})});
  return {g.Call("Mul", {g.Call("Mul", {g.dy(), dy}), slope}), g.Call("SigmoidGrad", {y, g.dy()})};
}

// Between types that can carry a gradient; otherwise none (rule D7).
Values CastGradient(Gradient& g) {
  const DType from = g.dtype(g.x()), to = g.dtype(g.y());
  const bool differentiable = (IsFloating(from) || IsComplex(from)) && (IsFloating(to) || IsComplex(to));
  if (!differentiable) return {GradientValue::None()};
  return {g.Call("Cast", {g.dy()}, {{"DstT", from}})};
}

Values SelectGradient(Gradient& g) {
  const Endpoint zeros = g.ZerosLike(g.dy());
  return {GradientValue::None(), g.Call("Select", {g.x(0), g.dy(), zeros}), g.Call("Select", {g.x(0), zeros, g.dy()})};
}

Values AddNGradient(Gradient& g) { return Values(g.num_inputs(), g.dy()); }
Values AccumulateNV2Gradient(Gradient& g) { return Values(g.num_inputs(), g.dy()); }

Values CheckNumericsGradient(Gradient& g) {
  const char* message = "Not a number (NaN) or infinity (Inf) values detected in gradient.";
  return {g.Call("CheckNumerics", {g.dy()}, {{"message", message}})};
}

}  // namespace plumb
