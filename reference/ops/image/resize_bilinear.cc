#include <algorithm>
#include <cmath>

#include "reference/ops/image/resizing.h"

namespace plumb::reference {
namespace {

// The two pixels of the source that a place is between, and how far it is from the lower one.
struct Between {
  int64_t lower = 0, upper = 0;
  float fraction = 0;
};

Between NeighboursOf(const Resizing& r, const Axis& axis, int64_t i) {
  const float place = PlaceOf(r, axis, i), floor = std::floor(place);
  const int64_t last = axis.source - 1;
  return {std::clamp<int64_t>(static_cast<int64_t>(floor), 0, last),
          std::clamp<int64_t>(static_cast<int64_t>(std::ceil(place)), 0, last), place - floor};
}

void ResizeBilinear(OpContext& context) {
  const Resizing r = ForwardResizing(context);
  const bool same_size = r.height.source == r.height.target && r.width.source == r.width.target;
  ForKind<Real, Integer>(context.tensor(0).dtype(), [&](auto kind) {
    const Reader<typename decltype(kind)::Type> images(context.input(0));
    ComputeIn(DType::kFloat);
    Writer<Real> target(DType::kFloat, r.target_shape());
    ForEachTarget(r, [&](int64_t b, int64_t y, int64_t x, int64_t c) {
      const auto pixel = [&](int64_t row, int64_t column) { return AsFloat(images[r.SourceIndex(b, row, column, c)]); };
      const int64_t i = r.TargetIndex(b, y, x, c);
      if (same_size) return target.Set(i, pixel(y, x));
      const Between rows = NeighboursOf(r, r.height, y), columns = NeighboursOf(r, r.width, x);
      const auto along = [&](int64_t row) {
        return Interpolated(pixel(row, columns.lower), pixel(row, columns.upper), Real(columns.fraction));
      };
      target.Set(i, Interpolated(along(rows.lower), along(rows.upper), Real(rows.fraction)));
    });
    context.Output(0, target.Take());
  });
}

void ResizeBilinearGrad(OpContext& context) {
  const Resizing r = BackwardResizing(context);
  const DType dtype = context.tensor(1).dtype();
  CheckResultSize(r.source_shape());
  const Reader<Real> dy(context.input(0));
  ForKind<Real>(dtype, [&](auto) {
    SumProductsOf(dtype);
    arithmetic.product_unit += 2 * UnitRoundoff(DType::kFloat);  // of two weights, in float32 whatever the type
    std::vector<Sum> sums(static_cast<size_t>(r.source_shape().elements()));
    ForEachTarget(r, [&](int64_t b, int64_t y, int64_t x, int64_t c) {
      const Between rows = NeighboursOf(r, r.height, y), columns = NeighboursOf(r, r.width, x);
      const Real gradient = dy[r.TargetIndex(b, y, x, c)];
      const auto add = [&](int64_t row, int64_t column, float in_row, float in_column) {
        sums[r.SourceIndex(b, row, column, c)].AddProduct(gradient, Real(static_cast<double>(in_row) * in_column));
      };
      const float above = 1.0f - rows.fraction, left = 1.0f - columns.fraction;
      add(rows.lower, columns.lower, above, left);
      add(rows.lower, columns.upper, above, columns.fraction);
      add(rows.upper, columns.lower, rows.fraction, left);
      add(rows.upper, columns.upper, rows.fraction, columns.fraction);
    });
    Writer<Real> dx(dtype, r.source_shape());
    for (int64_t i = 0; i < dx.size(); ++i) dx.Set(i, sums[i].Result());
    context.Output(0, dx.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"ResizeBilinear", ResizeBilinear},
    {"ResizeBilinearGrad", ResizeBilinearGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ImageResizeBilinear() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
