#include <algorithm>
#include <cmath>

#include "reference/numbers/narrow_sums.h"
#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

// The pixel of the source that pixel `i` of the target shows.
int64_t NearestTo(const Resizing& r, const Axis& axis, int64_t i) {
  const auto at = static_cast<float>(i);
  const float place = (r.half_pixel_centers ? at + 0.5f : at) * axis.scale;
  const float nearest = r.align_corners ? std::round(place) : std::floor(place);
  return std::clamp<int64_t>(static_cast<int64_t>(nearest), 0, axis.source - 1);
}

void ResizeNearestNeighbor(OpContext& context) {
  const Resizing r = ForwardResizing(context);
  Assembly target(context.tensor(0).dtype(), r.target_shape());
  for (int64_t b = 0; b < r.batch; ++b) {
    for (int64_t y = 0; y < r.height.target; ++y) {
      for (int64_t x = 0; x < r.width.target; ++x) {
        const int64_t from = r.SourceIndex(b, NearestTo(r, r.height, y), NearestTo(r, r.width, x), 0);
        target.Copy(r.TargetIndex(b, y, x, 0), context.input(0), from, r.channels);
      }
    }
  }
  context.Output(0, target.Take());
}

void ResizeNearestNeighborGrad(OpContext& context) {
  const Tensor& size = context.tensor(1);
  Require(size.rank() == 1 && size.elements() == 2, "size must be a vector of two, not of shape ",
          size.shape().ToString());
  const std::vector<int64_t> source = ToInt64s(size);
  const Resizing r = BackwardResizing(context, source[0], source[1]);
  const DType dtype = context.tensor(0).dtype();
  CheckResultSize(r.source_shape());
  ForKind<Real, Integer>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SumNarrowProductsOf(dtype);
    const Reader<N> dy(context.input(0));
    std::vector<SumOf<N>> sums(static_cast<size_t>(r.source_shape().elements()));
    ForEachTarget(r, [&](int64_t b, int64_t y, int64_t x, int64_t c) {
      sums[r.SourceIndex(b, NearestTo(r, r.height, y), NearestTo(r, r.width, x), c)].Add(dy[r.TargetIndex(b, y, x, c)]);
    });
    Writer<N> dx(dtype, r.source_shape());
    for (int64_t i = 0; i < dx.size(); ++i) dx.Set(i, sums[i].Result());
    context.Output(0, dx.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"ResizeNearestNeighbor", ResizeNearestNeighbor},
    {"ResizeNearestNeighborGrad", ResizeNearestNeighborGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageResizeNearest() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
