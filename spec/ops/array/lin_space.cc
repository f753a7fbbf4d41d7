#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes LinSpaceShapes(const ShapeContext& c) {
  for (int i = 0; i < 3; ++i) RequireScalar(c, i);
  const auto num = ConstantInt(c, 2);
  if (!num.has_value()) return {PartialShape::OfRank(1)};
  Require(*num > 0, "LinSpace: num must be positive, not ", *num);
  return {PartialShape{*num}};
}

}  // namespace

std::span<const OpRow> ArrayLinSpace() {
  static const OpRow rows[] = {
      {.signature = "LinSpace(start: T, stop: T, num: Tidx) -> (output: T)",
       .attrs = "T: type in [floats]; Tidx: type = int32 in [int32, int64]",
       .doc = "num numbers from start to stop, evenly spaced, as a vector; start alone where num is 1.",
       .cpu = "T in [float32, float64]",
       .shape_fn = LinSpaceShapes,
       .accuracy = Composed(1),
       .gradient = BlocksGradient(),
       .samples = {"0 10 5", "[] [] 1", "[] [] 7", "3 -2.5 100", "1 1 4",
                   "k = Size T=float32 out_type=$Tidx: [n]; -1 7 k"}},
  };
  return rows;
}

}  // namespace plumb::topics
