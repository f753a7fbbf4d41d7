// The components of an element as one value, in a form that takes less room.
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes UncompressedShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  Shapes shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  Require(shapes.size() == static_cast<size_t>(c.num_outputs()), "UncompressElement: there are ", shapes.size(),
          " output_shapes for ", c.num_outputs(), " output_types");
  return shapes;
}

}  // namespace

std::span<const OpRow> DataFlowCompressed() {
  static const OpRow rows[] = {
      {.signature = "CompressElement(components: list(input_types)) -> (compressed: variant)",
       .attrs = "input_types: list(type) >= 1",
       .doc = "The components as one value. How it holds them is its own affair: only UncompressElement looks inside.",
       .shape = "? -> []",
       .samples = {"input_types=[float32, string]: ([a b] []); u = UncompressElement output_types=[float32, string] "
                   "output_shapes=[?, []]: this",
                   "input_types=[int64]: ([0 2]); u = UncompressElement output_types=[int64] output_shapes=[[0, 2]]: "
                   "this"}},
      {.signature = "UncompressElement(compressed: variant) -> (components: list(output_types))",
       .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
       .doc = "What CompressElement was given; FAILED_PRECONDITION where the components are not of these types. Their "
              "shapes are promised, not checked.",
       .shape_fn = UncompressedShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .samples = {"e = CompressElement input_types=[float32, int32]: ([a b] [2]); output_types=[float32, int32] "
                   "output_shapes=[?, [2]]: e",
                   "e = CompressElement input_types=[bool]: ([]); output_types=[bool] output_shapes=[[]]: e"}},
  };
  return rows;
}

}  // namespace plumb::topics
