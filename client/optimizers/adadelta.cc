#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class AdadeltaOptimizer : public Optimizer {
 public:
  explicit AdadeltaOptimizer(const AdadeltaOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "Adadelta"; }

  // a = ρ a + (1 − ρ) g²; u = √(d + ε) / √(a + ε) · g; d = ρ d + (1 − ρ) u²; v −= α u.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    return Update(scope, variable, "ApplyAdadelta", {gradient});
  }
  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return Update(scope, variable, "SparseApplyAdadelta", {rows.values, rows.indices});
  }

 private:
  NodeId Update(Scope& scope, const Variable& variable, const char* op, const std::vector<Endpoint>& gradient) {
    const DType dtype = variable.dtype();
    std::vector<Endpoint> inputs = {variable.ref(), Slot(scope, variable, 0).ref(), Slot(scope, variable, 0).ref()};
    for (const Rate& number : {options_.learning_rate, Rate(options_.rho), Rate(options_.epsilon)}) {
      inputs.push_back(Number(scope, number, dtype));
    }
    inputs.insert(inputs.end(), gradient.begin(), gradient.end());
    return scope.builder().Add(op, inputs, {{"use_locking", options_.use_locking}});
  }

  AdadeltaOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Adadelta(const AdadeltaOptions& options) {
  return std::make_unique<AdadeltaOptimizer>(options);
}

}  // namespace plumb
