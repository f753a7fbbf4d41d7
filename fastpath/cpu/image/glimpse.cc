// Windows of images at offsets, with noise where they reach beyond.
#include <algorithm>
#include <cmath>

#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {
namespace {

enum class Noise { kUniform, kGaussian, kZero };

Noise NoiseOf(const Node& node) {
  const auto name = GetAttrOr<std::string>(node.attrs, "noise", "uniform");
  const bool uniform = GetAttrOr(node.attrs, "uniform_noise", true);
  Require(!uniform || name.empty() || name == "uniform", "uniform_noise asks for another noise than '", name, "'");
  if (name.empty()) return uniform ? Noise::kUniform : Noise::kGaussian;
  if (name == "uniform") return Noise::kUniform;
  if (name == "gaussian") return Noise::kGaussian;
  Require(name == "zero", "noise must be 'uniform', 'gaussian' or 'zero', not '", name, "'");
  return Noise::kZero;
}

// What noise is made of: the extremes, mean and deviation of `count` numbers.
struct Spread {
  float low = 0, high = 0, mean = 0, sigma = 0;

  Spread(const float* numbers, int64_t count, int64_t step) {
    if (count == 0) return;
    low = high = numbers[0];
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; ++i) {
      const float x = numbers[i * step];
      low = low <= x || low != low ? low : x;
      high = high >= x || high != high ? high : x;
      sum += x;
    }
    mean = static_cast<float>(sum / static_cast<double>(count));
    for (int64_t i = 0; i < count; ++i) {
      const double distance = double{numbers[i * step]} - mean;
      squares += distance * distance;
    }
    sigma = static_cast<float>(std::sqrt(squares / static_cast<double>(count)));
  }
};

// The noise of one image: two words for each element, whether it is looked at or not.
class NoiseSource {
 public:
  NoiseSource(Noise noise, const float* image, int64_t pixels, int64_t channels, int64_t number)
      : noise_(noise), words_(Philox(1, static_cast<uint64_t>(number))), all_(image, pixels * channels, 1) {
    if (noise != Noise::kGaussian) return;
    for (int64_t c = 0; c < channels; ++c) channels_.emplace_back(image + c, pixels, channels);
  }

  float Next(int64_t channel) {
    const float first = Even(), second = Even();
    if (noise_ == Noise::kZero) return 0;
    if (noise_ == Noise::kUniform) return all_.low + first * (all_.high - all_.low);
    const Spread& spread = channels_[static_cast<size_t>(channel)];
    const float normal = std::sqrt(-2 * std::log(1 - first)) * std::cos(6.2831855f * second);
    const float number = spread.mean + normal * spread.sigma;
    const float limited = number <= spread.high || number != number ? number : spread.high;
    return limited >= spread.low || limited != limited ? limited : spread.low;
  }

 private:
  float Even() { return static_cast<float>(words_.Next() >> 9) * 0x1p-23f; }

  const Noise noise_;
  PhiloxWords words_;
  const Spread all_;
  std::vector<Spread> channels_;
};

class ExtractGlimpse final : public Kernel {
 public:
  ExtractGlimpse(const Node& node, int version)
      : version_(version),
        centered_(GetAttrOr(node.attrs, "centered", true)),
        normalized_(GetAttrOr(node.attrs, "normalized", true)),
        noise_(NoiseOf(node)) {}

  void Run(KernelContext& context) override {
    const Shape& images = context.input(0).shape();
    const Tensor &size = context.input(1), &offsets = context.input(2);
    Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
    Require(size.rank() == 1 && size.elements() == 2, "size must be a vector of two, not of shape ",
            size.shape().ToString());
    Require(offsets.rank() == 2 && offsets.dim(0) == images[0] && offsets.dim(1) == 2,
            "offsets must be two for each of ", images[0], " images, not of shape ", offsets.shape().ToString());
    const int64_t height = IntAt(size, 0), width = IntAt(size, 1), channels = images[3];
    Tensor& output = context.AllocateOutput(0, DType::kFloat, Shape({images[0], height, width, channels}));
    if (output.elements() == 0) return;
    const float* const from = context.input(0).data<float>().data();
    float* const to = output.mutable_data<float>().data();
    const int64_t window = height * width * channels, pixels = images[1] * images[2];
    context.pool().ParallelFor(images[0], GrainFor(8 * window), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const float* const offset = offsets.data<float>().data() + 2 * i;
        const Window place{StartOf(offset[0], images[1], height), StartOf(offset[1], images[2], width), height, width};
        Write(images, from + i * pixels * channels, i, place, to + i * window);
      }
    });
  }

 private:
  struct Window {
    int64_t top, left, height, width;
  };

  void Write(const Shape& images, const float* image, int64_t number, const Window& window, float* to) const {
    const int64_t channels = images[3], row = images[2] * channels;
    const bool whole = window.top >= 0 && window.left >= 0 && window.top + window.height <= images[1] &&
                       window.left + window.width <= images[2];
    if (whole) {
      for (int64_t y = 0; y < window.height; ++y) {
        to = std::copy_n(image + (window.top + y) * row + window.left * channels, window.width * channels, to);
      }
      return;
    }
    NoiseSource noise(noise_, image, images[1] * images[2], channels, number);
    for (int64_t y = window.top; y < window.top + window.height; ++y) {
      for (int64_t x = window.left; x < window.left + window.width; ++x) {
        const bool inside = y >= 0 && y < images[1] && x >= 0 && x < images[2];
        for (int64_t c = 0; c < channels; ++c) {
          const float drawn = noise.Next(c);
          *to++ = inside ? image[y * row + x * channels + c] : drawn;
        }
      }
    }
  }

  // The first pixel of the window, in float32, step by step.
  int64_t StartOf(float offset, int64_t image, int64_t window) const {
    const auto size = static_cast<float>(image), length = static_cast<float>(window);
    float start = offset;
    if (normalized_) start *= size;
    if (version_ == 1) {
      if (centered_) start = start / 2 + size / 2;
      start -= length / 2;
    } else if (centered_) {
      if (normalized_) start /= 2;
      start += size / 2;
      if (normalized_) start -= length / 2;
    }
    constexpr float kFar = 0x1p40f;
    return std::isnan(start) ? -static_cast<int64_t>(kFar) : static_cast<int64_t>(std::clamp(start, -kFar, kFar));
  }

  const int version_;
  const bool centered_, normalized_;
  const Noise noise_;
};

constexpr KernelRow kRows[] = {
    {"ExtractGlimpse", MakeWith<ExtractGlimpse, 1>},
    {"ExtractGlimpseV2", MakeWith<ExtractGlimpse, 2>},
};

}  // namespace

std::span<const KernelRow> ImageGlimpse() { return kRows; }

}  // namespace plumb::fast::cpu
