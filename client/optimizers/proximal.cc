#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

// A step down the gradient, then the weight shrunk towards zero by α l1, and divided by 1 + α l2.
class ProximalGradientDescentOptimizer : public Optimizer {
 public:
  explicit ProximalGradientDescentOptimizer(const ProximalGradientDescentOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "ProximalGradientDescent"; }

  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    return Update(scope, variable, "ApplyProximalGradientDescent", {gradient});
  }
  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return Update(scope, variable, "SparseApplyProximalGradientDescent", {rows.values, rows.indices});
  }

 private:
  NodeId Update(Scope& scope, const Variable& variable, const char* op, const std::vector<Endpoint>& gradient) {
    std::vector<Endpoint> inputs = {variable.ref()};
    for (const Rate& number : {options_.learning_rate, Rate(options_.l1), Rate(options_.l2)}) {
      inputs.push_back(Number(scope, number, variable.dtype()));
    }
    inputs.insert(inputs.end(), gradient.begin(), gradient.end());
    return scope.builder().Add(op, inputs, {{"use_locking", options_.use_locking}});
  }

  ProximalGradientDescentOptions options_;
};

// The same with Adagrad's rate, α / √a, for each weight.
class ProximalAdagradOptimizer : public Optimizer {
 public:
  explicit ProximalAdagradOptimizer(const ProximalAdagradOptions& options) : options_(options) {
    Require(options.initial_accumulator > 0, "ProximalAdagrad needs an initial accumulator above zero, not ",
            options.initial_accumulator);
  }

 protected:
  std::string name() const override { return "ProximalAdagrad"; }

  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    return Update(scope, variable, "ApplyProximalAdagrad", {gradient});
  }
  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return Update(scope, variable, "SparseApplyProximalAdagrad", {rows.values, rows.indices});
  }

 private:
  NodeId Update(Scope& scope, const Variable& variable, const char* op, const std::vector<Endpoint>& gradient) {
    std::vector<Endpoint> inputs = {variable.ref(), Slot(scope, variable, options_.initial_accumulator).ref()};
    for (const Rate& number : {options_.learning_rate, Rate(options_.l1), Rate(options_.l2)}) {
      inputs.push_back(Number(scope, number, variable.dtype()));
    }
    inputs.insert(inputs.end(), gradient.begin(), gradient.end());
    return scope.builder().Add(op, inputs, {{"use_locking", options_.use_locking}});
  }

  ProximalAdagradOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> ProximalGradientDescent(const ProximalGradientDescentOptions& options) {
  return std::make_unique<ProximalGradientDescentOptimizer>(options);
}
std::unique_ptr<Optimizer> ProximalAdagrad(const ProximalAdagradOptions& options) {
  return std::make_unique<ProximalAdagradOptimizer>(options);
}

}  // namespace plumb
