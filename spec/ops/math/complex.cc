#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

DType ComplexOf(DType part) { return part == DType::kDouble ? DType::kComplex128 : DType::kComplex64; }

// re + 0i.
Endpoint AsComplex(Gradient& g, Endpoint re) {
  const DType part = g.dtype(re);
  return g.Call("Complex", {re, g.ZerosLike(re)}, {{"Tout", ComplexOf(part)}});
}

Endpoint Part(Gradient& g, const char* op, Endpoint z, DType part) { return g.Call(op, {z}, {{"Tout", part}}); }

Values ConjGradient(Gradient& g) { return {g.Call("Conj", {g.dy()})}; }

Values ComplexGradient(Gradient& g) {
  const DType part = g.dtype(g.x(0));
  return Broadcast(g, Part(g, "Real", g.dy(), part), Part(g, "Imag", g.dy(), part));
}

Values RealGradient(Gradient& g) { return {AsComplex(g, g.dy())}; }

Values ImagGradient(Gradient& g) {
  return {g.Call("Complex", {g.ZerosLike(g.dy()), g.dy()}, {{"Tout", g.dtype(g.x())}})};
}

// dy·z / |z|, and nothing where z is zero.
Values ComplexAbsGradient(Gradient& g) {
  return {g.Call("DivNoNan", {g.Call("Mul", {AsComplex(g, g.dy()), g.x()}), AsComplex(g, g.y())})};
}

// −dy / (im + re·i).
Values AngleGradient(Gradient& g) {
  const DType part = g.dtype(g.y());
  const Endpoint re = Part(g, "Real", g.x(), part), im = Part(g, "Imag", g.x(), part);
  const Endpoint turned = g.Call("Complex", {im, re}, {{"Tout", g.dtype(g.x())}});
  const Endpoint minus_dy = g.Call("Neg", {AsComplex(g, g.dy())});
  return {g.Call("Mul", {minus_dy, g.Call("Reciprocal", {turned})})};
}

constexpr const char* kUntried = "of complex numbers only";
constexpr const char* kOfComplex = "T: type = complex64 in [complexes]; Tout: type = float32 in [float32, float64]";

std::vector<const char*> PartSamples() {
  return {"T in [complex64] Tout in [float32]: [d...]", "T in [complex128] Tout in [float64]: [d...]"};
}

}  // namespace

std::span<const OpRow> MathComplex() {
  static const OpRow rows[] = {
      {.signature = "Conj(input: T) -> (output: T)",
       .attrs = "T: type = complex64 in [complexes, variant]",
       .doc = "The complex conjugate.",
       .cpu = "T in [complexes]",
       .gpu = "T in [complexes]",
       .shape = "[d...] -> [d...]",
       .gradient = ConjGradient,
       .gradient_trial = {.untried = kUntried}},
      {.signature = "Complex(real: T, imag: T) -> (out: Tout)",
       .attrs = "T: type = float32 in [float32, float64]; Tout: type = complex64 in [complexes]",
       .doc = "real + imag i, broadcast. Tout is the complex type whose parts are of type T.",
       .gpu = "T in [float32, float64]; Tout in [complexes]",
       .shape_fn = Broadcasting,
       .gradient = ComplexGradient,
       .gradient_trial = {.untried = kUntried},
       .samples = {"T in [float32] Tout in [complex64]: [a b] [b]", "T in [float64] Tout in [complex128]: [a b] [a 1]",
                   "T in [float32] Tout in [complex64]: [d...] [d...]",
                   "T in [float64] Tout in [complex128]: [d...] []"}},
      {.signature = "Real(input: T) -> (output: Tout)",
       .attrs = kOfComplex,
       .doc = "The real part.",
       .gpu = "T in [complexes]; Tout in [float32, float64]",
       .shape = "[d...] -> [d...]",
       .gradient = RealGradient,
       .gradient_trial = {.untried = kUntried},
       .samples = PartSamples()},
      {.signature = "Imag(input: T) -> (output: Tout)",
       .attrs = kOfComplex,
       .doc = "The imaginary part.",
       .gpu = "T in [complexes]; Tout in [float32, float64]",
       .shape = "[d...] -> [d...]",
       .gradient = ImagGradient,
       .gradient_trial = {.untried = kUntried},
       .samples = PartSamples()},
      {.signature = "ComplexAbs(x: T) -> (y: Tout)",
       .attrs = kOfComplex,
       .doc = "The distance from zero.",
       .gpu = "T in [complexes]; Tout in [float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 4,
       .accuracy = Composed(2),
       .gradient = ComplexAbsGradient,
       .gradient_trial = {.untried = kUntried},
       .samples = PartSamples()},
      {.signature = "Angle(input: T) -> (output: Tout)",
       .attrs = kOfComplex,
       .doc = "The angle to the positive real axis, from -pi to pi.",
       .gpu = "T in [complexes]; Tout in [float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 16,
       .accuracy = Composed(2),
       .gradient = AngleGradient,
       .gradient_trial = {.untried = kUntried},
       .samples = PartSamples()},
  };
  return rows;
}

}  // namespace plumb::topics
