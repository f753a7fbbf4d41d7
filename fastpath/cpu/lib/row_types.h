// What a row says of types, for kernels that could take more.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

// No kernel (ThrowNoKernel) unless the type attribute `name` is one that TensorFlow's CPU kernel takes, though a kernel
// that only moves elements could take any.
inline void RequireTypeOfRow(const Node& node, std::string_view name = "T") {
  const std::vector<DType>& taken = node.op->CpuTypes(*node.op->FindAttr(name));
  const auto type = GetAttr<DType>(node.attrs, name);
  if (std::find(taken.begin(), taken.end(), type) == taken.end()) ThrowNoKernel(node);
}

}  // namespace plumb::fast::cpu
