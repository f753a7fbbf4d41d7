#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class FtrlOptimizer : public Optimizer {
 public:
  explicit FtrlOptimizer(const FtrlOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "Ftrl"; }

  // R66.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    return Update(scope, variable, "ApplyFtrl", {gradient});
  }

  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return Update(scope, variable, "SparseApplyFtrl", {rows.values, rows.indices});
  }

 private:
  NodeId Update(Scope& scope, const Variable& variable, const char* op, std::vector<Endpoint> gradient) {
    const DType dtype = variable.dtype();
    std::vector<Endpoint> inputs = {variable.ref(), Slot(scope, variable, options_.initial_accumulator).ref(),
                                    Slot(scope, variable, 0).ref()};
    inputs.insert(inputs.end(), gradient.begin(), gradient.end());
    inputs.push_back(Number(scope, options_.learning_rate, dtype));
    for (const double number : {options_.l1, options_.l2, options_.learning_rate_power}) {
      inputs.push_back(Number(scope, number, dtype));
    }
    return scope.builder().Add(op, inputs);
  }

  FtrlOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Ftrl(const FtrlOptions& options) { return std::make_unique<FtrlOptimizer>(options); }

}  // namespace plumb
