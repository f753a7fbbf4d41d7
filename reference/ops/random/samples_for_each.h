// Shapes of samples that are drawn for each element of a parameter.
#pragma once

#include "reference/numbers/index.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {

// What the inputs of a stateful op say: the shape of the samples of each element, before the parameter's.
inline Shape SamplesOfEach(const OpContext& c, const Shape& parameter) {
  return Concatenated(RandomShape(c), parameter);
}

// What those of other ops say: the whole shape, which ends with the parameter's.
inline Shape WholeShapeOfSamples(const OpContext& c, const Shape& parameter, int input = 0) {
  const Shape shape = RandomShape(c, input);
  const int skipped = shape.rank() - parameter.rank();
  Require(skipped >= 0 && Subshape(shape, skipped, shape.rank()) == parameter, "the shape ", shape.ToString(),
          " must end with that of the parameter, ", parameter.ToString());
  return shape;
}

}  // namespace plumb::reference
