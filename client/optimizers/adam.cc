#include "client/optimizers/optimizer.h"

namespace plumb::client {
namespace {

class AdamOptimizer : public Optimizer {
 public:
  explicit AdamOptimizer(const AdamOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "adam"; }

  // The powers β₁ᵗ and β₂ᵗ are variables that all updates of a step share.
  void Prepare(Variables& variables) override {
    power1_ = variables.Filled("beta1_power", DType::kFloat, {}, options_.beta1, /*trainable=*/false);
    power2_ = variables.Filled("beta2_power", DType::kFloat, {}, options_.beta2, /*trainable=*/false);
  }

  // R65.
  NodeId ApplyDense(Variables& variables, const Variable& variable, Endpoint gradient) override {
    GraphBuilder& builder = variables.builder();
    const DType dtype = builder.dtype(variable.ref);
    const Endpoint m = Slot(variables, variable, 0).ref, v = Slot(variables, variable, 0).ref;
    return builder.Add("ApplyAdam",
                       {variable.ref, m, v, As(builder, power1_.value, dtype), As(builder, power2_.value, dtype),
                        Scalar(builder, options_.learning_rate, dtype), Scalar(builder, options_.beta1, dtype),
                        Scalar(builder, options_.beta2, dtype), Scalar(builder, options_.epsilon, dtype), gradient});
  }

  // The powers move on once every update has used them.
  std::vector<NodeId> Finish(Variables& variables, const std::vector<NodeId>& updates) override {
    return {Advance(variables.builder(), power1_, options_.beta1, updates),
            Advance(variables.builder(), power2_, options_.beta2, updates)};
  }

 private:
  static Endpoint As(GraphBuilder& builder, Endpoint value, DType dtype) {
    return builder.dtype(value) == dtype ? value : builder.Call("Cast", {value}, {{"DstT", dtype}});
  }

  static NodeId Advance(GraphBuilder& builder, const Variable& power, double beta, const std::vector<NodeId>& after) {
    GraphBuilder::ControlScope scope(builder, after);
    const Endpoint next = builder.Call("Mul", {power.value, Scalar(builder, beta, DType::kFloat)});
    return builder.Add("Assign", {power.ref, next});
  }

  AdamOptions options_;
  Variable power1_, power2_;
};

}  // namespace

std::unique_ptr<Optimizer> Adam(const AdamOptions& options) { return std::make_unique<AdamOptimizer>(options); }

}  // namespace plumb::client
