#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

// Dual averaging. A row moves when it is read: what others would do as the steps go on waits until then.
class AdagradDaOptimizer : public Optimizer {
 public:
  explicit AdagradDaOptimizer(const AdagradDaOptions& options) : options_(options) {
    Require(options.global_step.dtype() == DType::kInt64 && options.global_step.shape().rank() <= 0,
            "the global step of AdagradDA must be an int64 scalar, not ", DTypeName(options.global_step.dtype()),
            " of shape ", options.global_step.shape().ToString());
    Require(options.initial_gradient_squared_accumulator > 0, "AdagradDA needs an initial accumulator above zero, not ",
            options.initial_gradient_squared_accumulator);
  }

 protected:
  std::string name() const override { return "AdagradDA"; }

  // The update counts from 1.
  void Prepare(Scope&) override { step_ = options_.global_step + 1; }

  // s += g; q += g²; v = −α sign(s) max(|s| − l1 t, 0) / (l2 α t + √q).
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    return Update(scope, variable, "ApplyAdagradDA", {gradient});
  }
  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return Update(scope, variable, "SparseApplyAdagradDA", {rows.values, rows.indices});
  }

 private:
  NodeId Update(Scope& scope, const Variable& variable, const char* op, const std::vector<Endpoint>& gradient) {
    std::vector<Endpoint> inputs = {variable.ref(), Slot(scope, variable, 0).ref(),
                                    Slot(scope, variable, options_.initial_gradient_squared_accumulator).ref()};
    inputs.insert(inputs.end(), gradient.begin(), gradient.end());
    for (const Rate& number : {options_.learning_rate, Rate(options_.l1), Rate(options_.l2)}) {
      inputs.push_back(Number(scope, number, variable.dtype()));
    }
    inputs.push_back(step_);
    return scope.builder().Add(op, inputs, {{"use_locking", options_.use_locking}});
  }

  AdagradDaOptions options_;
  Output step_;
};

}  // namespace

std::unique_ptr<Optimizer> AdagradDa(const AdagradDaOptions& options) {
  return std::make_unique<AdagradDaOptimizer>(options);
}

}  // namespace plumb
