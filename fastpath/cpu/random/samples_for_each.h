// Shapes of samples that are drawn for each element of a parameter.
#pragma once

#include <string>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/random.h"

namespace plumb::fast::cpu {

// The shape that an input names: of the samples of each element, or, if `is_whole`, of all, which then ends with the
// parameter's.
inline Shape ShapeOfSamples(const Tensor& wanted, const Shape& parameter, bool is_whole) {
  const Shape shape = ShapeIn(wanted);
  if (!is_whole) {
    Dims dims(shape);
    for (int axis = 0; axis < parameter.rank(); ++axis) dims.Append(parameter.dim(axis));
    return dims.ToShape();
  }
  const int skipped = shape.rank() - parameter.rank();
  bool ends = skipped >= 0;
  for (int axis = 0; ends && axis < parameter.rank(); ++axis) ends = shape[skipped + axis] == parameter[axis];
  Require(ends, "the shape ", Printed(shape), " must end with that of the parameter, ", Printed(parameter));
  return shape;
}

}  // namespace plumb::fast::cpu
