#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

template <int kAxes>
Shapes SameShape(const ShapeContext& c) {
  return {WithRankAtLeast(c, 0, kAxes)};
}

// How many numbers are transformed together, as a complex scalar.
Endpoint TransformSize(Gradient& g, int axes) {
  const Endpoint sizes = Part(g, g.ShapeOf(g.dy()), -axes, 0);
  return g.Call("Cast", {g.Call("Prod", {sizes, g.Int32s({0})})}, {{"DstT", g.dtype(g.dy())}});
}
// By the number of axes.
constexpr const char* kForward[] = {nullptr, "FFT", "FFT2D", "FFT3D"};
constexpr const char* kInverse[] = {nullptr, "IFFT", "IFFT2D", "IFFT3D"};

// The adjoint of a transform is its inverse, up to the factor n that the inverse divides by.
template <int kAxes>
Values ForwardGradient(Gradient& g) {
  return {g.Call("Mul", {g.Call(kInverse[kAxes], {g.dy()}), TransformSize(g, kAxes)})};
}
template <int kAxes>
Values InverseGradient(Gradient& g) {
  return {g.Call("Mul", {g.Call(kForward[kAxes], {g.dy()}), g.Call("Reciprocal", {TransformSize(g, kAxes)})})};
}

constexpr const char* kAttrs = "Tcomplex: type = complex64 in [complexes]";
constexpr GradientTrial kTrial = {.untried = "of complex numbers only"};

// Lengths are given: the sums of the reference take the square of them.
std::vector<const char*> LineSamples() {
  return {"[b... 1]", "[b 2]", "[b... 3]", "[b 8]", "[b 12]", "[2 67]", "[3 30]", "[2 77]", "[1000]", "[521]", "[b 0]"};
}
std::vector<const char*> PlaneSamples() {
  return {"[b... 1 1]", "[b... 3 4]", "[b 5 7]", "[2 16 9]", "[67 2]", "[40 20]", "[b 0 3]", "[3 0]"};
}
std::vector<const char*> BoxSamples() {
  return {"[b... 1 2 1]", "[b... 2 3 4]", "[b 4 1 5]", "[3 7 6]", "[9 10 12]", "[b 2 0 3]"};
}

}  // namespace

std::span<const OpRow> SpectralFft() {
  static const OpRow rows[] = {
      {.signature = "FFT(input: Tcomplex) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "The discrete Fourier transform along the last axis: y[k] = Σ x[t] exp(−2πi k t / n).",
       .gpu = "Tcomplex in [complexes]",
       .shape_fn = SameShape<1>,
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = ForwardGradient<1>,
       .gradient_trial = kTrial,
       .samples = LineSamples()},
      {.signature = "IFFT(input: Tcomplex) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "The inverse of FFT: x[t] = 1/n Σ y[k] exp(2πi k t / n).",
       .gpu = "Tcomplex in [complexes]",
       .shape_fn = SameShape<1>,
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = InverseGradient<1>,
       .gradient_trial = kTrial,
       .samples = LineSamples()},
      {.signature = "FFT2D(input: Tcomplex) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "The discrete Fourier transform along the last two axes.",
       .gpu = "Tcomplex in [complexes]",
       .shape_fn = SameShape<2>,
       .cost = 32,
       .accuracy = Composed(1),
       .gradient = ForwardGradient<2>,
       .gradient_trial = kTrial,
       .samples = PlaneSamples()},
      {.signature = "IFFT2D(input: Tcomplex) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "The inverse of FFT2D.",
       .gpu = "Tcomplex in [complexes]",
       .shape_fn = SameShape<2>,
       .cost = 32,
       .accuracy = Composed(1),
       .gradient = InverseGradient<2>,
       .gradient_trial = kTrial,
       .samples = PlaneSamples()},
      {.signature = "FFT3D(input: Tcomplex) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "The discrete Fourier transform along the last three axes.",
       .gpu = "Tcomplex in [complexes]",
       .shape_fn = SameShape<3>,
       .cost = 48,
       .accuracy = Composed(1),
       .gradient = ForwardGradient<3>,
       .gradient_trial = kTrial,
       .samples = BoxSamples()},
      {.signature = "IFFT3D(input: Tcomplex) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "The inverse of FFT3D.",
       .gpu = "Tcomplex in [complexes]",
       .shape_fn = SameShape<3>,
       .cost = 48,
       .accuracy = Composed(1),
       .gradient = InverseGradient<3>,
       .gradient_trial = kTrial,
       .samples = BoxSamples()},
  };
  return rows;
}

}  // namespace plumb::topics
