// Each pixel is the mean of the area that it covers in the source.
#include <algorithm>
#include <cmath>

#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

struct Share {
  int64_t at = 0;
  float length = 0;
};

// A single pixel is cut into equal parts, where its corners cannot be aligned with two of the target's.
Axis OverArea(Axis axis) {
  if (axis.scale == 0) axis.scale = static_cast<float>(axis.source) / static_cast<float>(axis.target);
  return axis;
}

// The pixels of the source that pixel `i` of the target covers, and how much of each.
std::vector<Share> SharesOf(const Axis& axis, int64_t i) {
  const float from = static_cast<float>(i) * axis.scale, to = static_cast<float>(i + 1) * axis.scale;
  std::vector<Share> shares;
  for (auto k = static_cast<int64_t>(std::floor(from)); k < static_cast<int64_t>(std::ceil(to)); ++k) {
    const auto start = static_cast<float>(k), end = static_cast<float>(k + 1);
    float length = 1;
    if (start < from) {
      length = end > to ? axis.scale : end - from;
    } else if (end > to) {
      length = to - start;
    }
    shares.push_back({std::clamp<int64_t>(k, 0, axis.source - 1), length});
  }
  return shares;
}

void ResizeArea(OpContext& context) {
  Resizing r = ForwardResizing(context);
  r.height = OverArea(r.height);
  r.width = OverArea(r.width);
  const auto share = static_cast<float>(1.0 / (r.height.scale * r.width.scale));
  ForKind<Real, Integer>(context.tensor(0).dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> images(context.input(0));
    ComputeIn(DType::kFloat);
    Writer<Real> target(DType::kFloat, r.target_shape());
    ForEachTarget(r, [&](int64_t b, int64_t y, int64_t x, int64_t c) {
      Sum sum;
      for (const Share& row : SharesOf(r.height, y)) {
        Sum along;
        for (const Share& column : SharesOf(r.width, x)) {
          along.AddProduct(AsFloat(images[r.SourceIndex(b, row.at, column.at, c)]), Real(column.length));
        }
        sum.AddProduct(along.Result(), Real(row.length));
      }
      target.Set(r.TargetIndex(b, y, x, c), sum.Result() * Real(share));
    });
    context.Output(0, target.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"ResizeArea", ResizeArea},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageResizeArea() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
