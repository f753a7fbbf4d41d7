#include "spec/validate/kernel_types.h"

#include <algorithm>

#include "spec/ops/op_def.h"

namespace plumb {

void CheckKernelTypes(const Graph& graph) {
  for (const Node& node : graph.nodes()) CheckKernelTypes(node);
}

void CheckKernelTypes(const Node& node) {
  for (const AttrDef& attr : node.op->attrs) {
    const auto given = node.attrs.find(attr.name);
    if (attr.kind != AttrKind::kType || attr.is_list || given == node.attrs.end()) continue;
    const std::vector<DType>& taken = node.op->CpuTypes(attr);
    const auto* type = given->second.Get<DType>();
    if (type == nullptr || taken.empty() || std::find(taken.begin(), taken.end(), *type) != taken.end()) continue;
    throw NoKernel(Code::kInvalidArgument, "node '", node.name, "': ", node.op->name, " has no kernel for ", attr.name,
                   " = ", DTypeName(*type), "; there are kernels for ", AttrValue(taken).ToString());
  }
}

}  // namespace plumb
