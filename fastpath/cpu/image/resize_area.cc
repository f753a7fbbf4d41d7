// Each pixel is the mean of the area that it covers in the source: columns first, then sums along rows.
#include <algorithm>
#include <cmath>

#include "fastpath/cpu/image/resizing.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::fast::cpu {
namespace {

struct Share {
  int64_t at;
  float length;
};

// Corners of a single pixel cannot be aligned with two of the target's: it is cut into equal parts.
Axis OverArea(Axis axis) {
  if (axis.scale == 0) axis.scale = static_cast<float>(axis.source) / static_cast<float>(axis.target);
  return axis;
}

// For each pixel of the target, those of the source that it covers, and how much of each.
class Shares {
 public:
  explicit Shares(const Axis& axis) {
    for (int64_t i = 0; i < axis.target; ++i) {
      starts_.push_back(shares_.size());
      const float from = static_cast<float>(i) * axis.scale, to = static_cast<float>(i + 1) * axis.scale;
      for (auto k = static_cast<int64_t>(std::floor(from)); k < static_cast<int64_t>(std::ceil(to)); ++k) {
        shares_.push_back({std::clamp<int64_t>(k, 0, axis.source - 1), Length(axis, from, to, k)});
      }
    }
    starts_.push_back(shares_.size());
  }
  std::span<const Share> Of(int64_t i) const {
    const size_t start = starts_[static_cast<size_t>(i)];
    return {shares_.data() + start, starts_[static_cast<size_t>(i) + 1] - start};
  }

 private:
  static float Length(const Axis& axis, float from, float to, int64_t k) {
    const auto start = static_cast<float>(k), end = static_cast<float>(k + 1);
    if (start < from) return end > to ? axis.scale : end - from;
    return end > to ? to - start : 1.0f;
  }

  std::vector<Share> shares_;
  std::vector<size_t> starts_;
};

template <class T>
class ResizeArea final : public Kernel {
 public:
  explicit ResizeArea(const Node& node) : places_(node) {}

  void Run(KernelContext& context) override {
    Resizing r = places_.Forward(context.input(0).shape(), context.input(1));
    r.height = OverArea(r.height);
    r.width = OverArea(r.width);
    Tensor& output = context.AllocateOutput(0, DType::kFloat, r.target_shape());
    if (output.elements() == 0) return;
    const Shares rows(r.height), columns(r.width);
    const auto share = static_cast<float>(1.0 / (r.height.scale * r.width.scale));
    const T* const from = context.input(0).data<T>().data();
    float* const to = output.mutable_data<float>().data();
    const auto covered = static_cast<int64_t>(r.height.scale) + 1;
    const int64_t work = 2 * covered * r.source_row() + 2 * r.target_row();
    context.pool().ParallelFor(r.batch * r.height.target, GrainFor(work), [&](int64_t begin, int64_t end) {
      std::vector<float> sums(static_cast<size_t>(r.source_row()));
      ForEachRow(r, begin, end, [&](int64_t image, int64_t y, int64_t i) {
        AddRows(r, rows.Of(y), from + image * r.height.source * r.source_row(), sums);
        float* const pixels = to + i * r.target_row();
        for (int64_t x = 0; x < r.width.target; ++x) {
          AddPixels(columns.Of(x), r.channels, sums.data(), share, pixels + x * r.channels);
        }
      });
    });
  }

 private:
  static void AddRows(const Resizing& r, std::span<const Share> shares, const T* image, std::vector<float>& sums) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (const Share& share : shares) {
      const T* const row = image + share.at * r.source_row();
      for (size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<float>(row[i]) * share.length;
    }
  }
  static void AddPixels(std::span<const Share> shares, int64_t channels, const float* row, float scale, float* to) {
    std::fill_n(to, channels, 0.0f);
    for (const Share& share : shares) {
      const float* const pixel = row + share.at * channels;
      for (int64_t c = 0; c < channels; ++c) to[c] += pixel[c] * share.length;
    }
    for (int64_t c = 0; c < channels; ++c) to[c] *= scale;
  }

  const Places places_;
};

constexpr KernelRow kRows[] = {
    {"ResizeArea", MakeForPixels<ResizeArea, PixelTypes, 0>},
};

}  // namespace

std::span<const KernelRow> ImageResizeArea() { return kRows; }

}  // namespace plumb::fast::cpu
