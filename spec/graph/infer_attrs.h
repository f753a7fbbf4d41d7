// What the inputs of a node say about its attributes.
#pragma once

#include <span>

#include "spec/ops/op_def.h"

namespace plumb {

// Adds the type, length and type-list attributes that follow from the types of the inputs; those already in `attrs`
// stay. Throws kInvalidArgument when the inputs do not divide into the op's arguments.
void InferAttrs(const OpDef& op, std::span<const DType> input_types, AttrMap& attrs);

}  // namespace plumb
