// Attributes that kernels read into 32 bits (rule A10).
#pragma once

#include <string>

#include "spec/graph/graph.h"

namespace plumb::reference {

// kInvalidArgument where int32 does not hold it.
inline int64_t NarrowAttr(const Node& node, const std::string& name) {
  const auto value = GetAttr<int64_t>(node.attrs, name);
  Require(static_cast<int32_t>(value) == value, "the attribute ", name, " of node '", node.name, "' is ", value,
          ", which is beyond int32");
  return value;
}

}  // namespace plumb::reference
