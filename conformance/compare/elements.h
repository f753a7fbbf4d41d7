// Tensors element by element, as the comparator sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/core/tensor.h"

namespace plumb::conformance {

// The parts of floating-point elements as doubles, which hold them exactly; complex elements have two.
std::vector<double> ToDoubles(const Tensor& tensor);
// Numbers per element of `dtype` in ToDoubles.
int PartsOf(DType dtype);

// Whether element i is the same in both, bit for bit, save NaNs' payloads. Types and shapes are equal.
bool SameElement(const Tensor& a, const Tensor& b, int64_t i);
// Element i, and where it is: "[1,2]".
std::string PrintElement(const Tensor& tensor, int64_t i);
std::string PrintPosition(const Shape& shape, int64_t i);

// The largest finite and the smallest normal number of a floating-point (or complex) type.
double Largest(DType dtype);
double SmallestNormal(DType dtype);
// The distance between neighbours of the type near `value`.
double Spacing(DType dtype, double value);

}  // namespace plumb::conformance
