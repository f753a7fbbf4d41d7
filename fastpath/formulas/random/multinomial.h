// What Multinomial and its like ask of their inputs.
#pragma once

#include <string>

#include "spec/core/tensor.h"

namespace plumb::fast {

// The shape of the samples; `count` lies on the host. Throws kInvalidArgument for inputs from which nothing can be
// drawn.
Shape ShapeOfSamples(const Shape& logits, const Tensor& count);
// How many outputs of the stream a call takes (R79): two words for each sample, by fours.
uint64_t OutputsTaken(const Shape& samples);

}  // namespace plumb::fast
