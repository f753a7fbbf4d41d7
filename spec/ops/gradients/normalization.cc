// Gradients of normalisation.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

// Training uses what the forward op kept; inference uses the population statistics that it was given. `reserved`
// counts the reserve inputs of the gradient op.
Values FusedBatchNorm(Gradient& g, const char* op, int reserved) {
  const bool training = g.attr<bool>("is_training");
  std::vector<Endpoint> inputs = {g.dy(0), g.x(0), g.x(1), training ? g.y(3) : g.x(3), training ? g.y(4) : g.x(4)};
  if (reserved == 3) inputs.push_back(g.y(5));
  const AttrMap attrs = {{"epsilon", g.attr<float>("epsilon")},
                         {"data_format", g.attr<std::string>("data_format")},
                         {"is_training", training}};
  const NodeId grad = g.Add(op, inputs, attrs);
  return {Endpoint{grad, 0}, Endpoint{grad, 1}, Endpoint{grad, 2}, GradientValue::None(), GradientValue::None()};
}

}  // namespace

Values FusedBatchNormGradient(Gradient& g) { return FusedBatchNorm(g, "FusedBatchNormGrad", 2); }
Values FusedBatchNormV2Gradient(Gradient& g) { return FusedBatchNorm(g, "FusedBatchNormGradV2", 2); }
Values FusedBatchNormV3Gradient(Gradient& g) { return FusedBatchNorm(g, "FusedBatchNormGradV3", 3); }

Values LRNGradient(Gradient& g) {
  const AttrMap attrs = {{"depth_radius", g.attr<int64_t>("depth_radius")},
                         {"bias", g.attr<float>("bias")},
                         {"alpha", g.attr<float>("alpha")},
                         {"beta", g.attr<float>("beta")}};
  return {g.Call("LRNGrad", {g.dy(), g.x(), g.y()}, attrs)};
}

}  // namespace plumb
