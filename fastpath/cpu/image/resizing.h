// Images of another height and width: the places that pixels come from.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"
#include "fastpath/formulas/image/resize_rule.h"

namespace plumb::fast::cpu {

// Elements that images may have; pixels are computed in float32.
using PixelTypes = decltype(FloatTypes() + IntegerTypes());

using Axis = ResizeAxis;
using Resizing = ResizeSizes;

// The pixels of the source that those of the target are made of.
class Places : public ResizeRule {
 public:
  using ResizeRule::ResizeRule;

  // Where pixel `i` of the target is in the source: float32, step by step, for the roundings decide between neighbours.
  float Of(const Axis& axis, int64_t i) const {
    const auto at = static_cast<float>(i);
    if (!half_pixel_centers()) return at * axis.scale;
    const float centre = (at + 0.5f) * axis.scale;
    return centre - 0.5f;
  }
};

// f(image, row, number of the target row) for rows [begin, end) of all images together.
template <class F>
void ForEachRow(const Resizing& r, int64_t begin, int64_t end, const F& f) {
  for (int64_t i = begin; i < end; ++i) f(i / r.height.target, i % r.height.target, i);
}

// The factory of K<T> for the pixel type of input `input`.
template <template <class> class K, class List, int input>
std::unique_ptr<Kernel> MakeForPixels(const Node& node) {
  return VisitOneOf(List(), InputType(node, input), std::unique_ptr<Kernel>(), [&](auto tag) {
    return std::unique_ptr<Kernel>(std::make_unique<K<typename decltype(tag)::Type>>(node));
  });
}

}  // namespace plumb::fast::cpu
