#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class AdagradOptimizer : public Optimizer {
 public:
  explicit AdagradOptimizer(const AdagradOptions& options) : options_(options) {
    Require(options.initial_accumulator > 0, "Adagrad needs an initial accumulator above zero, not ",
            options.initial_accumulator);
  }

 protected:
  std::string name() const override { return "Adagrad"; }

  // R62: a += g²; v -= α·g / √a.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    const Endpoint accumulator = Slot(scope, variable, options_.initial_accumulator).ref();
    return scope.builder().Add("ApplyAdagrad", {variable.ref(), accumulator, RateFor(scope, variable), gradient},
                               {{"use_locking", options_.use_locking}});
  }

  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const Endpoint accumulator = Slot(scope, variable, options_.initial_accumulator).ref();
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return scope.builder().Add("SparseApplyAdagrad",
                               {variable.ref(), accumulator, RateFor(scope, variable), rows.values, rows.indices},
                               {{"use_locking", options_.use_locking}});
  }

 private:
  Endpoint RateFor(Scope& scope, const Variable& variable) const {
    return Number(scope, options_.learning_rate, variable.dtype());
  }

  AdagradOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Adagrad(const AdagradOptions& options) {
  return std::make_unique<AdagradOptimizer>(options);
}

}  // namespace plumb
