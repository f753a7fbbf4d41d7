// What the products of matrices, single and in batches, have in common: dimensions and gradients.
#pragma once

#include <utility>

#include "spec/ops/gradient.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {

// Rows of the left matrix by columns of the right one, whose inner dimensions must agree; each taken transposed if so
// asked. Both shapes have a known rank of at least 2.
PartialShape ProductDims(const ShapeContext& c, const PartialShape& a, bool transpose_a, const PartialShape& b,
                         bool transpose_b);

// How an op says that it takes its operands transposed: "transpose_a" and "transpose_b", or "adj_x" and "adj_y".
struct Product {
  const char* op;
  const char* flag_a;
  const char* flag_b;
};

// The two gradients of a·b, for each of the four ways in which the operands may be transposed.
std::pair<Endpoint, Endpoint> BothSides(Gradient& g, const Product& product, Endpoint a, Endpoint b);

}  // namespace plumb::topics
