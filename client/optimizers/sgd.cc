#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class SgdOptimizer : public Optimizer {
 public:
  explicit SgdOptimizer(const SgdOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "GradientDescent"; }

  // R60: v -= α·g.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    return scope.builder().Add("ApplyGradientDescent", {variable.ref(), RateFor(scope, variable), gradient},
                               {{"use_locking", options_.use_locking}});
  }

  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const Endpoint step = scope.builder().Call("Mul", {gradient.values, RateFor(scope, variable)});
    return scope.builder().Add("ScatterSub", {variable.ref(), gradient.indices, step},
                               {{"use_locking", options_.use_locking}});
  }

 private:
  Endpoint RateFor(Scope& scope, const Variable& variable) const {
    return Number(scope, options_.learning_rate, variable.dtype());
  }

  SgdOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Sgd(const SgdOptions& options) { return std::make_unique<SgdOptimizer>(options); }

}  // namespace plumb
