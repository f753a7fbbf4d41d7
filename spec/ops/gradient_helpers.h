// What the gradient rules of several topics are written with.
#pragma once

#include <initializer_list>
#include <vector>

#include "spec/ops/gradient.h"

namespace plumb::topics {

using Values = std::vector<GradientValue>;

// Both operands of a broadcasting op get their gradient summed to their own shape (rule D11).
Values Broadcast(Gradient& g, Endpoint dx, Endpoint dy);

// The gradients of all outputs, zeros where there is none.
std::vector<Endpoint> AllGradients(Gradient& g);

// The forward op's attributes of these names, for an op that takes the same.
AttrMap SameAttrs(Gradient& g, std::initializer_list<const char*> names);

// Sum over the last axis, which stays with size 1.
Endpoint SumLast(Gradient& g, Endpoint value);

// int32 scalars.
Endpoint Zero(Gradient& g);
Endpoint One(Gradient& g);

Endpoint Flat(Gradient& g, Endpoint value);  // as a vector
// shape[begin:end] of a shape vector; end 0 means to the end.
Endpoint Part(Gradient& g, Endpoint shape, int begin, int end);
// The vectors, joined.
Endpoint Concat(Gradient& g, std::vector<Endpoint> parts);

// Rows of axis 0 as slices, which an optimizer can apply without touching the others.
GradientValue RowSlices(Gradient& g, Endpoint indices, Endpoint params_shape);

}  // namespace plumb::topics
