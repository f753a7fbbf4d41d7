// Attributes are int64 in graphs; TensorFlow's kernels read some of them as int32, and refuse what does not fit (A10).
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "spec/graph/graph.h"

namespace plumb {

// A value of the attribute `name`. Throws kInvalidArgument beyond int32; `where` begins the message.
inline int32_t AsInt32(std::string_view where, std::string_view name, int64_t value) {
  using Limits = std::numeric_limits<int32_t>;
  Require(Limits::min() <= value && value <= Limits::max(), where, name, " must be an int32, not ", value);
  return static_cast<int32_t>(value);
}
inline int32_t AsInt32(const Node& node, std::string_view name, int64_t value) {
  return AsInt32(Str("node ", node.name, ": "), name, value);
}
// The attribute, `fallback` where the node lacks it.
inline int32_t Int32Attr(const Node& node, std::string_view name, int32_t fallback = 0) {
  return AsInt32(node, name, GetAttrOr<int64_t>(node.attrs, name, fallback));
}
// The attribute, a list of such numbers.
inline const std::vector<int64_t>& Int32List(std::string_view where, const AttrMap& attrs, std::string_view name) {
  const auto& values = GetAttr<std::vector<int64_t>>(attrs, name);
  for (const int64_t value : values) AsInt32(where, name, value);
  return values;
}
inline const std::vector<int64_t>& Int32List(const Node& node, std::string_view name) {
  return Int32List(Str("node ", node.name, ": "), node.attrs, name);
}
// Of a node whose name the caller adds to what is thrown.
inline int32_t Int32Attr(const AttrMap& attrs, std::string_view name) {
  return AsInt32("", name, GetAttr<int64_t>(attrs, name));
}
inline const std::vector<int64_t>& Int32List(const AttrMap& attrs, std::string_view name) {
  return Int32List("", attrs, name);
}

}  // namespace plumb
