#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes EqualityShapes(const ShapeContext& c) {
  if (c.attr<bool>("incompatible_shape_error")) return Broadcasting(c);
  const PartialShape& a = c.input(0);
  const PartialShape& b = c.input(1);
  if (!a.IsFullyDefined() || !b.IsFullyDefined()) return {PartialShape::Unknown()};
  for (int back = 1; back <= std::min(a.rank(), b.rank()); ++back) {
    const int64_t in_a = a.dim(a.rank() - back);
    const int64_t in_b = b.dim(b.rank() - back);
    if (in_a != in_b && in_a != 1 && in_b != 1) return {PartialShape(Shape())};
  }
  return Broadcasting(c);
}

}  // namespace

std::span<const OpRow> MathCompare() {
  static const OpRow rows[] = {
      {.signature = "Equal(x: T, y: T) -> (z: bool) commutative",
       .attrs = "T: type; incompatible_shape_error: bool = true",
       .doc = "x = y, broadcast. Shapes that do not broadcast give a single false if incompatible_shape_error "
              "is off.",
       .cpu = "T in [numbers, quantized, bool, string]",
       .gpu = "T in [floats, int64, bool]",
       .shape_fn = EqualityShapes,
       .gradient = BlocksGradient(),
       .samples = {"[d...] in 0..3 [d...] in 0..3", "[a b] [b]", "[a 1] in 0..3 [1 b] in 0..3",
                   "incompatible_shape_error=false: [2] [3]"}},
      {.signature = "NotEqual(x: T, y: T) -> (z: bool) commutative",
       .attrs = "T: type; incompatible_shape_error: bool = true",
       .doc = "x ≠ y, broadcast. Shapes that do not broadcast give a single true if incompatible_shape_error "
              "is off.",
       .cpu = "T in [numbers, quantized, bool, string]",
       .gpu = "T in [floats, int64, bool]",
       .shape_fn = EqualityShapes,
       .gradient = BlocksGradient(),
       .samples = {"[d...] in 0..3 [d...] in 0..3", "[a b] [b]", "[a 1] in 0..3 [1 b] in 0..3",
                   "incompatible_shape_error=false: [2] [3]"}},
      {.signature = "Less(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x < y, broadcast; false where either is NaN.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = {"[d...] in 0..3 [d...] in 0..3", "[a b] [b]", "[a 1] [1 b]", "[] [d...]"}},
      {.signature = "LessEqual(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x ≤ y, broadcast; false where either is NaN.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = {"[d...] in 0..3 [d...] in 0..3", "[a b] [b]", "[a 1] [1 b]", "[] [d...]"}},
      {.signature = "Greater(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x > y, broadcast; false where either is NaN.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = {"[d...] in 0..3 [d...] in 0..3", "[a b] [b]", "[a 1] [1 b]", "[] [d...]"}},
      {.signature = "GreaterEqual(x: T, y: T) -> (z: bool)",
       .attrs = "T: type in [floats, ints]",
       .doc = "x ≥ y, broadcast; false where either is NaN.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .gradient = BlocksGradient(),
       .samples = {"[d...] in 0..3 [d...] in 0..3", "[a b] [b]", "[a 1] [1 b]", "[] [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
