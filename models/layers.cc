#include "models/layers.h"

#include "client/initializers.h"

namespace plumb::models {

Output Dense(Scope& scope, Output x, int64_t out, int64_t seed, const std::string& name) {
  const auto named = scope.Sub(name);
  const int64_t in = x.shape().dim(1);
  Require(in >= 0, "the layer '", name, "' needs to know how many inputs it has");
  const Variable weights = MakeVariable(scope, GlorotUniform(scope, x.dtype(), {in, out}, seed), {"weights"});
  const Variable bias = MakeVariable(scope, Filled(scope, x.dtype(), {out}, 0), {"bias"});
  return scope.Call("BiasAdd", {scope.Call("MatMul", {x, weights}), bias});
}

Output Convolution(Scope& scope, Output x, int64_t side, int64_t out, int64_t seed, const std::string& name) {
  const auto named = scope.Sub(name);
  const int64_t in = x.shape().dim(3);
  Require(in >= 0, "the layer '", name, "' needs to know how many channels it reads");
  const Variable filters =
      MakeVariable(scope, GlorotUniform(scope, x.dtype(), {side, side, in, out}, seed), {"filters"});
  const Variable bias = MakeVariable(scope, Filled(scope, x.dtype(), {out}, 0), {"bias"});
  const AttrMap attrs = {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}};
  return scope.Call("BiasAdd", {scope.Call("Conv2D", {x, filters}, attrs), bias});
}

Output HalvingPool(Scope& scope, Output x) {
  const std::vector<int64_t> window = {1, 2, 2, 1};
  return scope.Call("MaxPool", {x}, {{"ksize", window}, {"strides", window}, {"padding", "SAME"}});
}

Output MeanCrossEntropy(Scope& scope, Output logits, Output labels) {
  const Output losses = scope.Call("SparseSoftmaxCrossEntropyWithLogits", {logits, labels});
  return scope.Call("Mean", {losses, Constant<int32_t>(scope, {0})});
}

}  // namespace plumb::models
