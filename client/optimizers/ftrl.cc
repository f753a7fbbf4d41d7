#include "client/optimizers/optimizer.h"

namespace plumb::client {
namespace {

class FtrlOptimizer : public Optimizer {
 public:
  explicit FtrlOptimizer(const FtrlOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "ftrl"; }

  // R66.
  NodeId ApplyDense(Variables& variables, const Variable& variable, Endpoint gradient) override {
    return Update(variables, variable, "ApplyFtrl", {gradient});
  }

  NodeId ApplySparse(Variables& variables, const Variable& variable, const GradientValue& gradient) override {
    const GradientValue rows = SumRepeatedRows(variables.builder(), gradient);
    return Update(variables, variable, "SparseApplyFtrl", {rows.values, rows.indices});
  }

 private:
  NodeId Update(Variables& variables, const Variable& variable, const char* op, std::vector<Endpoint> gradient) {
    GraphBuilder& builder = variables.builder();
    const DType dtype = builder.dtype(variable.ref);
    std::vector<Endpoint> inputs = {variable.ref, Slot(variables, variable, options_.initial_accumulator).ref,
                                    Slot(variables, variable, 0).ref};
    inputs.insert(inputs.end(), gradient.begin(), gradient.end());
    for (const double number : {options_.learning_rate, options_.l1, options_.l2, options_.learning_rate_power}) {
      inputs.push_back(Scalar(builder, number, dtype));
    }
    return builder.Add(op, inputs);
  }

  FtrlOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Ftrl(const FtrlOptions& options) { return std::make_unique<FtrlOptimizer>(options); }

}  // namespace plumb::client
