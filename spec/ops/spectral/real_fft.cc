#include <algorithm>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The last axes take the sizes of fft_length; of a spectrum the very last one has its first half only.
template <int kAxes, bool kForward>
Shapes TransformShapes(const ShapeContext& c) {
  PartialShape shape = WithRankAtLeast(c, 0, kAxes);
  MergeDims(c, WithRank(c, 1, 1).dim(0), kAxes);
  if (!shape.has_rank()) return {shape};
  const auto lengths = ConstantInts(c, 1);
  for (int i = 0; i < kAxes; ++i) {
    const int64_t length = lengths ? std::max<int64_t>((*lengths)[static_cast<size_t>(i)], -1) : -1;
    const bool half = kForward && i == kAxes - 1 && length > 0;
    shape = WithDim(shape, shape.rank() - kAxes + i, half ? length / 2 + 1 : length);
  }
  return {shape};
}

// Zeros behind `value` along each axis, so that it has this shape.
Endpoint Padded(Gradient& g, Endpoint value, Endpoint shape) {
  const Endpoint after = g.Call("Sub", {shape, g.ShapeOf(value)});
  const Endpoint paddings = g.Call("Pack", {g.ZerosLike(after), after}, {{"N", 2}, {"axis", 1}});
  return g.Call("Pad", {value, paddings});
}
Endpoint Length(Gradient& g) { return g.x(1); }
Endpoint TransformSize(Gradient& g, DType real) {
  return g.Call("Cast", {g.Call("Prod", {Length(g), g.Int32s({0})})}, {{"DstT", real}});
}

// dx = Re Σ dy[k] exp(2πi k t / n) over the half of the spectrum that there is: the rest counts as zero. Elements of x
// beyond fft_length were not looked at.
template <int kAxes>
Values SpectrumGradient(Gradient& g) {
  const DType real = g.attr<DType>("Treal");
  const char* const inverse = kAxes == 1 ? "IFFT" : "IFFT2D";
  const Endpoint whole = Concat(g, {Part(g, g.ShapeOf(g.dy()), 0, -kAxes), Length(g)});
  const Endpoint sums = g.Call("Real", {g.Call(inverse, {Padded(g, g.dy(), whole)})}, {{"Tout", real}});
  const Endpoint dx = g.Call("Mul", {sums, TransformSize(g, real)});
  return {Padded(g, dx, g.ShapeOf(g.x())), GradientValue::None()};
}

// Each coefficient but the first, and for even n the last, stands for two of the whole spectrum: 1, 2, …, 2, 1.
Endpoint Multiplicities(Gradient& g, DType real) {
  const Endpoint n = Part(g, Length(g), -1, 0), one = g.Scalar(1, real);
  const Endpoint doubles = g.Call("FloorDiv", {g.Call("Sub", {n, One(g)}), g.Scalar(2, DType::kInt32)});
  const Endpoint last = g.Call("Sub", {One(g), g.Call("FloorMod", {n, g.Scalar(2, DType::kInt32)})});
  return Concat(g, {g.Call("Fill", {g.Int32s({1}), one}), g.Call("Fill", {doubles, g.Scalar(2, real)}),
                    g.Call("Fill", {last, one})});
}
template <int kAxes>
Values SignalGradient(Gradient& g) {
  const char* const forward = kAxes == 1 ? "RFFT" : "RFFT2D";
  const DType real = g.attr<DType>("Treal"), complex = g.attr<DType>("Tcomplex");
  const Endpoint spectrum = g.Call(forward, {g.dy(), Length(g)}, {{"Tcomplex", complex}});
  const Endpoint weights = g.Call("RealDiv", {Multiplicities(g, real), TransformSize(g, real)});
  const Endpoint dx = g.Call("Mul", {spectrum, g.Call("Cast", {weights}, {{"DstT", complex}})});
  return {Padded(g, dx, g.ShapeOf(g.x())), GradientValue::None()};
}

constexpr const char* kAttrs = "Treal: type = float32 in [float32, float64]; Tcomplex: type = complex64 in [complexes]";
constexpr GradientTrial kTrial = {.untried = "half of it is of complex numbers"};

#define PLUMB_OF_BOTH_WIDTHS(sample) \
  "Treal in [float32] Tcomplex in [complex64]: " sample, "Treal in [float64] Tcomplex in [complex128]: " sample

}  // namespace

std::span<const OpRow> SpectralRealFft() {
  static const OpRow rows[] = {
      {.signature = "RFFT(input: Treal, fft_length: int32) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "The first fft_length/2 + 1 coefficients of the discrete Fourier transform along the last axis, of which "
              "the first fft_length numbers are taken.",
       .gpu = "Treal in [float32, float64]; Tcomplex in [complexes]",
       .shape_fn = TransformShapes<1, true>,
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = SpectrumGradient<1>,
       .gradient_trial = kTrial,
       .samples = {PLUMB_OF_BOTH_WIDTHS("[b... 1] {1}"), PLUMB_OF_BOTH_WIDTHS("[b... 8] {7}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 6] {6}"), PLUMB_OF_BOTH_WIDTHS("[3 67] {67}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 40] {40}"), PLUMB_OF_BOTH_WIDTHS("[1000] {1000}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 0] {0}"), PLUMB_OF_BOTH_WIDTHS("[2 134] {134}")}},
      {.signature = "IRFFT(input: Tcomplex, fft_length: int32) -> (output: Treal)",
       .attrs = kAttrs,
       .doc = "The fft_length real numbers along the last axis whose RFFT the input is; of it the first fft_length/2 + "
              "1 numbers are taken.",
       .gpu = "Treal in [float32, float64]; Tcomplex in [complexes]",
       .shape_fn = TransformShapes<1, false>,
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = SignalGradient<1>,
       .gradient_trial = kTrial,
       .samples = {PLUMB_OF_BOTH_WIDTHS("[b... 1] {1}"), PLUMB_OF_BOTH_WIDTHS("[b... 5] {7}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 4] {6}"), PLUMB_OF_BOTH_WIDTHS("[3 34] {67}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 21] {40}"), PLUMB_OF_BOTH_WIDTHS("[501] {1000}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 0] {0}"), PLUMB_OF_BOTH_WIDTHS("[2 68] {134}")}},
      {.signature = "RFFT2D(input: Treal, fft_length: int32) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "RFFT along the last axis, then FFT along the one before it.",
       .gpu = "Treal in [float32, float64]; Tcomplex in [complexes]",
       .shape_fn = TransformShapes<2, true>,
       .cost = 32,
       .accuracy = Composed(1),
       .gradient = SpectrumGradient<2>,
       .gradient_trial = kTrial,
       .samples = {PLUMB_OF_BOTH_WIDTHS("[b... 1 1] {1, 1}"), PLUMB_OF_BOTH_WIDTHS("[b... 4 8] {3, 7}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 5 6] {5, 6}"), PLUMB_OF_BOTH_WIDTHS("[20 40] {20, 40}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 0 4] {0, 4}")}},
      {.signature = "IRFFT2D(input: Tcomplex, fft_length: int32) -> (output: Treal)",
       .attrs = kAttrs,
       .doc = "The inverse of RFFT2D.",
       .gpu = "Treal in [float32, float64]; Tcomplex in [complexes]",
       .shape_fn = TransformShapes<2, false>,
       .cost = 32,
       .accuracy = Composed(1),
       .gradient = SignalGradient<2>,
       .gradient_trial = kTrial,
       .samples = {PLUMB_OF_BOTH_WIDTHS("[b... 1 1] {1, 1}"), PLUMB_OF_BOTH_WIDTHS("[b... 4 5] {3, 7}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 5 4] {5, 6}"), PLUMB_OF_BOTH_WIDTHS("[20 21] {20, 40}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 0 3] {0, 4}")}},
      {.signature = "RFFT3D(input: Treal, fft_length: int32) -> (output: Tcomplex)",
       .attrs = kAttrs,
       .doc = "RFFT along the last axis, then FFT along the two before it.",
       .gpu = "Treal in [float32, float64]; Tcomplex in [complexes]",
       .shape_fn = TransformShapes<3, true>,
       .cost = 48,
       .accuracy = Composed(1),
       .samples = {PLUMB_OF_BOTH_WIDTHS("[b... 1 2 1] {1, 2, 1}"), PLUMB_OF_BOTH_WIDTHS("[b... 2 4 5] {2, 3, 4}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 3 4 5] {3, 4, 5}"), PLUMB_OF_BOTH_WIDTHS("[b 2 0 4] {2, 0, 4}")}},
      {.signature = "IRFFT3D(input: Tcomplex, fft_length: int32) -> (output: Treal)",
       .attrs = kAttrs,
       .doc = "The inverse of RFFT3D.",
       .gpu = "Treal in [float32, float64]; Tcomplex in [complexes]",
       .shape_fn = TransformShapes<3, false>,
       .cost = 48,
       .accuracy = Composed(1),
       .samples = {PLUMB_OF_BOTH_WIDTHS("[b... 1 2 1] {1, 2, 1}"), PLUMB_OF_BOTH_WIDTHS("[b... 2 4 5] {2, 3, 4}"),
                   PLUMB_OF_BOTH_WIDTHS("[b 3 4 3] {3, 4, 5}"), PLUMB_OF_BOTH_WIDTHS("[b 2 0 3] {2, 0, 4}")}},
  };
  return rows;
}
#undef PLUMB_OF_BOTH_WIDTHS

}  // namespace plumb::topics
