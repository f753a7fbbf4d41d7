// Cubic interpolation: weights of four neighbours, from a table of 1024 steps between two pixels.
#include <algorithm>
#include <array>
#include <cmath>

#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

constexpr int kSteps = 1024;

struct Tap {
  int64_t at = 0;
  float weight = 0;
};
using Taps = std::array<Tap, 4>;

// The cubic convolution kernel of Keys at distance `x` below 1, and between 1 and 2, where `a` is its slope at 1.
float Near(double a, float x) { return static_cast<float>(((a + 2) * x - (a + 3)) * x * x + 1); }
float Far(double a, float x) { return static_cast<float>(((a * x - 5 * a) * x + 8 * a) * x - 4 * a); }

// Half-pixel centres go with a = −1/2, without weight for what lies outside of the source; legacy places with a = −3/4,
// where the pixels at its edges stand for those outside.
Taps TapsOf(const Resizing& r, const Axis& axis, int64_t i) {
  const double a = r.half_pixel_centers ? -0.5 : -0.75;
  const float place = PlaceOf(r, axis, i);
  const auto below = static_cast<int64_t>(std::floor(place));
  const long step = std::lrintf((place - static_cast<float>(below)) * kSteps);
  const float x = static_cast<float>(step) / kSteps, rest = static_cast<float>(kSteps - step) / kSteps;
  const float weights[] = {Far(a, x + 1), Near(a, x), Near(a, rest), Far(a, rest + 1)};
  Taps taps;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    const int64_t at = below - 1 + k;
    taps[k].at = std::clamp<int64_t>(at, 0, axis.source - 1);
    taps[k].weight = !r.half_pixel_centers || taps[k].at == at ? weights[k] : 0;
    sum += taps[k].weight;
  }
  if (r.half_pixel_centers && std::fabs(sum) >= 1000 * std::numeric_limits<float>::min()) {
    for (Tap& tap : taps) tap.weight *= 1 / sum;
  }
  return taps;
}

void ResizeBicubic(OpContext& context) {
  const Resizing r = ForwardResizing(context);
  ForKind<Real, Integer>(context.tensor(0).dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> images(context.input(0));
    ComputeIn(DType::kFloat);
    Writer<Real> target(DType::kFloat, r.target_shape());
    ForEachTarget(r, [&](int64_t b, int64_t y, int64_t x, int64_t c) {
      const Taps rows = TapsOf(r, r.height, y), columns = TapsOf(r, r.width, x);
      Sum sum;
      for (const Tap& column : columns) {
        Sum along;
        for (const Tap& row : rows) {
          along.AddProduct(AsFloat(images[r.SourceIndex(b, row.at, column.at, c)]), Real(row.weight));
        }
        sum.AddProduct(along.Result(), Real(column.weight));
      }
      target.Set(r.TargetIndex(b, y, x, c), sum.Result());
    });
    context.Output(0, target.Take());
  });
}

void ResizeBicubicGrad(OpContext& context) {
  const Resizing r = BackwardResizing(context);
  const DType dtype = context.tensor(1).dtype();
  CheckResultSize(r.source_shape());
  const Reader<Real> dy(context.input(0));
  ForKind<Real>(dtype, [&](auto) {
    SumProductsOf(dtype);
    arithmetic.product_unit += 2 * UnitRoundoff(DType::kFloat);  // of two weights, in float32 whatever the type
    std::vector<Sum> sums(static_cast<size_t>(r.source_shape().elements()));
    ForEachTarget(r, [&](int64_t b, int64_t y, int64_t x, int64_t c) {
      const Taps rows = TapsOf(r, r.height, y), columns = TapsOf(r, r.width, x);
      for (const Tap& row : rows) {
        for (const Tap& column : columns) {
          sums[r.SourceIndex(b, row.at, column.at, c)].AddProduct(
              dy[r.TargetIndex(b, y, x, c)], Real(static_cast<double>(row.weight) * column.weight));
        }
      }
    });
    Writer<Real> dx(dtype, r.source_shape());
    for (int64_t i = 0; i < dx.size(); ++i) dx.Set(i, sums[i].Result());
    context.Output(0, dx.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"ResizeBicubic", ResizeBicubic},
    {"ResizeBicubicGrad", ResizeBicubicGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageResizeBicubic() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
