#include "fastpath/compile/graph/cost_model.h"

#include "spec/ops/op_def.h"

namespace plumb::fast {

double EstimatedCost(const StepNode& node) {
  constexpr double kMove = 0.05, kElementwise = 1, kProducts = 50;
  if (node.kind != NodeKind::kKernel || node.op == nullptr) return kMove;
  // Ops that sum products do more than one operation for each element.
  return node.op->op->accuracy.kind == AccuracyClass::kSummation ? kProducts : kElementwise;
}

}  // namespace plumb::fast
