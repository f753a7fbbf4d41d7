#include "spec/ops/dims.h"
#include "spec/ops/op_def.h"

namespace plumb {

std::vector<PartialShape> InferShapes(const ShapeContext& context) {
  const OpDef& op = context.op();
  if (op.shape_fn != nullptr) return op.shape_fn(context);
  if (!op.shape_pattern.empty()) return InferByPattern(context, op.shape_pattern);
  return std::vector<PartialShape>(context.num_outputs());
}

}  // namespace plumb
