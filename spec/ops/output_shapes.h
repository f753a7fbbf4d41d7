// What a node that chooses between functions promises of its outputs (clause FN10).
#pragma once

#include <vector>

#include "spec/ops/op_def.h"

namespace plumb::topics {

// The attribute output_shapes; nothing known where the node promises nothing. kInvalidArgument where it promises
// something of more or fewer outputs than it has.
inline std::vector<PartialShape> OfOutputShapes(const ShapeContext& c) {
  std::vector<PartialShape> shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  const auto outputs = static_cast<size_t>(c.num_outputs());
  Require(shapes.empty() || shapes.size() == outputs, c.op().name, " has ", shapes.size(), " output_shapes, but ",
          outputs, " outputs");
  shapes.resize(outputs);
  return shapes;
}

}  // namespace plumb::topics
