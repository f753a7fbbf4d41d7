#include "client/training/moving_average.h"

#include <set>

#include "client/initializers.h"

namespace plumb {
namespace {

// As TensorFlow's checkpoints call it, beside what it is the average of.
constexpr char kAverage[] = "/ExponentialMovingAverage";

// What the variable is initialised with.
Output InitialValue(Scope& scope, const Variable& variable) {
  GraphBuilder& builder = scope.builder();
  return {&builder, builder.graph().node(variable.initializer()).inputs.at(1)};
}

Variable MakeAverage(Scope& scope, const Variable& variable) {
  const GraphBuilder::NameScope root(scope.builder(), "", GraphBuilder::ScopeKind::kAbsolute);
  return MakeVariable(scope, InitialValue(scope, variable),
                      {.name = variable.name() + kAverage, .trainable = false, .slice_beside = variable.slice()});
}

// What variables start with: of no branch and no loop, and after nothing that the updates wait for.
Output Zeros(Scope& scope, DType dtype, const PartialShape& shape) {
  const GraphBuilder::ContextScope outside(scope.builder(), nullptr);
  const GraphBuilder::NoControlScope unordered(scope.builder());
  return Filled(scope, dtype, shape.ToShape(), 0);
}

Variable MakeAverageOfTensor(Scope& scope, Output tensor) {
  Require(tensor.shape().IsFullyDefined(), "the tensor '", tensor.name(), "' of shape ", tensor.shape().ToString(),
          " has no moving average: its shape must be known");
  const GraphBuilder::NameScope root(scope.builder(), "", GraphBuilder::ScopeKind::kAbsolute);
  return MakeVariable(scope, Zeros(scope, tensor.dtype(), tensor.shape()),
                      {.name = scope.NameOf(tensor.node()) + kAverage, .trainable = false});
}

// Read here, after what the nodes of this scope wait for; value() may have been read before.
Output Now(Scope& scope, const Variable& variable) { return scope.Call("Identity", {variable.ref()}); }

Output Move(Scope& scope, const Variable& average, Output value, Output one_minus_decay) {
  const Output difference = Now(scope, average) - value;
  return scope.Call("AssignSub", {average.ref(), difference * one_minus_decay});
}

// Zeros, on the average's device.
Variable MakeBeside(Scope& scope, const Variable& average, const char* name, const PartialShape& shape) {
  const std::string& device = scope.builder().graph().node(average.ref().node()).device;
  const GraphBuilder::NameScope beside(scope.builder(), average.name(), GraphBuilder::ScopeKind::kAbsolute);
  return MakeVariable(scope, Zeros(scope, average.dtype(), shape),
                      {.name = name, .trainable = false, .device = device});
}

// Of the average that starts at zero, and of what all values so far weigh in it.
Output MoveWithoutBias(Scope& scope, const Variable& average, Output value, Output one_minus_decay) {
  const Variable biased = MakeBeside(scope, average, "biased", average.shape());
  const Variable count = MakeBeside(scope, average, "local_step", Shape());
  const Output moved = Move(scope, biased, value, one_minus_decay);
  const Output updates = scope.Call("AssignAdd", {count.ref(), Constant(scope, ScalarTensor(1, count.dtype()))});
  const Output weight = 1 - scope.Call("Pow", {1 - one_minus_decay, updates});
  return scope.Call("Assign", {average.ref(), moved / weight});
}

}  // namespace

Output ExponentialMovingAverage::OneMinusDecay(Scope& scope, DType dtype) const {
  Output decay = Constant(scope, static_cast<float>(options_.decay));
  if (options_.num_updates) {
    const Output n = AsType(*options_.num_updates, DType::kFloat);
    decay = scope.Call("Minimum", {decay, (n + 1) / (n + 10)});
  }
  return AsType(1 - decay, dtype);
}

void ExponentialMovingAverage::CheckNew(Output value) const {
  Require(IsFloating(value.dtype()), "'", value.name(), "' of type ", DTypeName(value.dtype()),
          " has no moving average; floating-point variables and tensors have");
  Require(!averages_.contains(value.name()), "'", value.name(), "' is averaged twice");
}

NodeId ExponentialMovingAverage::Apply(Scope& scope, const std::vector<Variable>& variables,
                                       const std::vector<Output>& tensors) {
  const auto named = scope.Sub("moving_average");
  std::vector<NodeId> updates;
  for (const Variable& variable : variables) {
    CheckNew(variable.ref());
    const Variable average = MakeAverage(scope, variable);
    averages_.emplace(variable.name(), average);
    updates.push_back(Move(scope, average, Now(scope, variable), OneMinusDecay(scope, variable.dtype())).node());
  }
  const auto move = options_.zero_debias ? MoveWithoutBias : Move;
  for (const Output& tensor : tensors) {
    CheckNew(tensor);
    const Variable average = MakeAverageOfTensor(scope, tensor);
    averages_.emplace(tensor.name(), average);
    updates.push_back(move(scope, average, tensor, OneMinusDecay(scope, tensor.dtype())).node());
  }
  return scope.Group(updates, "apply");
}

const Variable& ExponentialMovingAverage::Average(Output tensor) const {
  const auto found = averages_.find(tensor.name());
  Require(found != averages_.end(), "'", tensor.name(), "' was not given to Apply");
  return found->second;
}

std::vector<SavedVariable> ExponentialMovingAverage::VariablesToRestore(Scope& scope) const {
  std::vector<SavedVariable> restored, others;
  std::set<std::string> averages;
  for (const SavedVariable& saved : SavedByName(scope)) {
    const auto found = averages_.find(saved.variable.name());
    if (found == averages_.end() && !saved.variable.trainable()) {
      others.push_back(saved);
      continue;
    }
    restored.push_back({found == averages_.end() ? saved.name + kAverage : SavedName(found->second), saved.variable});
    averages.insert(restored.back().name);
  }
  for (const SavedVariable& other : others) {
    if (!averages.contains(other.name)) restored.push_back(other);
  }
  return restored;
}

}  // namespace plumb
