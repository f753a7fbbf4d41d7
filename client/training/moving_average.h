// Exponential moving averages of variables: often better weights to evaluate with than the last ones.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/variable.h"

namespace plumb {

struct MovingAverageOptions {
  double decay = 0.999;
  // Of updates so far: while there are few, the average forgets faster, with min(decay, (1 + n) / (10 + n)).
  std::optional<Output> num_updates = {};
};

class ExponentialMovingAverage {
 public:
  explicit ExponentialMovingAverage(const MovingAverageOptions& options) : options_(options) {}

  // A node that moves every average on: average −= (1 − decay) · (average − variable). To have it after the
  // variables' updates, make it within scope.After(updates). The averages are variables of their own, not trained,
  // called "VARIABLE/ExponentialMovingAverage", and start as the variables do. Floating-point variables only, each
  // once: else kInvalidArgument.
  NodeId Apply(Scope& scope, const std::vector<Variable>& variables);
  // The average of a variable that was given to Apply; kInvalidArgument for another.
  const Variable& Average(const Variable& variable) const;

 private:
  // Computed in float32, as TensorFlow does: a count of updates may be beyond what the variables' type can hold.
  Output OneMinusDecay(Scope& scope, DType dtype) const;

  MovingAverageOptions options_;
  std::map<std::string, Variable> averages_;  // by the variable's name
};

}  // namespace plumb
