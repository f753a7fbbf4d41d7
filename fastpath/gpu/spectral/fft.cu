// Fourier transforms of complex numbers: axis by axis, the last one first.
#include <string>

#include "fastpath/formulas/spectral/real_sizes.h"
#include "fastpath/gpu/lib/axes.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/spectral/axis_transform.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
class Fourier final : public GpuKernel {
 public:
  Fourier(const Node&, int axes, bool inverse) : axes_(axes), inverse_(inverse) {}

  void Run(GpuContext& context) override {
    const Shape shape = context.OutputShape(0);
    const int rank = shape.rank(), first = rank - axes_;
    for (int axis = first; axis < rank && shape.elements() > 0; ++axis) CheckTransformLength(shape[axis]);
    Global<const Complex<T>> from = NumbersIn<std::complex<T>>(context, 0);
    Tensor y = context.ForwardOrAllocate(0, 0, shape);
    if (y.elements() == 0) return;
    const Global<Complex<T>> to = NumbersOf<std::complex<T>>(context, y);
    const T scale = inverse_ ? T(1) / static_cast<T>(ElementsIn(shape, first, rank)) : T(1);
    for (int axis = rank - 1; axis >= first; --axis) {
      const Axis sizes = {ElementsIn(shape, 0, axis), shape[axis], ElementsIn(shape, axis + 1, rank)};
      QueueTransform<T>(context, sizes, inverse_, axis == first ? scale : T(1), from, to);
      from = to;
    }
  }

 private:
  const int axes_;
  const bool inverse_;
};

template <int kAxes, bool kInverse>
std::unique_ptr<GpuKernel> MakeFourier(const Node& node) {
  if (node.output_types[0] == DType::kComplex64) return std::make_unique<Fourier<float>>(node, kAxes, kInverse);
  if (node.output_types[0] == DType::kComplex128) return std::make_unique<Fourier<double>>(node, kAxes, kInverse);
  ThrowNoGpuKernel(node);
}

constexpr GpuKernelRow kRows[] = {
    {"FFT", MakeFourier<1, false>}, {"FFT2D", MakeFourier<2, false>}, {"FFT3D", MakeFourier<3, false>},
    {"IFFT", MakeFourier<1, true>}, {"IFFT2D", MakeFourier<2, true>}, {"IFFT3D", MakeFourier<3, true>},
};

}  // namespace

std::span<const GpuKernelRow> SpectralFft() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
