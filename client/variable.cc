#include "client/variable.h"

#include "client/control_flow/context.h"

namespace plumb {
namespace {

NodeId Initialize(Scope& scope, const std::vector<Variable>& variables, std::string name) {
  std::vector<NodeId> initializers;
  for (const Variable& variable : variables) initializers.push_back(variable.initializer());
  return scope.Group(initializers, std::move(name));
}

std::string DeviceOf(Scope& scope, Output initial, const VariableOptions& options) {
  const bool is_spread = options.device.empty() && !options.local && scope.variable_device() != nullptr;
  return is_spread ? scope.variable_device()(initial.dtype(), initial.shape()) : options.device;
}

std::optional<SliceOf> SliceFor(Scope& scope, Output ref, const VariableOptions& options) {
  if (!options.slice_beside) return options.slice;
  const std::string name = scope.NameOf(ref.node());
  return SliceOf{Str(options.slice_beside->whole, "/", name.substr(name.rfind('/') + 1)), options.slice_beside->place};
}

}  // namespace

Variable MakeVariable(Scope& scope, Output initial, const VariableOptions& options) {
  Require(options.any_shape || initial.shape().IsFullyDefined(), "the variable '", options.name,
          "' needs an initial value of known shape, not ", initial.shape().ToString());
  Require(OutputContext(scope.builder(), initial.node()) == nullptr, "the variable '", options.name,
          "' cannot start as '", initial.name(), "', a value that exists only inside a loop or a branch");
  // A variable belongs to no branch and no loop, wherever it is made.
  GraphBuilder& builder = scope.builder();
  GraphBuilder::ContextScope outside(builder, nullptr);
  GraphBuilder::NoControlScope unordered(builder);
  const auto on = scope.On(DeviceOf(scope, initial, options));
  const PartialShape shape = options.any_shape ? PartialShape::Unknown() : initial.shape();
  const Output ref = scope.Call("VariableV2", {}, {{"shape", shape}, {"dtype", initial.dtype()}}, options.name);
  GraphBuilder::NameScope under(builder, scope.NameOf(ref.node()), GraphBuilder::ScopeKind::kAbsolute);
  const NodeId initializer = scope.Add("Assign", {ref, initial}, {{"validate_shape", !options.any_shape}});
  const Output value = scope.Call("Identity", {ref}, {}, "read");
  std::vector<Variable>& among = options.local ? scope.local_variables() : scope.variables();
  among.emplace_back(ref, value, initializer, options.trainable && !options.local, SliceFor(scope, ref, options));
  return among.back();
}

NodeId InitializeAll(Scope& scope, std::string name) { return Initialize(scope, scope.variables(), std::move(name)); }

NodeId InitializeLocal(Scope& scope, std::string name) {
  return Initialize(scope, scope.local_variables(), std::move(name));
}

std::vector<Variable> TrainableVariables(Scope& scope) {
  std::vector<Variable> trainable;
  for (const Variable& variable : scope.variables()) {
    if (variable.trainable()) trainable.push_back(variable);
  }
  return trainable;
}

}  // namespace plumb
