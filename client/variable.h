// Variables: state that outlives a step, and how it gets its first value.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/scope.h"

namespace plumb {

// Which part of a larger tensor a variable is, in checkpoints: its name there, and its place as "10 4 0,5:0,4": the
// tensor's shape, and the begin and the length along each axis.
struct SliceOf {
  std::string whole, place;
};

// A reference variable (VariableV2) with its initialiser (an Assign) and a read of its value (an Identity).
class Variable {
 public:
  Variable(Output ref, Output value, NodeId initializer, bool trainable, std::optional<SliceOf> slice = {})
      : ref_(ref), value_(value), initializer_(initializer), trainable_(trainable), slice_(std::move(slice)) {}

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
  // None where it is all of a tensor.
  const std::optional<SliceOf>& slice() const { return slice_; }

 private:
  Output ref_;
  Output value_;
  NodeId initializer_;
  bool trainable_;
  std::optional<SliceOf> slice_;
};

struct VariableOptions {
  std::string name = "Variable";
  bool trainable = true;
  bool local = false;  // of this run alone; then it is not trained
  std::optional<SliceOf> slice = {};
  // Beside this one, of which it has the slice; of the whole one's name with its own last part, as "emb/Adam_1".
  std::optional<SliceOf> slice_beside = {};
  std::string device = {};  // "": as Scope::variable_device says
  bool any_shape = false;   // its values' shapes, the first one's too, need be neither known nor equal
};

// A variable that starts as `initial`, whose shape must be known, unless any_shape. It joins scope.variables(), or the
// local ones.
Variable MakeVariable(Scope& scope, Output initial, const VariableOptions& options = {});
// A node that gives every variable made so far its first value.
NodeId InitializeAll(Scope& scope, std::string name = "init");
// The same for the local variables.
NodeId InitializeLocal(Scope& scope, std::string name = "init_local");
// Those that optimizers train.
std::vector<Variable> TrainableVariables(Scope& scope);

}  // namespace plumb
