// Which inputs say by their values how big the outputs are: sizes, axes, permutations. A device keeps such inputs in
// the host's memory, because shapes are decided there.
#pragma once

#include <vector>

#include "spec/ops/op_def.h"

namespace plumb {

// By input. They are those whose values the row's shape rule asks for.
std::vector<bool> FindShapeInputs(const OpDef& op, const AttrMap& attrs, int num_inputs, int num_outputs);

}  // namespace plumb
