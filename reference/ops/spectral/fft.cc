// Fourier transforms of complex numbers along the last axes.
#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/spectral/dft.h"

namespace plumb::reference {
namespace {

template <int kAxes, bool kInverse>
void Transform(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() >= kAxes, "the input must have rank ", kAxes, " at least, not the shape ", shape.ToString());
  ForKind<Complex>(c.tensor(0).dtype(), [&](auto) {
    const Reader<Complex> x(c.input(0));
    Writer<Complex> y(c.output_type(0), shape);
    std::vector<int64_t> sizes;
    for (int axis = shape.rank() - kAxes; axis < shape.rank(); ++axis) sizes.push_back(shape.dim(axis));
    for (int64_t first = 0; first < x.size();) {
      Signal signal(sizes);
      const auto count = static_cast<int64_t>(signal.value.size());
      for (int64_t i = 0; i < count; ++i) signal.Set(i, x[first + i]);
      for (int axis = 0; axis < kAxes; ++axis) signal.Transform(axis, kInverse);
      for (int64_t i = 0; i < count; ++i) y.Set(first + i, signal.At(i));
      first += count;
    }
    c.Output(0, y.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"FFT", Transform<1, false>},   {"IFFT", Transform<1, true>},   {"FFT2D", Transform<2, false>},
    {"IFFT2D", Transform<2, true>}, {"FFT3D", Transform<3, false>}, {"IFFT3D", Transform<3, true>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SpectralFft() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
