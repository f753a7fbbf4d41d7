// What ImageProjectiveTransform says before a device looks at a pixel.
#pragma once

#include "spec/core/tensor.h"
#include "spec/graph/graph.h"

namespace plumb::fast {

// What stands for pixels outside of an image.
enum class Fill { kConstant, kNearest, kReflect, kWrap };

// Of the node's attributes. Throw kInvalidArgument for names that are none.
Fill FillOf(const Node& node);
bool IsLinear(const Node& node);

// The shape of the result; `size` lies on the host. Throws kInvalidArgument where the inputs do not go together.
// fill_value: the shape of the value of pixels outside, or null.
Shape ProjectedShape(const Shape& images, const Shape& transforms, const Tensor& size, const Shape* fill_value);

}  // namespace plumb::fast
