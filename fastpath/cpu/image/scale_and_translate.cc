// Images scaled and moved: each pixel is a weighted mean around its place in the source. Columns first, then rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/image/resizing.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::fast::cpu {
namespace {

struct Kernel1D {
  float radius;
  float (*at)(float distance);
};

constexpr float kPi = 3.14159265358979f;

template <int radius>
float Lanczos(float x) {
  if (x > radius) return 0;
  if (x <= 1e-3) return 1;
  return radius * std::sin(kPi * x) * std::sin(kPi * x / radius) / (kPi * kPi * x * x);
}
float Gaussian(float x) { return x >= 1.5f ? 0 : std::exp(-2 * x * x); }
float Box(float x) { return x < 0.5f ? 1.0f : x == 0.5f ? 0.5f : 0.0f; }
float Triangle(float x) { return x < 1 ? 1 - x : 0; }
float KeysCubic(float x) {
  if (x >= 2) return 0;
  return x >= 1 ? ((-0.5f * x + 2.5f) * x - 4) * x + 2 : (1.5f * x - 2.5f) * x * x + 1;
}
float MitchellCubic(float x) {
  if (x >= 2) return 0;
  return x >= 1 ? ((-7.0f / 18 * x + 2) * x - 10.0f / 3) * x + 16.0f / 9 : (7.0f / 6 * x - 2) * x * x + 8.0f / 9;
}

Kernel1D KernelOf(const Node& node) {
  const auto name = GetAttrOr<std::string>(node.attrs, "kernel_type", "lanczos3");
  if (name == "lanczos1") return {1, Lanczos<1>};
  if (name == "lanczos3") return {3, Lanczos<3>};
  if (name == "lanczos5") return {5, Lanczos<5>};
  if (name == "gaussian") return {1.5f, Gaussian};
  if (name == "box") return {1, Box};
  if (name == "triangle") return {1, Triangle};
  if (name == "keyscubic") return {2, KeysCubic};
  if (name == "mitchellcubic") return {2, MitchellCubic};
  throw InvalidArgument("kernel_type '", name,
                        "' is none of lanczos1, lanczos3, lanczos5, gaussian, box, triangle, "
                        "keyscubic, mitchellcubic");
}

// For each pixel of the target, the pixels of the source that count, and their weights.
class Spans {
 public:
  Spans(const Kernel1D& kernel, const Axis& axis, float scale, float translation, bool antialias) {
    for (int64_t i = 0; i < axis.target; ++i) {
      starts_.push_back(weights_.size());
      firsts_.push_back(Append(kernel, axis, i, scale, translation, antialias));
    }
    starts_.push_back(weights_.size());
  }
  int64_t First(int64_t i) const { return firsts_[static_cast<size_t>(i)]; }
  std::span<const float> Weights(int64_t i) const {
    const size_t start = starts_[static_cast<size_t>(i)];
    return {weights_.data() + start, starts_[static_cast<size_t>(i) + 1] - start};
  }
  int64_t Longest() const {
    size_t longest = 0;
    for (size_t i = 0; i + 1 < starts_.size(); ++i) longest = std::max(longest, starts_[i + 1] - starts_[i]);
    return static_cast<int64_t>(longest);
  }

 private:
  // Places are computed step by step: what is just inside the kernel hangs on them.
  int64_t Append(const Kernel1D& kernel, const Axis& axis, int64_t i, float scale, float translation, bool antialias) {
    const float inverse = 1.0f / scale, moved = -inverse * translation;
    const float stretch = antialias ? std::max(inverse, 1.0f) : 1.0f, shrink = 1.0f / stretch;
    const float centre = static_cast<float>(i) + 0.5f, scaled = centre * inverse, place = scaled + moved;
    if (!(place >= 0 && place <= static_cast<float>(axis.source))) return 0;
    const float reach = kernel.radius * stretch, last = static_cast<float>(axis.source - 1);
    const float low = std::ceil(place - reach - 0.5f), high = std::floor(place + reach - 0.5f);
    const auto first = static_cast<int64_t>(std::clamp(low, 0.0f, last));
    const int64_t end = std::min(static_cast<int64_t>(std::clamp(high, 0.0f, last)), axis.source - 1) + 1;
    const size_t start = weights_.size();
    float total = 0;
    for (int64_t k = first; k < end; ++k) {
      const float distance = static_cast<float>(k) + 0.5f - place;
      weights_.push_back(kernel.at(std::fabs(distance * shrink)));
      total += weights_.back();
    }
    const bool has_sum = std::fabs(total) >= 1000 * std::numeric_limits<float>::min();
    for (size_t k = start; k < weights_.size(); ++k) weights_[k] = has_sum ? weights_[k] / total : 0;
    return first;
  }

  std::vector<int64_t> firsts_;
  std::vector<size_t> starts_;
  std::vector<float> weights_;
};

// What both ops are told.
class Placement {
 public:
  explicit Placement(const Node& node)
      : places_(node), kernel_(KernelOf(node)), antialias_(GetAttrOr(node.attrs, "antialias", true)) {}

  static void Check(const KernelContext& context) {
    for (const int i : {2, 3}) {
      const Tensor& pair = context.input(i);
      Require(pair.rank() == 1 && pair.elements() == 2, "scale and translation must be vectors of two, not of shape ",
              pair.shape().ToString());
    }
    for (const float scale : context.input(2).data<float>()) Require(scale > 0, "scale must be positive, not ", scale);
  }
  const Places& places() const { return places_; }
  // Of the rows (0) or the columns (1).
  Spans SpansOf(const KernelContext& context, const Axis& axis, size_t side) const {
    return Spans(kernel_, axis, context.input(2).data<float>()[side], context.input(3).data<float>()[side], antialias_);
  }

 private:
  const Places places_;
  const Kernel1D kernel_;
  const bool antialias_;
};

template <class T>
class ScaleAndTranslate final : public Kernel {
 public:
  explicit ScaleAndTranslate(const Node& node) : placement_(node) {}

  void Run(KernelContext& context) override {
    Placement::Check(context);
    const Resizing r = placement_.places().Forward(context.input(0).shape(), context.input(1));
    Tensor& output = context.AllocateOutput(0, DType::kFloat, r.target_shape());
    if (output.elements() == 0) return;
    const Spans rows = placement_.SpansOf(context, r.height, 0), columns = placement_.SpansOf(context, r.width, 1);
    const T* const from = context.input(0).data<T>().data();
    float* const to = output.mutable_data<float>().data();
    const int64_t work = 2 * rows.Longest() * r.source_row() + 2 * columns.Longest() * r.target_row();
    context.pool().ParallelFor(r.batch * r.height.target, GrainFor(work), [&](int64_t begin, int64_t end) {
      std::vector<float> sums(static_cast<size_t>(r.source_row()));
      ForEachRow(r, begin, end, [&](int64_t image, int64_t y, int64_t i) {
        std::fill(sums.begin(), sums.end(), 0.0f);
        const T* row = from + (image * r.height.source + rows.First(y)) * r.source_row();
        for (const float weight : rows.Weights(y)) {
          for (size_t k = 0; k < sums.size(); ++k) sums[k] += static_cast<float>(row[k]) * weight;
          row += r.source_row();
        }
        for (int64_t x = 0; x < r.width.target; ++x) {
          WritePixel(columns, x, r.channels, sums.data(), to + i * r.target_row() + x * r.channels);
        }
      });
    });
  }

 private:
  static void WritePixel(const Spans& columns, int64_t x, int64_t channels, const float* row, float* to) {
    std::fill_n(to, channels, 0.0f);
    const float* pixel = row + columns.First(x) * channels;
    for (const float weight : columns.Weights(x)) {
      for (int64_t c = 0; c < channels; ++c) to[c] += pixel[c] * weight;
      pixel += channels;
    }
  }

  const Placement placement_;
};

class ScaleAndTranslateGrad final : public Kernel {
 public:
  explicit ScaleAndTranslateGrad(const Node& node) : placement_(node) {}

  void Run(KernelContext& context) override {
    Placement::Check(context);
    const Resizing r = placement_.places().BackwardToImages(context.input(0).shape(), context.input(1).shape());
    Tensor& output = context.AllocateOutput(0, DType::kFloat, r.source_shape());
    if (output.elements() == 0) return;
    const Spans rows = placement_.SpansOf(context, r.height, 0), columns = placement_.SpansOf(context, r.width, 1);
    const float* const from = context.input(0).data<float>().data();
    float* const to = output.mutable_data<float>().data();
    const int64_t size = r.height.source * r.source_row(), gradients = r.height.target * r.target_row();
    const int64_t work = 2 * rows.Longest() * columns.Longest() * gradients + size;
    context.pool().ParallelFor(r.batch, GrainFor(work), [&](int64_t begin, int64_t end) {
      for (int64_t image = begin; image < end; ++image) {
        std::fill_n(to + image * size, size, 0.0f);
        AddImage(r, rows, columns, from + image * gradients, to + image * size);
      }
    });
  }

 private:
  static void AddImage(const Resizing& r, const Spans& rows, const Spans& columns, const float* gradient, float* to) {
    for (int64_t y = 0; y < r.height.target; ++y) {
      for (int64_t x = 0; x < r.width.target; ++x) {
        float* row = to + rows.First(y) * r.source_row() + columns.First(x) * r.channels;
        for (const float in_row : rows.Weights(y)) {
          float* pixel = row;
          for (const float in_column : columns.Weights(x)) {
            for (int64_t c = 0; c < r.channels; ++c) pixel[c] += gradient[c] * (in_row * in_column);
            pixel += r.channels;
          }
          row += r.source_row();
        }
        gradient += r.channels;
      }
    }
  }

  const Placement placement_;
};

constexpr KernelRow kRows[] = {
    {"ScaleAndTranslate", MakeForPixels<ScaleAndTranslate, PixelTypes, 0>},
    {"ScaleAndTranslateGrad", Make<ScaleAndTranslateGrad>},
};

}  // namespace

std::span<const KernelRow> ImageScaleAndTranslate() { return kRows; }

}  // namespace plumb::fast::cpu
