// Pieces of gradients that decompositions into values and vectors share.
#pragma once

#include "spec/ops/gradient_helpers.h"

namespace plumb::topics {

// x/(x² + 1e-20): the reciprocal, and zero at zero.
Endpoint SafeReciprocal(Gradient& g, Endpoint x);
// Square matrices of zeros with these diagonals.
Endpoint DiagonalMatrix(Gradient& g, Endpoint diagonal);
// Fᵢⱼ = 1/(xⱼ − xᵢ) for vectors x, with zeros where they are equal.
Endpoint InverseDifferences(Gradient& g, Endpoint x);

// Columns [begin, end) of matrices; end 0 means to the last one.
Endpoint Columns(Gradient& g, Endpoint a, int64_t begin, int64_t end);

}  // namespace plumb::topics
