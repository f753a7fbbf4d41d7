// What a row says of types, for kernels that could take more.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "reference/kernel/op_context.h"

namespace plumb::reference {

// kInvalidArgument unless the type attribute `name` is one that TensorFlow's CPU kernel takes: it only moves elements,
// but asks for their type first.
inline void CheckTypeOfRow(const Node& node, std::string_view name) {
  const auto type = GetAttr<DType>(node.attrs, name);
  const std::vector<DType>& taken = node.op->CpuTypes(*node.op->FindAttr(name));
  if (std::find(taken.begin(), taken.end(), type) != taken.end()) return;
  throw NoKernel(Code::kInvalidArgument, "no kernel of ", node.op->name, " takes elements of type ", DTypeName(type),
                 ", wanted by node '", node.name, "'");
}
inline void CheckMovedType(const Node& node) { CheckTypeOfRow(node, "T"); }

}  // namespace plumb::reference
