// Products of matrices: c[i, j] = Σₖ a[i, k]·b[k, j], for one pair or for a batch of them.
#pragma once

#include "reference/kernel/op_context.h"

namespace plumb::reference {

// How a stored matrix is read: as it is, transposed, or transposed and conjugated.
struct Reading {
  bool transpose = false;
  bool conjugate = false;
};

// The product of two values of one type. Batch dimensions broadcast; sums of the 16-bit types are kept in float.
Value BatchProduct(const Value& a, Reading read_a, const Value& b, Reading read_b);
// The product of the two inputs.
void BatchProduct(OpContext& context, Reading read_a, Reading read_b);

}  // namespace plumb::reference
