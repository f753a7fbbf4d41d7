#include "client/optimizers/optimizer.h"

namespace plumb::client {
namespace {

class AdagradOptimizer : public Optimizer {
 public:
  explicit AdagradOptimizer(const AdagradOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "adagrad"; }

  // R62: a += g²; v -= α·g / √a.
  NodeId ApplyDense(Variables& variables, const Variable& variable, Endpoint gradient) override {
    GraphBuilder& builder = variables.builder();
    const Endpoint accumulator = Slot(variables, variable, options_.initial_accumulator).ref;
    return builder.Add("ApplyAdagrad", {variable.ref, accumulator, Rate(builder, variable), gradient});
  }

  NodeId ApplySparse(Variables& variables, const Variable& variable, const GradientValue& gradient) override {
    GraphBuilder& builder = variables.builder();
    const Endpoint accumulator = Slot(variables, variable, options_.initial_accumulator).ref;
    const GradientValue rows = SumRepeatedRows(builder, gradient);
    return builder.Add("SparseApplyAdagrad",
                       {variable.ref, accumulator, Rate(builder, variable), rows.values, rows.indices});
  }

 private:
  Endpoint Rate(GraphBuilder& builder, const Variable& variable) const {
    return Scalar(builder, options_.learning_rate, builder.dtype(variable.ref));
  }

  AdagradOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Adagrad(const AdagradOptions& options) {
  return std::make_unique<AdagradOptimizer>(options);
}

}  // namespace plumb::client
