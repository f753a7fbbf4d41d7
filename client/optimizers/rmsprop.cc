#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class RmsPropOptimizer : public Optimizer {
 public:
  explicit RmsPropOptimizer(const RmsPropOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "RMSProp"; }

  // R64; the mean square starts at one, as TensorFlow's does.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    const DType dtype = variable.dtype();
    const Endpoint mean_square = Slot(scope, variable, 1).ref(), moment = Slot(scope, variable, 0).ref();
    return scope.builder().Add("ApplyRMSProp",
                               {variable.ref(), mean_square, moment, Number(scope, options_.learning_rate, dtype),
                                Number(scope, options_.decay, dtype), Number(scope, options_.momentum, dtype),
                                Number(scope, options_.epsilon, dtype), gradient});
  }

  // Of the rows that are named alone.
  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const DType dtype = variable.dtype();
    const Endpoint mean_square = Slot(scope, variable, 1).ref(), moment = Slot(scope, variable, 0).ref();
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return scope.builder().Add("SparseApplyRMSProp",
                               {variable.ref(), mean_square, moment, Number(scope, options_.learning_rate, dtype),
                                Number(scope, options_.decay, dtype), Number(scope, options_.momentum, dtype),
                                Number(scope, options_.epsilon, dtype), rows.values, rows.indices});
  }

 private:
  RmsPropOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> RmsProp(const RmsPropOptions& options) {
  return std::make_unique<RmsPropOptimizer>(options);
}

}  // namespace plumb
