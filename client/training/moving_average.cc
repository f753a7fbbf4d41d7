#include "client/training/moving_average.h"

namespace plumb {
namespace {

// What the variable is initialised with.
Output InitialValue(Scope& scope, const Variable& variable) {
  GraphBuilder& builder = scope.builder();
  return {&builder, builder.graph().node(variable.initializer()).inputs.at(1)};
}

// Beside the variable, by the name that TensorFlow's checkpoints have.
Variable MakeAverage(Scope& scope, const Variable& variable) {
  const GraphBuilder::NameScope root(scope.builder(), "", GraphBuilder::ScopeKind::kAbsolute);
  return MakeVariable(
      scope, InitialValue(scope, variable),
      {.name = variable.name() + "/ExponentialMovingAverage", .trainable = false, .slice_beside = variable.slice()});
}

// Read here, after what the nodes of this scope wait for; value() may have been read before.
Output Now(Scope& scope, const Variable& variable) { return scope.Call("Identity", {variable.ref()}); }

}  // namespace

Output ExponentialMovingAverage::OneMinusDecay(Scope& scope, DType dtype) const {
  Output decay = Constant(scope, static_cast<float>(options_.decay));
  if (options_.num_updates) {
    const Output n = AsType(*options_.num_updates, DType::kFloat);
    decay = scope.Call("Minimum", {decay, (n + 1) / (n + 10)});
  }
  return AsType(1 - decay, dtype);
}

NodeId ExponentialMovingAverage::Apply(Scope& scope, const std::vector<Variable>& variables) {
  const auto named = scope.Sub("moving_average");
  std::vector<NodeId> updates;
  for (const Variable& variable : variables) {
    Require(IsFloating(variable.dtype()), "the variable '", variable.name(), "' of type ", DTypeName(variable.dtype()),
            " has no moving average; floating-point variables have");
    Require(!averages_.contains(variable.name()), "the variable '", variable.name(), "' is averaged twice");
    const Variable average = MakeAverage(scope, variable);
    averages_.emplace(variable.name(), average);
    const Output difference = Now(scope, average) - Now(scope, variable);
    updates.push_back(scope.Add("AssignSub", {average.ref(), difference * OneMinusDecay(scope, variable.dtype())}));
  }
  return scope.Group(updates, "apply");
}

const Variable& ExponentialMovingAverage::Average(const Variable& variable) const {
  const auto found = averages_.find(variable.name());
  Require(found != averages_.end(), "the variable '", variable.name(), "' was not given to Apply");
  return found->second;
}

}  // namespace plumb
