// For tests: a node of any op, with attributes of no particular values.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "spec/graph/graph_def.h"
#include "spec/ops/op_def.h"
#include "spec/validate/signatures.h"

namespace plumb {

// Of a type attribute the first that CPU kernels take, of others what the limits allow; none for a tensor or function.
inline std::optional<AttrValue> SomeValue(const OpDef& op, const AttrDef& attr) {
  if (attr.default_value) return attr.default_value;
  const std::vector<DType>& types = op.CpuTypes(attr);
  const DType type = types.empty() ? DType::kFloat : types.front();
  if (attr.is_list) {
    const auto length = static_cast<size_t>(std::max<int64_t>(0, attr.minimum.value_or(0)));
    if (length == 0) return AttrValue(EmptyList());
    if (attr.kind == AttrKind::kType) return std::vector<DType>(length, type);
    if (attr.kind == AttrKind::kInt) return std::vector<int64_t>(length, 1);
    if (attr.kind == AttrKind::kShape) return std::vector<PartialShape>(length, PartialShape({1}));
    return std::nullopt;
  }
  switch (attr.kind) {
    case AttrKind::kType:
      return type;
    case AttrKind::kInt:
      return std::max<int64_t>(1, attr.minimum.value_or(1));
    case AttrKind::kBool:
      return false;
    case AttrKind::kFloat:
      return 1.0F;
    case AttrKind::kString:
      return attr.allowed_strings.empty() ? std::string("some") : attr.allowed_strings.front();
    case AttrKind::kShape:
      return PartialShape({1});
    default:
      return std::nullopt;
  }
}

// A node with these attributes and any others; none where that is more than SomeValue can tell.
inline std::optional<NodeDef> SomeNode(const OpDef& op, AttrMap attrs) {
  for (const AttrDef& attr : op.attrs) {
    if (attrs.contains(attr.name)) continue;
    const auto value = SomeValue(op, attr);
    if (!value) return std::nullopt;
    attrs[attr.name] = *value;
  }
  NodeDef node;
  node.name = "node";
  node.op = op.name;
  node.attrs = std::move(attrs);
  try {
    ResolveNode(node);
  } catch (const Error&) {
    return std::nullopt;
  }
  return node;
}

}  // namespace plumb
