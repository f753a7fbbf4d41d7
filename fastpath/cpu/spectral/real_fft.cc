// Fourier transforms of real numbers. Along the last axis a row has half a spectrum; the other axes are complex.
#include <algorithm>
#include <complex>

#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/spectral/axis_transform.h"
#include "fastpath/formulas/spectral/real_sizes.h"

namespace plumb::fast::cpu {
namespace {

using Extents = RealTransformSizes;

// The axes before the last one of [batch, length…, half], in place.
template <class T>
void TransformOuterAxes(ThreadPool& pool, RowTransforms<T>& idle, const Extents& extents, bool inverse,
                        std::complex<T>* data) {
  AxisOf axis = {extents.batch * extents.rows(), 1, extents.half};
  for (int i = extents.axes - 2; i >= 0; --i) {
    axis.n = extents.length[i];
    axis.outer /= axis.n;
    TransformAxis(pool, idle, axis, inverse, T(1), data, data);
    axis.inner *= axis.n;
  }
}

template <class T>
class SpectrumKernel : public Kernel {
 public:
  SpectrumKernel(const Node&, int axes) : axes_(axes) {}

  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    const Extents extents(x.shape(), context.input(1), axes_, true);
    Tensor& y = context.AllocateOutput(0, DTypeOf<std::complex<T>>, extents.output);
    auto* const to = y.mutable_data<std::complex<T>>().data();
    if (x.elements() == 0) {
      std::fill_n(to, y.elements(), std::complex<T>());
      return;
    }
    const T* const from = x.data<T>().data();
    context.pool().ParallelFor(extents.batch * extents.rows(), RowGrain(extents.last()),
                               [&](int64_t begin, int64_t end) {
                                 const TakenTransform<T> transform(idle_, extents.last(), false);
                                 for (int64_t row = begin; row < end; ++row) {
                                   transform->RealToHalf(from + extents.InputRow(row), to + row * extents.half);
                                 }
                               });
    TransformOuterAxes(context.pool(), idle_, extents, false, to);
  }

 private:
  const int axes_;
  RowTransforms<T> idle_;
};

template <class T>
class SignalKernel : public Kernel {
 public:
  SignalKernel(const Node&, int axes) : axes_(axes) {}

  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    const Extents extents(x.shape(), context.input(1), axes_, false);
    Tensor& y = context.AllocateOutput(0, DTypeOf<T>, extents.output);
    T* const to = y.mutable_data<T>().data();
    if (x.elements() == 0) {
      std::fill_n(to, y.elements(), T());
      return;
    }
    const auto* const from = x.data<std::complex<T>>().data();
    if (axes_ == 1) return Synthesize(context.pool(), extents, from, extents.input[0], to);
    const int64_t rows = extents.batch * extents.rows();
    Tensor partial = Allocate(x.dtype(), Shape({rows, extents.half}));
    auto* const half = partial.mutable_data<std::complex<T>>().data();
    context.pool().ParallelFor(rows, GrainFor(2 * extents.half), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        std::copy_n(from + extents.InputRow(row), extents.half, half + row * extents.half);
      }
    });
    TransformOuterAxes(context.pool(), idle_, extents, true, half);
    Synthesize(context.pool(), extents, half, extents.half, to);
  }

 private:
  // Rows of real numbers from rows of coefficients that lie `stride` apart.
  void Synthesize(ThreadPool& pool, const Extents& extents, const std::complex<T>* from, int64_t stride, T* to) {
    const int64_t n = extents.last(), rows = extents.batch * extents.rows();
    const T scale = T(1) / static_cast<T>(extents.rows() * n);
    pool.ParallelFor(rows, RowGrain(n), [&](int64_t begin, int64_t end) {
      const TakenTransform<T> transform(idle_, n, true);
      for (int64_t row = begin; row < end; ++row) {
        T* const result = to + row * n;
        transform->HalfToReal(from + row * stride, result);
        std::for_each(result, result + n, [scale](T& value) { value *= scale; });
      }
    });
  }

  const int axes_;
  RowTransforms<T> idle_;
};

template <template <class> class K, int kAxes>
std::unique_ptr<Kernel> MakeReal(const Node& node) {
  const DType real = GetAttr<DType>(node.attrs, "Treal"), complex = GetAttr<DType>(node.attrs, "Tcomplex");
  if (real == DType::kFloat && complex == DType::kComplex64) return std::make_unique<K<float>>(node, kAxes);
  if (real == DType::kDouble && complex == DType::kComplex128) return std::make_unique<K<double>>(node, kAxes);
  ThrowNoKernel(node);
}

constexpr KernelRow kRows[] = {
    {"RFFT", MakeReal<SpectrumKernel, 1>},   {"RFFT2D", MakeReal<SpectrumKernel, 2>},
    {"RFFT3D", MakeReal<SpectrumKernel, 3>}, {"IRFFT", MakeReal<SignalKernel, 1>},
    {"IRFFT2D", MakeReal<SignalKernel, 2>},  {"IRFFT3D", MakeReal<SignalKernel, 3>},
};

}  // namespace

std::span<const KernelRow> SpectralRealFft() { return kRows; }

}  // namespace plumb::fast::cpu
