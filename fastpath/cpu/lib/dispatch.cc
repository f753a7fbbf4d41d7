#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

void ThrowNoKernel(const Node& node) {
  std::string types;
  for (const DType type : node.input_types) types += Str(types.empty() ? "" : ", ", DTypeName(type));
  throw NoKernel(Code::kInvalidArgument, "No registered '", node.op->name, "' kernel on the CPU for (", types,
                 "), wanted by node ", node.name);
}

int NormalizeAxis(int64_t axis, int rank, std::string_view what) {
  Require(axis >= -rank && axis < rank, what, " ", axis, " is not in [", -rank, ", ", rank, ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

int64_t ScalarInt(const Tensor& tensor, std::string_view what) {
  Require(tensor.elements() == 1, what, " must be a scalar, not of shape ", tensor.shape().ToString());
  return IntAt(tensor, 0);
}

}  // namespace plumb::fast::cpu
