#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes WhereShapes(const ShapeContext& c) { return {PartialShape{-1, c.input(0).rank()}}; }

}  // namespace

std::span<const OpRow> ArrayWhere() {
  static const OpRow rows[] = {
      {.signature = "Where(input: T) -> (index: int64)",
       .attrs = "T: type = bool in [numbers, quantized, bool]",
       .doc = "The coordinates of the elements that are true or not zero, one row each, in row-major order.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool, int8, uint8, int64]",
       .shape_fn = WhereShapes,
       .samples = {"[a b c] in -1..2", "[d...] in 0..2"}},
  };
  return rows;
}

}  // namespace plumb::topics
