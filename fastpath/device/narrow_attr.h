// Attributes that kernels read into 32 bits (rule A10).
#pragma once

#include <limits>
#include <string>

#include "spec/graph/graph.h"

namespace plumb::fast {

// kInvalidArgument where int32 does not hold it.
inline int64_t NarrowAttr(const Node& node, const std::string& name) {
  using Narrow = std::numeric_limits<int32_t>;
  const auto value = GetAttr<int64_t>(node.attrs, name);
  Require(value >= Narrow::min() && value <= Narrow::max(), "node ", node.name, ": ", name, " must be an int32, not ",
          value);
  return value;
}

}  // namespace plumb::fast
