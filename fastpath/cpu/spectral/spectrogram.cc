// AudioSpectrogram: frames run on the pool, each thread with a transform of its own.
#include <bit>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/spectral/row_transform.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Periodic.
std::vector<double> HannWindow(int64_t size) {
  std::vector<double> window(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i) {
    window[static_cast<size_t>(i)] =
        0.5 - 0.5 * std::cos(2 * M_PI * static_cast<double>(i) / static_cast<double>(size));
  }
  return window;
}

class SpectrogramKernel final : public Kernel {
 public:
  explicit SpectrogramKernel(const Node& node)
      : window_size_(GetAttr<int64_t>(node.attrs, "window_size")),
        stride_(GetAttr<int64_t>(node.attrs, "stride")),
        squared_(GetAttr<bool>(node.attrs, "magnitude_squared")) {
    Require(window_size_ > 1 && window_size_ <= kLongestRow, "a window has from 2 to 2^28 samples, not ", window_size_);
    Require(stride_ > 0 && stride_ <= INT32_MAX, "the stride is positive and has 31 bits, and is not ", stride_);
    length_ = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window_size_)));
  }

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    Require(input.rank() == 2, "input must have the shape [samples, channels], not ", Printed(input.shape()));
    const int64_t samples = input.dim(0), channels = input.dim(1), bins = length_ / 2 + 1;
    const int64_t frames = samples < window_size_ ? 0 : 1 + (samples - window_size_) / stride_;
    Tensor& output = context.AllocateOutput(0, DType::kFloat, Shape({channels, frames, bins}));
    if (output.elements() == 0) return;
    const std::vector<double> window = HannWindow(window_size_);
    const float* const from = input.data<float>().data();
    float* const to = output.mutable_data<float>().data();
    context.pool().ParallelFor(channels * frames, GrainFor(8 * length_), [&](int64_t begin, int64_t end) {
      auto transform = transforms_.Take(length_, /*inverse=*/false);
      std::vector<double> signal(static_cast<size_t>(length_));
      std::vector<std::complex<double>> spectrum(static_cast<size_t>(bins));
      for (int64_t row = begin; row < end; ++row) {
        const float* const frame = from + row % frames * stride_ * channels + row / frames;
        for (int64_t i = 0; i < window_size_; ++i) {
          signal[static_cast<size_t>(i)] = static_cast<double>(frame[i * channels]) * window[static_cast<size_t>(i)];
        }
        transform->RealToHalf(signal.data(), spectrum.data());
        Put(spectrum, to + row * bins);
      }
      transforms_.GiveBack(std::move(transform));
    });
  }

 private:
  // Squares are rounded before roots are taken.
  void Put(const std::vector<std::complex<double>>& spectrum, float* to) const {
    for (const std::complex<double>& z : spectrum) {
      const auto square = static_cast<float>(z.real() * z.real() + z.imag() * z.imag());
      *to++ = squared_ ? square : std::sqrt(square);
    }
  }

  const int64_t window_size_, stride_;
  const bool squared_;
  int64_t length_ = 0;
  RowTransforms<double> transforms_;
};

constexpr KernelRow kRows[] = {
    {"AudioSpectrogram", Make<SpectrogramKernel>},
};

}  // namespace

std::span<const KernelRow> SpectralSpectrogram() { return kRows; }

}  // namespace plumb::fast::cpu
