// Optimizers as graph-building code: each turns gradients into update ops (rules R60–R69).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "client/initializers.h"
#include "client/variable.h"
#include "spec/ops/gradient.h"

namespace plumb {

using VariableGradient = std::pair<Variable, GradientValue>;

// A number, or a scalar tensor that gives another one each step (client/training/learning_rates.h).
class Rate {
 public:
  Rate(double fixed) : fixed_(fixed) {}           // NOLINT: numbers stand for themselves
  Rate(Output changing) : changing_(changing) {}  // NOLINT
  // As a scalar of the type.
  Output As(Scope& scope, DType dtype) const;

 private:
  double fixed_ = 0;
  std::optional<Output> changing_;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;

  // One update of every variable that has a gradient, as a NoOp to run each step. Slots are variables of their own, not
  // trained; they are initialised with the rest, and all updates by one optimizer share them. A `global_step` grows by
  // one when all updates are done.
  virtual NodeId Apply(Scope& scope, std::span<const VariableGradient> gradients,
                       const Variable* global_step = nullptr);
  // The same for the gradients of `loss` with respect to every trainable variable of the scope.
  NodeId Minimize(Scope& scope, Output loss, const Variable* global_step = nullptr);

 protected:
  // As TensorFlow's class of the kind is called: of the scope that updates are built in, and of slots.
  virtual std::string name() const = 0;
  // Makes what all updates share, before the first of them.
  virtual void Prepare(Scope&) {}
  // The update op for a dense gradient.
  virtual NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) = 0;
  // For slices of the variable's rows. By default the dense update of the same gradient, which is what the formula
  // says; optimizers with a sparse op touch only the rows named, with repeated rows summed first (rule R68). Adam has
  // none: as in TensorFlow its moments of all rows fade with each step.
  virtual NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient);
  // Runs after all updates; returns the op that ends the step.
  virtual std::vector<NodeId> Finish(Scope&, const std::vector<NodeId>& updates) { return updates; }

  // A slot shaped like the variable, on its device. Slots are named as TensorFlow names them in checkpoints:
  // VARIABLE/NAME, VARIABLE/NAME_1 in the order in which they are made.
  Variable Slot(Scope& scope, const Variable& variable, double initial);
  // What `make` made for `what` in this scope, when it was asked for first.
  Variable MadeOnce(Scope& scope, const std::string& what, const std::function<Variable()>& make);
  // A scalar constant of the variable's type.
  static Output Number(Scope& scope, const Rate& value, DType dtype) { return value.As(scope, dtype); }

 private:
  Variable MakeSlot(Scope& scope, const Variable& variable, double initial) const;

  std::map<std::pair<const Scope*, std::string>, std::string> made_;  // the names of variables, by what they are for
  int slots_asked_for_ = 0;                                           // of the variable that is being updated
};

// Rows that are named more than once are summed, so that each is applied once.
GradientValue SumRepeatedRows(GraphBuilder& builder, const GradientValue& gradient);

// `use_locking`: the update op holds its variables' locks, so that updates which run at the same time do not mix.
struct SgdOptions {
  Rate learning_rate = 0.01;
  bool use_locking = false;
};
struct MomentumOptions {
  Rate learning_rate = 0.01, momentum = 0.9;
  bool nesterov = false, use_locking = false;
};
struct AdamOptions {
  Rate learning_rate = 0.001;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  bool use_locking = false;
};
struct AdagradOptions {
  Rate learning_rate = 0.01;
  double initial_accumulator = 0.1;
  bool use_locking = false;
};
struct RmsPropOptions {
  Rate learning_rate = 0.001;
  double decay = 0.9, momentum = 0, epsilon = 1e-10;
  bool centered = false;  // gradients are divided by the root of their variance, in place of that of their square
  bool use_locking = false;
};
struct FtrlOptions {
  Rate learning_rate = 0.001;
  double learning_rate_power = -0.5, initial_accumulator = 0.1, l1 = 0, l2 = 0;
  double l2_shrinkage = 0;  // a penalty on the weights' squares that the accumulator, and so the rate, does not see
  bool use_locking = false;
};
struct AdadeltaOptions {
  Rate learning_rate = 0.001;
  double rho = 0.95, epsilon = 1e-8;
  bool use_locking = false;
};
// Weights are a function of all gradients so far: small ones stay at zero where l1 is positive.
struct AdagradDaOptions {
  Rate learning_rate;
  Output global_step;  // counts the steps before this one, as MakeGlobalStep's value does
  double initial_gradient_squared_accumulator = 0.1, l1 = 0, l2 = 0;
  bool use_locking = false;
};
struct ProximalGradientDescentOptions {
  Rate learning_rate;
  double l1 = 0, l2 = 0;
  bool use_locking = false;
};
struct ProximalAdagradOptions {
  Rate learning_rate;
  double initial_accumulator = 0.1, l1 = 0, l2 = 0;
  bool use_locking = false;
};
struct LbfgsOptions {
  Rate learning_rate = 1;
  int history = 10;  // pairs of past steps and changes of the gradient
};

std::unique_ptr<Optimizer> Sgd(const SgdOptions& options);
std::unique_ptr<Optimizer> Momentum(const MomentumOptions& options);
std::unique_ptr<Optimizer> Adam(const AdamOptions& options);
// kInvalidArgument for an initial accumulator that is not above zero.
std::unique_ptr<Optimizer> Adagrad(const AdagradOptions& options);
std::unique_ptr<Optimizer> RmsProp(const RmsPropOptions& options);
// kInvalidArgument for an initial accumulator, l1, l2 or l2_shrinkage below zero, or a learning_rate_power above it.
std::unique_ptr<Optimizer> Ftrl(const FtrlOptions& options);
std::unique_ptr<Optimizer> Adadelta(const AdadeltaOptions& options);
// As Adagrad; kInvalidArgument for a global step that is not an int64 scalar.
std::unique_ptr<Optimizer> AdagradDa(const AdagradDaOptions& options);
std::unique_ptr<Optimizer> ProximalGradientDescent(const ProximalGradientDescentOptions& options);
// As Adagrad.
std::unique_ptr<Optimizer> ProximalAdagrad(const ProximalAdagradOptions& options);
// For losses of which every step sees all data; the variables have one type (else kInvalidArgument). It remembers the
// steps of all variables together: updates of the same ones share this memory, in whatever order they are named, and
// updates of others have one of their own.
std::unique_ptr<Optimizer> Lbfgs(const LbfgsOptions& options);

}  // namespace plumb
