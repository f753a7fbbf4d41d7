// Fourier transforms of complex numbers: axis by axis, the last one first.
#include <complex>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/spectral/axis_transform.h"
#include "fastpath/formulas/spectral/real_sizes.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class FourierKernel : public Kernel {
 public:
  FourierKernel(const Node&, int axes, bool inverse) : axes_(axes), inverse_(inverse) {}

  void Run(KernelContext& context) override {
    const auto* from = context.input(0).data<std::complex<T>>().data();
    const Shape shape = context.input(0).shape();
    const int rank = shape.rank();
    Require(rank >= axes_, "the input must have rank ", axes_, " at least, not the shape ", Printed(shape));
    Tensor& y = context.ForwardOrAllocate(0, 0, DTypeOf<std::complex<T>>, shape);
    if (y.elements() == 0) return;
    for (int axis = rank - axes_; axis < rank; ++axis) CheckTransformLength(shape[axis]);
    auto* const to = y.mutable_data<std::complex<T>>().data();
    const T scale = inverse_ ? T(1) / static_cast<T>(ElementsIn(shape, rank - axes_, rank)) : T(1);
    for (int axis = rank - 1; axis >= rank - axes_; --axis) {
      const AxisOf sizes = {ElementsIn(shape, 0, axis), shape[axis], ElementsIn(shape, axis + 1, rank)};
      TransformAxis(context.pool(), idle_, sizes, inverse_, axis == rank - axes_ ? scale : T(1), from, to);
      from = to;
    }
  }

 private:
  const int axes_;
  const bool inverse_;
  RowTransforms<T> idle_;
};

template <int kAxes, bool kInverse>
std::unique_ptr<Kernel> MakeFourier(const Node& node) {
  if (OutputType(node, 0) == DType::kComplex64) return std::make_unique<FourierKernel<float>>(node, kAxes, kInverse);
  if (OutputType(node, 0) == DType::kComplex128) return std::make_unique<FourierKernel<double>>(node, kAxes, kInverse);
  ThrowNoKernel(node);
}

constexpr KernelRow kRows[] = {
    {"FFT", MakeFourier<1, false>}, {"FFT2D", MakeFourier<2, false>}, {"FFT3D", MakeFourier<3, false>},
    {"IFFT", MakeFourier<1, true>}, {"IFFT2D", MakeFourier<2, true>}, {"IFFT3D", MakeFourier<3, true>},
};

}  // namespace

std::span<const KernelRow> SpectralFft() { return kRows; }

}  // namespace plumb::fast::cpu
