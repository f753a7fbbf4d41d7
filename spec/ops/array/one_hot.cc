#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes OneHotShapes(const ShapeContext& c) {
  const int64_t axis = Int32Attr(c.attrs(), "axis");
  Require(axis >= -1, "OneHot: the axis must be -1 or more, not ", axis);
  const int64_t depth = SizeOnceKnown(c, 1);
  const PartialShape& indices = c.input(0);
  if (!indices.has_rank()) return {PartialShape::Unknown()};
  const int rank = indices.rank();
  // TensorFlow's rule counts on from the front where the kernel refuses the axis.
  const int at = axis < 0 ? rank : static_cast<int>(axis % (rank + 1));
  return {Join(Join(Part(indices, 0, at), PartialShape{depth}), Part(indices, at))};
}

}  // namespace

std::span<const OpRow> ArrayOneHot() {
  static const OpRow rows[] = {
      {.signature = "OneHot(indices: TI, depth: int32, on_value: T, off_value: T) -> (output: T)",
       .attrs = "axis: int = -1; T: type; TI: type = int64 in [uint8, int8, int32, int64]",
       .doc = "For each index a vector of `depth` values along a new dimension `axis`: on_value at the index, "
              "off_value elsewhere. An index outside [0, depth) gives off_value only.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, bool, int8, int32, int64, uint8]",
       .shape_fn = OneHotShapes,
       .gradient = BlocksGradient(),
       .samples = {"axis=-1/0/1: [i 3] in -1..5 4 [] []", "[] in 0..3 3 [] []", "[i] in 0..2 0 [] []"}},
  };
  return rows;
}

}  // namespace plumb::topics
