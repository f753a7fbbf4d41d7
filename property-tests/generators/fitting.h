// Values of a graph in the place of others.
#pragma once

#include <optional>

#include "property-tests/generators/declared.h"
#include "property-tests/generators/tape.h"
#include "spec/graph/builder.h"

namespace plumb::property {

// The value's elements in another shape and, among floating-point types, another type: some of them again and again
// where there are too few. Nothing where that cannot be. The value's shape is known.
std::optional<Endpoint> Fitted(GraphBuilder& builder, Tape& tape, Endpoint value, DType dtype, const Shape& shape);
// Whether the backend takes all the nodes that this may add, to constants.
bool TakesFitted(const Declares& declares, DType from, DType to);

}  // namespace plumb::property
