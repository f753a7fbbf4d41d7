#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class MomentumOptimizer : public Optimizer {
 public:
  explicit MomentumOptimizer(const MomentumOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "Momentum"; }

  // R61: a = a·μ + g; v -= α·a, or with Nesterov's look-ahead v -= α·g + α·μ·a.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    const DType dtype = variable.dtype();
    const Endpoint accumulator = Slot(scope, variable, 0).ref();
    return scope.builder().Add("ApplyMomentum",
                               {variable.ref(), accumulator, Number(scope, options_.learning_rate, dtype), gradient,
                                Number(scope, options_.momentum, dtype)},
                               {{"use_nesterov", options_.nesterov}, {"use_locking", options_.use_locking}});
  }

  // Of the rows that are named alone: others do not move on.
  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const DType dtype = variable.dtype();
    const Endpoint accumulator = Slot(scope, variable, 0).ref();
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return scope.builder().Add("SparseApplyMomentum",
                               {variable.ref(), accumulator, Number(scope, options_.learning_rate, dtype), rows.values,
                                rows.indices, Number(scope, options_.momentum, dtype)},
                               {{"use_nesterov", options_.nesterov}, {"use_locking", options_.use_locking}});
  }

 private:
  MomentumOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Momentum(const MomentumOptions& options) {
  return std::make_unique<MomentumOptimizer>(options);
}

}  // namespace plumb
