// Cubic interpolation: columns first, so that a row of sums serves all pixels of a row of the target.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fastpath/cpu/image/resizing.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::fast::cpu {
namespace {

constexpr int kSteps = 1024;  // between two pixels

struct Tap {
  int64_t at = 0;
  float weight = 0;
};
using Taps = std::array<Tap, 4>;

// Weights at distances of i and 1024 + i steps.
struct Table {
  std::array<float, kSteps + 1> near, far;
  explicit Table(double a) {
    for (size_t i = 0; i <= kSteps; ++i) {
      const float x = static_cast<float>(i) / kSteps, y = x + 1;
      near[i] = static_cast<float>(((a + 2) * x - (a + 3)) * x * x + 1);
      far[i] = static_cast<float>(((a * y - 5 * a) * y + 8 * a) * y - 4 * a);
    }
  }
};

const Table& TableFor(const Places& places) {
  static const Table keys(-0.5), legacy(-0.75);
  return places.half_pixel_centers() ? keys : legacy;
}

Taps TapsOf(const Places& places, const Table& table, const Axis& axis, int64_t i) {
  const float place = places.Of(axis, i);
  const auto below = static_cast<int64_t>(std::floor(place));
  const auto step = static_cast<size_t>(std::lrintf((place - static_cast<float>(below)) * kSteps));
  const float weights[] = {table.far[step], table.near[step], table.near[kSteps - step], table.far[kSteps - step]};
  Taps taps;
  for (size_t k = 0; k < 4; ++k) {
    const int64_t at = below - 1 + static_cast<int64_t>(k);
    taps[k].at = std::clamp<int64_t>(at, 0, axis.source - 1);
    taps[k].weight = !places.half_pixel_centers() || taps[k].at == at ? weights[k] : 0;
  }
  if (!places.half_pixel_centers()) return taps;
  // What lies outside of the source has no weight; the others share it.
  const float sum = taps[0].weight + taps[1].weight + taps[2].weight + taps[3].weight;
  if (std::fabs(sum) >= 1000 * std::numeric_limits<float>::min()) {
    for (Tap& tap : taps) tap.weight *= 1 / sum;
  }
  return taps;
}

std::vector<Taps> TapsOf(const Places& places, const Axis& axis) {
  const Table& table = TableFor(places);
  std::vector<Taps> taps(static_cast<size_t>(axis.target));
  for (int64_t i = 0; i < axis.target; ++i) taps[static_cast<size_t>(i)] = TapsOf(places, table, axis, i);
  return taps;
}

template <class T>
class ResizeBicubic final : public Kernel {
 public:
  explicit ResizeBicubic(const Node& node) : places_(node) {}

  void Run(KernelContext& context) override {
    const Resizing r = places_.Forward(context.input(0).shape(), context.input(1));
    Tensor& output = context.AllocateOutput(0, DType::kFloat, r.target_shape());
    if (output.elements() == 0) return;
    const auto rows = TapsOf(places_, r.height), columns = TapsOf(places_, r.width);
    const T* const from = context.input(0).data<T>().data();
    float* const to = output.mutable_data<float>().data();
    const int64_t work = 8 * (r.target_row() + r.source_row());
    context.pool().ParallelFor(r.batch * r.height.target, GrainFor(work), [&](int64_t begin, int64_t end) {
      std::vector<float> sums(static_cast<size_t>(r.source_row()));
      ForEachRow(r, begin, end, [&](int64_t image, int64_t y, int64_t i) {
        AddRows(r, rows[static_cast<size_t>(y)], from + image * r.height.source * r.source_row(), sums);
        float* pixel = to + i * r.target_row();
        for (const Taps& taps : columns) pixel = Interpolate(taps, r.channels, sums.data(), pixel);
      });
    });
  }

 private:
  static void AddRows(const Resizing& r, const Taps& taps, const T* image, std::vector<float>& sums) {
    const T* rows[4];
    for (size_t k = 0; k < 4; ++k) rows[k] = image + taps[k].at * r.source_row();
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i] = static_cast<float>(rows[0][i]) * taps[0].weight + static_cast<float>(rows[1][i]) * taps[1].weight +
                static_cast<float>(rows[2][i]) * taps[2].weight + static_cast<float>(rows[3][i]) * taps[3].weight;
    }
  }
  static float* Interpolate(const Taps& taps, int64_t channels, const float* row, float* to) {
    const float* pixels[4];
    for (size_t k = 0; k < 4; ++k) pixels[k] = row + taps[k].at * channels;
    for (int64_t c = 0; c < channels; ++c) {
      *to++ = pixels[0][c] * taps[0].weight + pixels[1][c] * taps[1].weight + pixels[2][c] * taps[2].weight +
              pixels[3][c] * taps[3].weight;
    }
    return to;
  }

  const Places places_;
};

template <class T>
class ResizeBicubicGrad final : public Kernel {
 public:
  explicit ResizeBicubicGrad(const Node& node) : places_(node) {}

  void Run(KernelContext& context) override {
    const Resizing r = places_.BackwardToImages(context.input(0).shape(), context.input(1).shape());
    Tensor& output = context.AllocateOutput(0, DTypeOf<T>, r.source_shape());
    if (output.elements() == 0) return;
    const auto rows = TapsOf(places_, r.height), columns = TapsOf(places_, r.width);
    const float* const from = context.input(0).data<float>().data();
    T* const to = output.mutable_data<T>().data();
    const int64_t size = r.height.source * r.source_row();
    const int64_t work = 32 * r.height.target * r.target_row() + size;
    context.pool().ParallelFor(r.batch, GrainFor(work), [&](int64_t begin, int64_t end) {
      for (int64_t image = begin; image < end; ++image) {
        T* const sums = to + image * size;
        std::fill_n(sums, size, T(0));
        const float* gradient = from + image * r.height.target * r.target_row();
        for (const Taps& row : rows) {
          for (const Taps& column : columns) {
            AddPixel(r, row, column, gradient, sums);
            gradient += r.channels;
          }
        }
      }
    });
  }

 private:
  static void AddPixel(const Resizing& r, const Taps& rows, const Taps& columns, const float* gradient, T* sums) {
    for (const Tap& row : rows) {
      for (const Tap& column : columns) {
        T* const sum = sums + row.at * r.source_row() + column.at * r.channels;
        for (int64_t c = 0; c < r.channels; ++c) {
          sum[c] += static_cast<T>(gradient[c]) * static_cast<T>(row.weight) * static_cast<T>(column.weight);
        }
      }
    }
  }

  const Places places_;
};

constexpr KernelRow kRows[] = {
    {"ResizeBicubic", MakeForPixels<ResizeBicubic, PixelTypes, 0>},
    {"ResizeBicubicGrad", MakeForPixels<ResizeBicubicGrad, Types<float, double>, 1>},
};

}  // namespace

std::span<const KernelRow> ImageResizeBicubic() { return kRows; }

}  // namespace plumb::fast::cpu
