// Windows of images at offsets, with noise where they reach beyond.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"
#include "reference/numbers/philox.h"
#include "reference/ops/image/colors.h"
#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

enum class Noise { kUniform, kGaussian, kZero };

Noise NoiseOf(const Node& node) {
  const auto& name = GetAttr<std::string>(node.attrs, "noise");
  const bool uniform = GetAttr<bool>(node.attrs, "uniform_noise");
  Require(!uniform || name.empty() || name == "uniform", "uniform_noise asks for another noise than '", name, "'");
  if (name.empty()) return uniform ? Noise::kUniform : Noise::kGaussian;
  if (name == "uniform") return Noise::kUniform;
  if (name == "gaussian") return Noise::kGaussian;
  Require(name == "zero", "noise must be 'uniform', 'gaussian' or 'zero', not '", name, "'");
  return Noise::kZero;
}
void CheckNoise(const Node& node) { NoiseOf(node); }

// One dimension of an image and of its window.
struct Side {
  int64_t image = 0, window = 0;
};

// The first pixel of the window, in float32, step by step: version 1 and version 2 read `offset` differently.
int64_t StartOf(float offset, const Side& side, bool normalized, bool centered, int version) {
  const auto size = static_cast<float>(side.image), window = static_cast<float>(side.window);
  float start = offset;
  if (normalized) start *= size;
  if (version == 1) {
    if (centered) start = start / 2 + size / 2;
    start -= window / 2;
  } else if (centered) {
    if (normalized) start /= 2;
    start += size / 2;
    if (normalized) start -= window / 2;
  }
  constexpr float kFar = 0x1p40f;
  return std::isnan(start) ? -static_cast<int64_t>(kFar) : static_cast<int64_t>(std::clamp(start, -kFar, kFar));
}

// What noise is made of, for each channel of an image.
struct Spread {
  Real low, high, mean, sigma;
};

Spread SpreadOf(const Reader<Real>& images, int64_t first, int64_t count, int64_t step) {
  if (count == 0) return {};
  Spread spread;
  spread.low = spread.high = images[first];
  Sum sum;
  for (int64_t i = 0; i < count; ++i) {
    const Real x = images[first + i * step];
    spread.low = Min(spread.low, x);
    spread.high = Max(spread.high, x);
    sum.Add(x);
  }
  const Real number(static_cast<double>(count));
  spread.mean = sum.Result() / number;
  Sum squares;
  for (int64_t i = 0; i < count; ++i) squares.Add(Square(images[first + i * step] - spread.mean));
  spread.sigma = Sqrt(squares.Result() / number);
  return spread;
}

// Even in [0, 1): the upper 23 bits of a word.
Real Even(PhiloxWords& words) { return std::ldexp(static_cast<double>(words.Next() >> 9), -23); }

Real Drawn(Noise noise, PhiloxWords& words, const Spread& all, const Spread& channel) {
  const Real first = Even(words), second = Even(words);
  if (noise == Noise::kZero) return 0;
  if (noise == Noise::kUniform) return all.low + first * Difference(all.high, all.low);
  const Real radius = Sqrt(Real(-2) * Log(Real(1) - first));
  const Real normal = radius * Cos(Real(6.2831855) * second);
  return Max(Min(channel.mean + normal * channel.sigma, channel.high), channel.low);
}

template <int version>
void ExtractGlimpse(OpContext& context) {
  const Shape &images = context.tensor(0).shape(), &offsets = context.tensor(2).shape();
  const Tensor& size = context.tensor(1);
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
  Require(size.rank() == 1 && size.elements() == 2, "size must be a vector of two, not of shape ",
          size.shape().ToString());
  Require(offsets.rank() == 2 && offsets.dim(0) == images.dim(0) && offsets.dim(1) == 2,
          "offsets must be two for each of ", images.dim(0), " images, not of shape ", offsets.ToString());
  const std::vector<int64_t> window = ToInt64s(size);
  const int64_t channels = images.dim(3);
  const Side height{images.dim(1), window[0]}, width{images.dim(2), window[1]};
  const Noise noise = NoiseOf(context.node);
  const bool normalized = context.attr<bool>("normalized"), centered = context.attr<bool>("centered");
  ComputeIn(DType::kFloat);
  const Reader<Real> from(context.input(0)), at(context.input(2));
  Writer<Real> to(DType::kFloat, {images.dim(0), window[0], window[1], channels});
  const int64_t pixels = height.image * width.image;
  const bool certain = IsExact(context.input(2));
  for (int64_t image = 0, i = 0; i < to.size(); ++image) {
    const auto offset = [&](int64_t k) { return static_cast<float>(at[2 * image + k].v); };
    const int64_t top = StartOf(offset(0), height, normalized, centered, version);
    const int64_t left = StartOf(offset(1), width, normalized, centered, version);
    const int64_t first = image * pixels * channels;
    const Spread all = SpreadOf(from, first, pixels * channels, 1);
    std::vector<Spread> spreads;
    for (int64_t c = 0; c < channels; ++c) spreads.push_back(SpreadOf(from, first + c, pixels, channels));
    PhiloxWords words(Philox(1, static_cast<uint64_t>(image)));
    for (int64_t y = top; y < top + window[0]; ++y) {
      for (int64_t x = left; x < left + window[1]; ++x) {
        for (int64_t c = 0; c < channels; ++c) {
          const Real drawn = Drawn(noise, words, all, spreads[c]);
          const bool inside = y >= 0 && y < height.image && x >= 0 && x < width.image;
          to.Set(i++, If(certain, inside ? from[first + (y * width.image + x) * channels + c] : drawn));
        }
      }
    }
  }
  context.Output(0, to.Take());
}

constexpr KernelRow kRows[] = {
    {"ExtractGlimpse", ExtractGlimpse<1>, CheckNoise},
    {"ExtractGlimpseV2", ExtractGlimpse<2>, CheckNoise},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageGlimpse() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
