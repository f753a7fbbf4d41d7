#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class FtrlOptimizer : public Optimizer {
 public:
  explicit FtrlOptimizer(const FtrlOptions& options) : options_(options) {
    const auto require_not_below_zero = [](const char* what, double value) {
      Require(value >= 0, "Ftrl needs an ", what, " of at least zero, not ", value);
    };
    require_not_below_zero("initial accumulator", options.initial_accumulator);
    require_not_below_zero("l1", options.l1);
    require_not_below_zero("l2", options.l2);
    require_not_below_zero("l2_shrinkage", options.l2_shrinkage);
    Require(options.learning_rate_power <= 0, "Ftrl needs a learning rate power of at most zero, not ",
            options.learning_rate_power);
  }

 protected:
  std::string name() const override { return "Ftrl"; }

  // R66; with shrinkage by the ops of the second version.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    return Update(scope, variable, "ApplyFtrl", {gradient});
  }

  NodeId ApplySparse(Scope& scope, const Variable& variable, const GradientValue& gradient) override {
    const GradientValue rows = SumRepeatedRows(scope.builder(), gradient);
    return Update(scope, variable, "SparseApplyFtrl", {rows.values, rows.indices});
  }

 private:
  NodeId Update(Scope& scope, const Variable& variable, const std::string& op, std::vector<Endpoint> gradient) {
    const DType dtype = variable.dtype();
    std::vector<Endpoint> inputs = {variable.ref(), Slot(scope, variable, options_.initial_accumulator).ref(),
                                    Slot(scope, variable, 0).ref()};
    inputs.insert(inputs.end(), gradient.begin(), gradient.end());
    inputs.push_back(Number(scope, options_.learning_rate, dtype));
    const bool shrinks = options_.l2_shrinkage > 0;
    std::vector<double> numbers = {options_.l1, options_.l2};
    if (shrinks) numbers.push_back(options_.l2_shrinkage);
    numbers.push_back(options_.learning_rate_power);
    for (const double number : numbers) inputs.push_back(Number(scope, number, dtype));
    return scope.builder().Add(shrinks ? op + "V2" : op, inputs, {{"use_locking", options_.use_locking}});
  }

  FtrlOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Ftrl(const FtrlOptions& options) { return std::make_unique<FtrlOptimizer>(options); }

}  // namespace plumb
