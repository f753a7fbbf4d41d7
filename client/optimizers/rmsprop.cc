#include "client/optimizers/optimizer.h"

namespace plumb::client {
namespace {

class RmsPropOptimizer : public Optimizer {
 public:
  explicit RmsPropOptimizer(const RmsPropOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "rmsprop"; }

  // R64; the mean square starts at one, as TensorFlow's does.
  NodeId ApplyDense(Variables& variables, const Variable& variable, Endpoint gradient) override {
    GraphBuilder& builder = variables.builder();
    const DType dtype = builder.dtype(variable.ref);
    const Endpoint mean_square = Slot(variables, variable, 1).ref, moment = Slot(variables, variable, 0).ref;
    return builder.Add("ApplyRMSProp",
                       {variable.ref, mean_square, moment, Scalar(builder, options_.learning_rate, dtype),
                        Scalar(builder, options_.decay, dtype), Scalar(builder, options_.momentum, dtype),
                        Scalar(builder, options_.epsilon, dtype), gradient});
  }

 private:
  RmsPropOptions options_;
};

}  // namespace

std::unique_ptr<Optimizer> RmsProp(const RmsPropOptions& options) {
  return std::make_unique<RmsPropOptimizer>(options);
}

}  // namespace plumb::client
