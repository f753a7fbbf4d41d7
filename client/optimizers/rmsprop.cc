#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class RmsPropOptimizer : public Optimizer {
 public:
  explicit RmsPropOptimizer(const RmsPropOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "RMSProp"; }

  // R64.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    return Update(scope, variable, "Apply", {gradient});
  }

  // Of the rows that are named alone.
  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return Update(scope, variable, "SparseApply", {rows.values, rows.indices});
  }

 private:
  // The mean square starts at one, as TensorFlow's does. Slots are made in the order of their names in checkpoints: the
  // mean square, the mean where it is kept, the moment.
  NodeId Update(Scope& scope, const Variable& variable, const std::string& kind,
                const std::vector<Endpoint>& gradient) {
    std::vector<Endpoint> inputs = {variable.ref()};
    const Endpoint mean_square = Slot(scope, variable, 1).ref();
    if (options_.centered) inputs.push_back(Slot(scope, variable, 0).ref());
    inputs.push_back(mean_square);
    inputs.push_back(Slot(scope, variable, 0).ref());
    for (const Rate& number :
         {options_.learning_rate, Rate(options_.decay), Rate(options_.momentum), Rate(options_.epsilon)}) {
      inputs.push_back(Number(scope, number, variable.dtype()));
    }
    inputs.insert(inputs.end(), gradient.begin(), gradient.end());
    return scope.builder().Add(kind + (options_.centered ? "CenteredRMSProp" : "RMSProp"), inputs,
                               {{"use_locking", options_.use_locking}});
  }

  RmsPropOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> RmsProp(const RmsPropOptions& options) {
  return std::make_unique<RmsPropOptimizer>(options);
}

}  // namespace plumb
