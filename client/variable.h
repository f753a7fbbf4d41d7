// Variables: state that outlives a step, and how it gets its first value.
#pragma once

#include <string>
#include <vector>

#include "client/scope.h"

namespace plumb {

// A reference variable (VariableV2) with its initialiser (an Assign) and a read of its value (an Identity).
class Variable {
 public:
  Variable(Output ref, Output value, NodeId initializer, bool trainable)
      : ref_(ref), value_(value), initializer_(initializer), trainable_(trainable) {}

  // What update ops (Assign, ApplyGradientDescent, …) take, and what Gradients differentiates with respect to.
  Output ref() const { return ref_; }
  Output value() const { return value_; }
  operator Output() const { return value_; }    // NOLINT: a variable stands for its value
  operator Endpoint() const { return value_; }  // NOLINT
  NodeId initializer() const { return initializer_; }
  bool trainable() const { return trainable_; }

  DType dtype() const { return value_.dtype(); }
  const PartialShape& shape() const { return value_.shape(); }
  std::string name() const { return ref_.name(); }

 private:
  Output ref_;
  Output value_;
  NodeId initializer_;
  bool trainable_;
};

struct VariableOptions {
  std::string name = "Variable";
  bool trainable = true;
};

// A variable that starts as `initial`, whose shape must be known. It joins scope.variables().
Variable MakeVariable(Scope& scope, Output initial, const VariableOptions& options = {});
// A node that gives every variable made so far its first value.
NodeId InitializeAll(Scope& scope, std::string name = "init");
// Those that optimizers train.
std::vector<Variable> TrainableVariables(Scope& scope);

}  // namespace plumb
