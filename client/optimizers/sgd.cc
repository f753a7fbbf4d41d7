#include "client/optimizers/optimizer.h"

namespace plumb::client {
namespace {

class SgdOptimizer : public Optimizer {
 public:
  explicit SgdOptimizer(const SgdOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "sgd"; }

  // R60: v -= α·g.
  NodeId ApplyDense(Variables& variables, const Variable& variable, Endpoint gradient) override {
    GraphBuilder& builder = variables.builder();
    return builder.Add("ApplyGradientDescent", {variable.ref, Rate(builder, variable), gradient});
  }

  NodeId ApplySparse(Variables& variables, const Variable& variable, const GradientValue& gradient) override {
    GraphBuilder& builder = variables.builder();
    const Endpoint step = builder.Call("Mul", {gradient.values, Rate(builder, variable)});
    return builder.Add("ScatterSub", {variable.ref, gradient.indices, step});
  }

 private:
  Endpoint Rate(GraphBuilder& builder, const Variable& variable) const {
    return Scalar(builder, options_.learning_rate, builder.dtype(variable.ref));
  }

  SgdOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Sgd(const SgdOptions& options) { return std::make_unique<SgdOptimizer>(options); }

}  // namespace plumb::client
