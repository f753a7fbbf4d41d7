#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Values DivNoNanGradient(Gradient& g) {
  const Endpoint x = g.Conjugate(g.x(0)), y = g.Conjugate(g.x(1));
  const auto quotient = [&g](Endpoint a, Endpoint b) { return g.Call("DivNoNan", {a, b}); };
  const Endpoint slope = quotient(quotient(g.Call("Neg", {x}), y), y);
  return Broadcast(g, quotient(g.dy(), y), g.Call("Mul", {g.dy(), slope}));
}

Values MulNoNanGradient(Gradient& g) {
  return Broadcast(g, g.Call("MulNoNan", {g.dy(), g.x(1)}), g.Call("MulNoNan", {g.x(0), g.dy()}));
}

// 1 where x is not zero, else 0.
Endpoint IsNotZero(Gradient& g, Endpoint x) {
  const DType dtype = g.dtype(x);
  return g.Call("Cast", {g.Call("NotEqual", {x, g.Scalar(0, dtype)})}, {{"DstT", dtype}});
}

Values Scaled(Gradient& g, Endpoint by_x, Endpoint by_y) {
  return Broadcast(g, g.Call("Mul", {by_x, g.dy()}), g.Call("Mul", {by_y, g.dy()}));
}

Values XdivyGradient(Gradient& g) {
  const Endpoint x = g.x(0), y = g.x(1);
  const Endpoint by_y = g.Call("Xdivy", {g.Call("Neg", {x}), g.Call("Mul", {y, y})});
  return Scaled(g, g.Call("Xdivy", {IsNotZero(g, x), y}), by_y);
}

Values XlogyGradient(Gradient& g) {
  const Endpoint x = g.x(0), y = g.x(1);
  return Scaled(g, g.Call("Xlogy", {IsNotZero(g, x), y}), g.Call("Xdivy", {x, y}));
}

Values Xlog1pyGradient(Gradient& g) {
  const Endpoint x = g.x(0), y = g.x(1);
  const Endpoint above = g.Call("Add", {y, g.Scalar(1, g.dtype(y))});
  return Scaled(g, g.Call("Xlog1py", {IsNotZero(g, x), y}), g.Call("Xdivy", {x, above}));
}

}  // namespace

std::span<const OpRow> MathNoNan() {
  static const OpRow rows[] = {
      {.signature = "DivNoNan(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "x / y, broadcast; 0 where y is 0.",
       .gpu = "T in [floats]",
       .shape_fn = Broadcasting,
       .accuracy = ExactIfReal(),
       .gradient = DivNoNanGradient,
       .samples = {"[d...] [d...]", "[a b] [b]", "[a b] [b] in 0..2", "[a 1] in 0..2 [1 b] in 0..2"}},
      {.signature = "MulNoNan(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "x * y, broadcast; 0 where y is 0.",
       .gpu = "T in [floats]",
       .shape_fn = Broadcasting,
       .accuracy = ExactIfReal(),
       .gradient = MulNoNanGradient,
       .samples = {"[d...] [d...]", "[a b] [b] in 0..2", "[a 1] in 0..2 [1 b] in 0..2"}},
      {.signature = "Xdivy(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "x / y, broadcast; 0 where x is 0.",
       .gpu = "T in [floats]",
       .shape_fn = Broadcasting,
       .accuracy = ExactIfReal(),
       .gradient = XdivyGradient,
       .samples = {"[d...] [d...]", "[a b] in 0..2 [b] in 0..2", "[a 1] [1 b]"}},
      {.signature = "Xlogy(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "x log(y), broadcast; 0 where x is 0.",
       .gpu = "T in [floats]",
       .shape_fn = Broadcasting,
       .cost = 8,
       .accuracy = Composed(4),
       .gradient = XlogyGradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] [d...] positive", "[a b] in 0..2 [b] in 0..2", "[a 1] [1 b]"}},
      {.signature = "Xlog1py(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "x log(1 + y), broadcast; 0 where x is 0.",
       .gpu = "T in [floats]",
       .shape_fn = Broadcasting,
       .cost = 8,
       .accuracy = Composed(4),
       .gradient = Xlog1pyGradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] [d...] positive", "[a b] in 0..2 [b] in -1..2", "[a 1] [1 b]"}},
  };
  return rows;
}

}  // namespace plumb::topics
