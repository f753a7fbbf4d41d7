#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

// Dual averaging. Slices are applied as the dense gradient that they stand for: in this formula a row's weight changes
// with the step even where its gradient is zero.
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
    const DType dtype = variable.dtype();
    const Variable sum = Slot(scope, variable, 0);
    const Variable squares = Slot(scope, variable, options_.initial_gradient_squared_accumulator);
    return scope.builder().Add(
        "ApplyAdagradDA",
        {variable.ref(), sum.ref(), squares.ref(), gradient, Number(scope, options_.learning_rate, dtype),
         Number(scope, options_.l1, dtype), Number(scope, options_.l2, dtype), step_},
        {{"use_locking", options_.use_locking}});
  }

 private:
  AdagradDaOptions options_;
  Output step_;
};

}  // namespace

std::unique_ptr<Optimizer> AdagradDa(const AdagradDaOptions& options) {
  return std::make_unique<AdagradDaOptimizer>(options);
}

}  // namespace plumb
