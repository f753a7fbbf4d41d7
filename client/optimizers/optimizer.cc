#include "client/optimizers/optimizer.h"

namespace plumb::client {

NodeId Optimizer::Apply(Variables& variables, std::span<const VariableGradient> gradients) {
  GraphBuilder& builder = variables.builder();
  GraphBuilder::NameScope scope(builder, name());
  Prepare(variables);
  std::vector<NodeId> updates;
  for (const auto& [variable, gradient] : gradients) {
    if (gradient.IsNone()) continue;
    updates.push_back(gradient.kind == GradientValue::Kind::kSparse ? ApplySparse(variables, variable, gradient)
                                                                    : ApplyDense(variables, variable, gradient.values));
  }
  Require(!updates.empty(), "there is nothing to optimize: no variable has a gradient");
  GraphBuilder::Options options;
  options.name = "train";
  options.control_inputs = Finish(variables, updates);
  return builder.Add("NoOp", {}, {}, options);
}

NodeId Optimizer::ApplySparse(Variables& variables, const Variable& variable, const GradientValue& gradient) {
  return ApplyDense(variables, variable, Densify(variables.builder(), gradient));
}

const Variable& Optimizer::Slot(Variables& variables, const Variable& variable, double initial) const {
  const GraphBuilder& builder = variables.builder();
  return variables.Filled(variable.name + "/slot", builder.dtype(variable.ref), builder.shape(variable.ref).ToShape(),
                          initial, /*trainable=*/false);
}

GradientValue SumRepeatedRows(GraphBuilder& builder, const GradientValue& gradient) {
  const NodeId unique = builder.Add("Unique", {gradient.indices});
  const Endpoint rows{unique, 0}, row_of{unique, 1};
  const Endpoint count = builder.Call("Size", {rows});
  const Endpoint sums = builder.Call("UnsortedSegmentSum", {gradient.values, row_of, count});
  return GradientValue::Sparse(sums, rows, gradient.dense_shape);
}

}  // namespace plumb::client
