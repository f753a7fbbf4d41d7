#include <optional>

#include "client/optimizers/optimizer.h"

namespace plumb {
namespace {

class AdamOptimizer : public Optimizer {
 public:
  explicit AdamOptimizer(const AdamOptions& options) : options_(options) {}

 protected:
  std::string name() const override { return "Adam"; }

  // The powers β₁ᵗ and β₂ᵗ are variables that all updates of a step share.
  void Prepare(Scope& scope) override {
    const GraphBuilder::NameScope root(scope.builder(), "", GraphBuilder::ScopeKind::kAbsolute);
    const auto power = [&](const std::string& name, double beta) {
      const auto make = [&] { return MakeVariable(scope, Filled(scope, DType::kFloat, {}, beta), {name, false}); };
      return MadeOnce(scope, name, make);
    };
    power1_ = power("beta1_power", options_.beta1);
    power2_ = power("beta2_power", options_.beta2);
  }

  // R65.
  NodeId ApplyDense(Scope& scope, const Variable& variable, Endpoint gradient) override {
    const DType dtype = variable.dtype();
    const Endpoint m = Slot(scope, variable, 0).ref(), v = Slot(scope, variable, 0).ref();
    return scope.builder().Add("ApplyAdam",
                               {variable.ref(), m, v, AsType(*power1_, dtype), AsType(*power2_, dtype),
                                Number(scope, options_.learning_rate, dtype), Number(scope, options_.beta1, dtype),
                                Number(scope, options_.beta2, dtype), Number(scope, options_.epsilon, dtype), gradient},
                               {{"use_locking", options_.use_locking}});
  }

  // The powers move on once every update has used them.
  std::vector<NodeId> Finish(Scope& scope, const std::vector<NodeId>& updates) override {
    return {Advance(scope, *power1_, options_.beta1, updates), Advance(scope, *power2_, options_.beta2, updates)};
  }

 private:
  static NodeId Advance(Scope& scope, const Variable& power, double beta, const std::vector<NodeId>& updates) {
    const auto after = scope.After(updates);
    return scope.Add("Assign", {power.ref(), power.value() * beta});
  }

  AdamOptions options_;
  std::optional<Variable> power1_, power2_;
};

}  // namespace

std::unique_ptr<Optimizer> Adam(const AdamOptions& options) { return std::make_unique<AdamOptimizer>(options); }

}  // namespace plumb
