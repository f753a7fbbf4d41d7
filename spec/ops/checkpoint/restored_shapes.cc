#include "spec/ops/checkpoint/restored_shapes.h"

#include "spec/checkpoint/slice.h"

namespace plumb::topics {

Shapes RestoredShapes(const ShapeContext& c, int i) {
  Shapes shapes(static_cast<size_t>(c.num_outputs()));
  const Tensor* const texts = c.constant(i);
  if (texts == nullptr) return shapes;
  Require(texts->elements() == c.num_outputs(), InputName(c, i), " has ", texts->elements(), " texts for ",
          c.num_outputs(), " tensors");
  for (int output = 0; output < c.num_outputs(); ++output) {
    const std::string& text = texts->data<std::string>()[output];
    if (!text.empty()) shapes[output] = ParseShapeAndSlice(text).slice_shape;
  }
  return shapes;
}

}  // namespace plumb::topics
