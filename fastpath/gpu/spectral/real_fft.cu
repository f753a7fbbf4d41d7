// Fourier transforms of real numbers. Along the last axis a row has half a spectrum; there whole rows of complex
// numbers are transformed. The other axes are complex.
#include "fastpath/formulas/spectral/real_sizes.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/strided_copy.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/spectral/axis_transform.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL WidenLoop(Global<const T> x, Walk walk, Global<Complex<T>> to) {
  for (int64_t i = First(); i < to.size; i += Stride()) to[i] = {x[walk.At(0, i)], T(0)};
}
// Rows of n numbers from their first n/2 + 1: those behind are conjugate to those before.
template <class T>
PLUMB_GPU_KERNEL MirrorLoop(Global<const Complex<T>> halves, int64_t n, Global<Complex<T>> to) {
  const int64_t half = n / 2 + 1;
  for (int64_t i = First(); i < to.size; i += Stride()) {
    const int64_t row = i / n * half, k = i % n;
    to[i] = k < half ? halves[row + k] : Conjugated(halves[row + n - k]);
  }
}
template <class T>
PLUMB_GPU_KERNEL RealLoop(Global<const Complex<T>> from, T scale, Global<T> to) {
  for (int64_t i = First(); i < to.size; i += Stride()) to[i] = scale * from[i].re;
}

class RealTransform : public GpuKernel {
 public:
  RealTransform(const Node&, int axes) : axes_(axes) {}

 protected:
  // From the input to the first `count` numbers of each of the rows that are transformed.
  static Walk IntoRows(const RealTransformSizes& sizes, int64_t count) {
    Walk walk;
    int64_t from[RealTransformSizes::kMostAxes], to[RealTransformSizes::kMostAxes], in = 1, out = 1;
    for (int i = sizes.axes - 1; i >= 0; --i) {
      from[i] = in;
      to[i] = out;
      in *= sizes.input[i];
      out *= i == sizes.axes - 1 ? count : sizes.length[i];
    }
    AddAxis(walk, sizes.batch, in, out);
    for (int i = 0; i < sizes.axes; ++i) {
      AddAxis(walk, i == sizes.axes - 1 ? count : sizes.length[i], from[i], to[i]);
    }
    return walk;
  }

  // The axes before the last one of [batch, length…, half], in place.
  template <class T>
  static void QueueOuterAxes(GpuContext& context, const RealTransformSizes& sizes, bool inverse,
                             Global<Complex<T>> data) {
    Axis axis = {sizes.batch * sizes.rows(), 1, sizes.half};
    for (int i = sizes.axes - 2; i >= 0; --i) {
      axis.n = sizes.length[i];
      axis.outer /= axis.n;
      QueueTransform<T>(context, axis, inverse, T(1), data, data);
      axis.inner *= axis.n;
    }
  }
  template <class T>
  static Tensor NewRows(GpuContext& context, int64_t rows, int64_t length) {
    return context.Scratch(DTypeOf<std::complex<T>>, Shape({rows, length}));
  }

  const int axes_;
};

template <class T>
class Spectrum final : public RealTransform {
 public:
  using RealTransform::RealTransform;

  void Run(GpuContext& context) override {
    const RealTransformSizes sizes(context.input(0).shape(), context.input(1), axes_, true);
    const Global<const T> x = context.In<T>(0);
    Tensor y = context.AllocateOutput(0, sizes.output);
    if (x.size == 0) return context.Clear(y);
    const int64_t rows = sizes.batch * sizes.rows(), n = sizes.last();
    Tensor whole = NewRows<T>(context, rows, n);
    const auto data = NumbersOf<std::complex<T>>(context, whole);
    Launch(context.stream(), LoopOver(data.size), WidenLoop<T>, x, IntoRows(sizes, n), data);
    QueueTransform<T>(context, {rows, n, 1}, false, T(1), data, data);
    CopyRows(context, {rows, sizes.half, n, sizes.half}, whole, 0, y, 0);
    QueueOuterAxes<T>(context, sizes, false, NumbersOf<std::complex<T>>(context, y));
  }
};

template <class T>
class Signal final : public RealTransform {
 public:
  using RealTransform::RealTransform;

  void Run(GpuContext& context) override {
    const Tensor x = context.input(0);
    const RealTransformSizes sizes(x.shape(), context.input(1), axes_, false);
    Tensor y = context.AllocateOutput(0, sizes.output);
    if (x.elements() == 0) return context.Clear(y);
    const int64_t rows = sizes.batch * sizes.rows(), n = sizes.last();
    Tensor halves = NewRows<T>(context, rows, sizes.half), whole = NewRows<T>(context, rows, n);
    const auto half = NumbersOf<std::complex<T>>(context, halves), data = NumbersOf<std::complex<T>>(context, whole);
    CopyAlong(context, IntoRows(sizes, sizes.half), x, 0, halves, 0);
    QueueOuterAxes<T>(context, sizes, true, half);
    Launch(context.stream(), LoopOver(data.size), MirrorLoop<T>, half, n, data);
    QueueTransform<T>(context, {rows, n, 1}, true, T(1), data, data);
    const T scale = T(1) / static_cast<T>(sizes.rows() * n);
    Launch(context.stream(), LoopOver(data.size), RealLoop<T>, data, scale, context.ViewOf<T>(y));
  }
};

template <template <class> class K, int kAxes>
std::unique_ptr<GpuKernel> MakeReal(const Node& node) {
  const DType real = GetAttr<DType>(node.attrs, "Treal"), complex = GetAttr<DType>(node.attrs, "Tcomplex");
  if (real == DType::kFloat && complex == DType::kComplex64) return std::make_unique<K<float>>(node, kAxes);
  if (real == DType::kDouble && complex == DType::kComplex128) return std::make_unique<K<double>>(node, kAxes);
  ThrowNoGpuKernel(node);
}

constexpr GpuKernelRow kRows[] = {
    {"RFFT", MakeReal<Spectrum, 1>}, {"RFFT2D", MakeReal<Spectrum, 2>}, {"RFFT3D", MakeReal<Spectrum, 3>},
    {"IRFFT", MakeReal<Signal, 1>},  {"IRFFT2D", MakeReal<Signal, 2>},  {"IRFFT3D", MakeReal<Signal, 3>},
};

}  // namespace

std::span<const GpuKernelRow> SpectralRealFft() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
