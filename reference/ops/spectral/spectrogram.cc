// Spectra of sound: a window, a Fourier transform, magnitudes.
#include <bit>
#include <cmath>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/spectral/dft.h"

namespace plumb::reference {
namespace {

constexpr int64_t kLongest = int64_t{1} << 28;

void CheckFrames(const Node& node) {
  const auto window = GetAttr<int64_t>(node.attrs, "window_size"), stride = GetAttr<int64_t>(node.attrs, "stride");
  Require(window > 1 && window <= kLongest, "node ", node.name, ": window_size must be from 2 to 2^28, not ", window);
  Require(stride > 0 && stride <= INT32_MAX, "node ", node.name, ": stride must be from 1 to 2^31 - 1, not ", stride);
}

// Number i of the periodic Hann window. What its cosine loses is within a unit of 1.
Real Hann(int64_t i, int64_t window) {
  return {0.5 - 0.5 * std::cos(2 * M_PI * static_cast<double>(i) / static_cast<double>(window)), 0x1p-52, 0};
}

// Float32 goes in and out; what lies between is double. Squares are rounded before roots are taken.
void AudioSpectrogram(OpContext& c) {
  const Shape& shape = c.tensor(0).shape();
  Require(shape.rank() == 2, "input must have the shape [samples, channels], not ", shape.ToString());
  const auto window = c.attr<int64_t>("window_size"), stride = c.attr<int64_t>("stride");
  const int64_t samples = shape.dim(0), channels = shape.dim(1);
  const auto length = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window)));
  const int64_t frames = samples < window ? 0 : 1 + (samples - window) / stride, bins = length / 2 + 1;
  const Reader<Real> input(c.input(0));
  Writer<Real> output(DType::kFloat, {channels, frames, bins});
  for (int64_t row = 0; row < channels * frames; ++row) {
    const int64_t channel = row / frames, begin = row % frames * stride;
    ComputeIn(DType::kDouble);
    Signal signal({length});
    for (int64_t i = 0; i < window; ++i) {
      signal.Set(i, {input[(begin + i) * channels + channel] * Hann(i, window), Real(0)});
    }
    signal.Transform(0, /*inverse=*/false);
    for (int64_t bin = 0; bin < bins; ++bin) {
      ComputeIn(DType::kDouble);
      const Complex z = signal.At(bin);
      const Real square = z.re * z.re + z.im * z.im;
      ComputeIn(DType::kFloat);
      const Real rounded = Rounded(square.v, square.e, square.d);
      output.Set(row * bins + bin, c.attr<bool>("magnitude_squared") ? rounded : Sqrt(rounded));
    }
  }
  c.Output(0, output.Take());
}

constexpr KernelRow kRows[] = {
    {"AudioSpectrogram", AudioSpectrogram, CheckFrames},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SpectralSpectrogram() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
