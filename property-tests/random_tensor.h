// Tensors of random numbers, and of given ones.
#pragma once

#include <span>

#include "property-tests/tape.h"
#include "spec/core/tensor.h"

namespace plumb::property {

// Of any type of numbers, or bool. With `special`, floats may be NaN, infinite, extreme or negative zeros.
Tensor RandomTensor(Tape& tape, DType dtype, const Shape& shape, bool special);
// Of a hundred thousand elements and more, from one word of the tape.
Tensor LargeTensor(Tape& tape, DType dtype, const Shape& shape);
// Of given numbers, over and over.
Tensor TensorOf(DType dtype, const Shape& shape, std::span<const double> numbers);

}  // namespace plumb::property
