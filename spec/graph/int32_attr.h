// Attributes are int64 in graphs; TensorFlow's kernels read some of them as int32, and refuse what does not fit.
#pragma once

#include <limits>
#include <string_view>

#include "spec/graph/graph.h"

namespace plumb {

// `fallback` where the node lacks it. Throws kInvalidArgument beyond int32.
inline int32_t Int32Attr(const Node& node, std::string_view name, int32_t fallback = 0) {
  using Limits = std::numeric_limits<int32_t>;
  const int64_t value = GetAttrOr<int64_t>(node.attrs, name, fallback);
  Require(Limits::min() <= value && value <= Limits::max(), "node ", node.name, ": ", name, " must be an int32, not ",
          value);
  return static_cast<int32_t>(value);
}

}  // namespace plumb
