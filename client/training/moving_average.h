// Exponential moving averages of variables, often better weights to evaluate with than the last ones, and of tensors.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/training/saver.h"
#include "client/variable.h"

namespace plumb {

struct MovingAverageOptions {
  double decay = 0.999;
  // Of updates so far: while there are few, the average forgets faster, with min(decay, (1 + n) / (10 + n)).
  std::optional<Output> num_updates = {};
  // Averages of tensors, which start at zero, are divided by 1 − decayᵗ after t updates: the weight of all values that
  // they have seen. For that they have two variables more, "AVERAGE/biased" and "AVERAGE/local_step".
  bool zero_debias = false;
};

class ExponentialMovingAverage {
 public:
  explicit ExponentialMovingAverage(const MovingAverageOptions& options) : options_(options) {}

  // A node that moves every average on: average −= (1 − decay) · (average − variable). To have it after the
  // variables' updates, make it within scope.After(updates). The averages are variables of their own, not trained,
  // called "VARIABLE/ExponentialMovingAverage", and start as the variables do; those of tensors, whose shapes are
  // known, are called "NODE/ExponentialMovingAverage" and start at zero. Floating-point ones only, each once: else
  // kInvalidArgument.
  NodeId Apply(Scope& scope, const std::vector<Variable>& variables, const std::vector<Output>& tensors = {});
  // The average of what was given to Apply; kInvalidArgument for another.
  const Variable& Average(const Variable& variable) const { return Average(variable.ref()); }
  const Variable& Average(Output tensor) const;
  // What a Saver takes to restore, from a checkpoint of training, averages in the place of values. The variables that
  // are trained or were given to Apply are by the names of their averages, whether Apply was called in this graph or
  // not; all others by their own, but for the averages themselves.
  std::vector<SavedVariable> VariablesToRestore(Scope& scope) const;

 private:
  // Computed in float32, as TensorFlow does: a count of updates may be beyond what the variables' type can hold.
  Output OneMinusDecay(Scope& scope, DType dtype) const;
  void CheckNew(Output value) const;

  MovingAverageOptions options_;
  std::map<std::string, Variable> averages_;  // by the name of the variable or the tensor
};

}  // namespace plumb
