#include "client/optimizers/optimizer.h"

#include <algorithm>

#include "client/gradients.h"

namespace plumb {
namespace {

// Where the gradient was computed, so that an update of what parameter servers have aggregated stays there.
const std::string& DeviceOf(Scope& scope, const GradientValue& gradient) {
  return scope.builder().graph().node(gradient.values.node).device;
}

// The gradients, each of them there only when all are: an update writes into its variable's buffer (rule R32), which no
// gradient may still have to read.
std::vector<VariableGradient> Together(Scope& scope, std::span<const VariableGradient> gradients) {
  std::vector<NodeId> all;
  for (const auto& [variable, gradient] : gradients) {
    if (!gradient.IsNone()) all.push_back(gradient.values.node);
  }
  const auto after = scope.After(all);
  std::vector<VariableGradient> together(gradients.begin(), gradients.end());
  for (auto& [variable, gradient] : together) {
    if (gradient.IsNone()) continue;
    const auto there = scope.On(DeviceOf(scope, gradient));
    gradient.values = scope.builder().Call("Identity", {gradient.values});
  }
  return together;
}

}  // namespace

Output Rate::As(Scope& scope, DType dtype) const {
  if (!changing_) return Constant(scope, ScalarTensor(fixed_, dtype));
  return AsType(*changing_, dtype);
}

NodeId Optimizer::Apply(Scope& scope, std::span<const VariableGradient> gradients, const Variable* global_step) {
  const auto named = scope.Sub(name());
  Prepare(scope);
  std::vector<NodeId> updates;
  for (const auto& [variable, gradient] : Together(scope, gradients)) {
    if (gradient.IsNone()) continue;
    const auto there = scope.On(DeviceOf(scope, gradient));
    slots_asked_for_ = 0;
    updates.push_back(gradient.kind == GradientValue::Kind::kSparse ? ApplySparse(scope, variable, gradient)
                                                                    : ApplyDense(scope, variable, gradient.values));
  }
  Require(!updates.empty(), "there is nothing to optimize: no variable has a gradient");
  std::vector<NodeId> ends = Finish(scope, updates);
  if (global_step != nullptr) {
    const auto after = scope.After(ends);
    ends = {scope.Add("AssignAdd", {global_step->ref(), Constant(scope, ScalarTensor(1, global_step->dtype()))})};
  }
  return scope.Group(ends, "train");
}

NodeId Optimizer::Minimize(Scope& scope, Output loss, const Variable* global_step) {
  const std::vector<Variable> variables = TrainableVariables(scope);
  std::vector<Endpoint> xs;
  xs.reserve(variables.size());
  for (const Variable& variable : variables) xs.push_back(variable.ref());
  const std::vector<GradientValue> gradients = Gradients(scope.builder(), {loss}, xs);
  std::vector<VariableGradient> pairs;
  for (size_t i = 0; i < variables.size(); ++i) pairs.emplace_back(variables[i], gradients[i]);
  return Apply(scope, pairs, global_step);
}

NodeId Optimizer::ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) {
  return ApplyDense(scope, variable, Densify(scope.builder(), gradient));
}

Variable Optimizer::MadeOnce(Scope& scope, const std::string& what, const std::function<Variable()>& make) {
  std::string& name = made_[{&scope, what}];
  const std::vector<Variable>& all = scope.variables();
  const auto made = std::find_if(all.begin(), all.end(), [&](const Variable& each) { return each.name() == name; });
  if (made != all.end()) return *made;
  const Variable variable = make();
  name = variable.name();
  return variable;
}

Variable Optimizer::Slot(Scope& scope, const Variable& variable, double initial) {
  return MadeOnce(scope, Str("slot ", slots_asked_for_++, " of ", variable.name()),
                  [&] { return MakeSlot(scope, variable, initial); });
}

Variable Optimizer::MakeSlot(Scope& scope, const Variable& variable, double initial) const {
  const Output filled = Filled(scope, variable.dtype(), variable.shape().ToShape(), initial);
  const std::string& device = scope.builder().graph().node(variable.ref().node()).device;
  const GraphBuilder::NameScope beside(scope.builder(), scope.NameOf(variable.ref().node()),
                                       GraphBuilder::ScopeKind::kAbsolute);
  return MakeVariable(scope, filled,
                      {.name = name(), .trainable = false, .slice_beside = variable.slice(), .device = device});
}

GradientValue SumRepeatedRows(GraphBuilder& builder, const GradientValue& gradient) {
  const NodeId unique = builder.Add("Unique", {gradient.indices});
  const Endpoint rows{unique, 0}, row_of{unique, 1};
  const Endpoint count = builder.Call("Size", {rows});
  const Endpoint sums = builder.Call("UnsortedSegmentSum", {gradient.values, row_of, count});
  return GradientValue::Sparse(sums, rows, gradient.dense_shape);
}

}  // namespace plumb
