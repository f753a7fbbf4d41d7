#include "client/optimizers/optimizer.h"

namespace plumb::client {
namespace {

class MomentumOptimizer : public Optimizer {
 public:
  explicit MomentumOptimizer(const MomentumOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "momentum"; }

  // R61: a = a·μ + g; v -= α·a, or with Nesterov's look-ahead v -= α·g + α·μ·a.
  NodeId ApplyDense(Variables& variables, const Variable& variable, Endpoint gradient) override {
    GraphBuilder& builder = variables.builder();
    const DType dtype = builder.dtype(variable.ref);
    const Endpoint accumulator = Slot(variables, variable, 0).ref;
    return builder.Add("ApplyMomentum",
                       {variable.ref, accumulator, Scalar(builder, options_.learning_rate, dtype), gradient,
                        Scalar(builder, options_.momentum, dtype)},
                       {{"use_nesterov", options_.nesterov}});
  }

 private:
  MomentumOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> Momentum(const MomentumOptions& options) {
  return std::make_unique<MomentumOptimizer>(options);
}

}  // namespace plumb::client
