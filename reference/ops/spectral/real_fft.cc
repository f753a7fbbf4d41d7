// Fourier transforms of real numbers along the last axes: of a spectrum, whose other half is conjugate to it, the first
// half of the last axis is there.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/spectral/dft.h"

namespace plumb::reference {
namespace {

// The parts of the complex type are of the real one.
void CheckTypes(const Node& node) {
  const DType real = GetAttr<DType>(node.attrs, "Treal"), complex = GetAttr<DType>(node.attrs, "Tcomplex");
  if ((real == DType::kDouble) == (complex == DType::kComplex128)) return;
  throw NoKernel(Code::kInvalidArgument, "no kernel of ", node.op->name, " is registered for ", DTypeName(real),
                 " and ", DTypeName(complex));
}

// What is transformed: `lengths` of the signal, its first elements along the last axes of the input.
struct Transform {
  std::vector<int64_t> lengths;  // fft_length
  std::vector<int64_t> in, out;  // along the last axes: what is taken of the input, and what comes out
  Shape batch, output;
  bool empty = false;  // there is no input: what comes out is zero, or nothing

  Transform(const OpContext& c, int axes, bool forward) {
    const Shape& input = c.tensor(0).shape();
    Require(input.rank() >= axes, "the input must have rank ", axes, " at least, not the shape ", input.ToString());
    Require(c.tensor(1).rank() == 1 && c.tensor(1).elements() == axes, "fft_length must have the shape [", axes,
            "], not ", c.tensor(1).shape().ToString());
    lengths = in = out = IntegersOf(c.tensor(1), "fft_length");
    for (const int64_t length : lengths) Require(length >= 0, "fft_length must not be negative, but holds ", length);
    if (!forward) in.back() = in.back() / 2 + 1;
    if (forward && out.back() != 0) out.back() = out.back() / 2 + 1;
    batch = Subshape(input, 0, input.rank() - axes);
    for (int i = 0; i < axes; ++i) {
      const int64_t size = input.dim(batch.rank() + i), least = in[static_cast<size_t>(i)];
      Require(size == 0 || size >= least, "dimension ", batch.rank() + i, " of the input must be ", least,
              " at least, not ", size);
    }
    output = Concatenated(batch, Shape(out));
    empty = input.elements() == 0;
    for (const int64_t length : lengths) {
      Require(empty || length != 0, "fft_length must not be zero where there is an input");
    }
  }
};

// f(input positions of one signal, output positions) for each of the batch.
template <class F>
void ForEachSignal(const Transform& transform, const Shape& input, const F& f) {
  if (transform.empty) return;
  const auto strides = [&](const Shape& shape) {
    const std::vector<int64_t> all = Strides(shape);
    return std::vector<int64_t>(all.begin() + transform.batch.rank(), all.end());
  };
  const int64_t count = transform.batch.elements();
  for (int64_t i = 0; i < count; ++i) {
    f(Positions(Shape(transform.in), strides(input), i * (input.elements() / count)),
      Positions(Shape(transform.out), strides(transform.output), i * (transform.output.elements() / count)));
  }
}

template <int kAxes>
void ToSpectrum(OpContext& c) {
  const Transform transform(c, kAxes, true);
  ForKind<Real>(c.tensor(0).dtype(), [&](auto) {
    const Reader<Real> x(c.input(0));
    auto y = MakeArray<Complex>(c.output_type(0), transform.output);
    ForEachSignal(transform, x.shape(), [&](const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
      Signal signal(transform.lengths);
      for (size_t i = 0; i < from.size(); ++i) signal.Set(static_cast<int64_t>(i), x[from[i]]);
      for (int axis = 0; axis < kAxes; ++axis) signal.Transform(axis, false);
      const auto half = Positions(Shape(transform.out), Strides(Shape(transform.lengths)));
      for (size_t i = 0; i < to.size(); ++i) y[to[i]] = signal.At(half[i]);
    });
    c.Output(0, Store(y));
  });
}

// The half of a spectrum along the last axis, completed by what is conjugate to it.
Signal Completed(const Signal& half, int64_t n) {
  std::vector<int64_t> sizes = half.sizes;
  const int64_t known = sizes.back();
  sizes.back() = n;
  Signal whole(sizes);
  for (size_t i = 0; i < whole.value.size(); ++i) {
    const int64_t row = static_cast<int64_t>(i) / n, k = static_cast<int64_t>(i) % n;
    const auto from = static_cast<size_t>(row * known + (k < known ? k : n - k));
    whole.value[i] = k < known ? half.value[from] : std::conj(half.value[from]);
    whole.tangent[i] = k < known ? half.tangent[from] : std::conj(half.tangent[from]);
  }
  whole.error = 2 * half.error;
  whole.magnitude = 2 * half.magnitude;
  whole.steps = half.steps;
  whole.moves = half.moves;
  return whole;
}

template <int kAxes>
void ToSignal(OpContext& c) {
  const Transform transform(c, kAxes, false);
  ForKind<Complex>(c.tensor(0).dtype(), [&](auto) {
    const Reader<Complex> x(c.input(0));
    auto y = MakeArray<Real>(c.output_type(0), transform.output);
    ForEachSignal(transform, x.shape(), [&](const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
      Signal half(transform.in);
      for (size_t i = 0; i < from.size(); ++i) half.Set(static_cast<int64_t>(i), x[from[i]]);
      for (int axis = 0; axis < kAxes - 1; ++axis) half.Transform(axis, true);
      Signal signal = Completed(half, transform.lengths.back());
      signal.Transform(kAxes - 1, true);
      for (size_t i = 0; i < to.size(); ++i) y[to[i]] = signal.At(static_cast<int64_t>(i)).re;
    });
    c.Output(0, Store(y));
  });
}

constexpr KernelRow kRows[] = {
    {"RFFT", ToSpectrum<1>, CheckTypes}, {"RFFT2D", ToSpectrum<2>, CheckTypes}, {"RFFT3D", ToSpectrum<3>, CheckTypes},
    {"IRFFT", ToSignal<1>, CheckTypes},  {"IRFFT2D", ToSignal<2>, CheckTypes},  {"IRFFT3D", ToSignal<3>, CheckTypes},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SpectralRealFft() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
