#include "models/layers.h"

#include <cmath>

#include "client/initializers.h"

namespace plumb::models {
namespace {

AttrMap Sliding(const Window& window) {
  return {{"ksize", std::vector<int64_t>{1, window.height, window.width, 1}},
          {"strides", std::vector<int64_t>{1, window.stride, window.stride, 1}},
          {"padding", window.padding}};
}

// Equal parts along the last axis.
std::vector<Output> SplitChannels(Scope& scope, Output x, int64_t parts) {
  if (parts == 1) return {x};
  const NodeId split = scope.Add("Split", {Constant<int32_t>(scope, 3), x}, {{"num_split", parts}});
  std::vector<Output> outputs;
  for (int i = 0; i < parts; ++i) outputs.push_back({&scope.builder(), {split, i}});
  return outputs;
}

Variable MakeBias(Scope& scope, DType dtype, int64_t out) {
  return MakeVariable(scope, Filled(scope, dtype, {out}, 0), {"bias"});
}

}  // namespace

Output Dense(Scope& scope, Output x, int64_t out, int64_t seed, const std::string& name) {
  const auto named = scope.Sub(name);
  const int64_t in = x.shape().dim(1);
  Require(in >= 0, "the layer '", name, "' needs to know how many inputs it has");
  const Variable weights = MakeVariable(scope, GlorotUniform(scope, x.dtype(), {in, out}, seed), {"weights"});
  const Variable bias = MakeBias(scope, x.dtype(), out);
  return scope.Call("BiasAdd", {scope.Call("MatMul", {x, weights}), bias});
}

Output Flatten(Scope& scope, Output x) {
  int64_t size = 1;
  for (int axis = 1; axis < x.shape().rank(); ++axis) {
    Require(x.shape().dim(axis) >= 0, "what is flattened needs to have known sizes, not ", x.shape().ToString());
    size *= x.shape().dim(axis);
  }
  Require(size <= INT32_MAX, "rows of ", size, " numbers are too long");
  return scope.Call("Reshape", {x, Constant<int32_t>(scope, {-1, static_cast<int32_t>(size)})});
}

Output Convolution(Scope& scope, Output x, int64_t out, const ConvolutionOptions& options, int64_t seed,
                   const std::string& name) {
  const auto named = scope.Sub(name);
  const Window& window = options.window;
  const int64_t in = x.shape().dim(3);
  Require(in >= 0, "the layer '", name, "' needs to know how many channels it reads");
  Require(options.groups >= 1 && in % options.groups == 0 && out % options.groups == 0, "the layer '", name,
          "' cannot part ", in, " channels and ", out, " filters into ", options.groups, " equal groups");
  const Shape shape({window.height, window.width, in / options.groups, out});
  const double limit = std::sqrt(6.0 / static_cast<double>(shape.elements() / out));
  const Variable filters = MakeVariable(scope, Uniform(scope, x.dtype(), shape, -limit, limit, seed), {"filters"});
  const std::vector<Output> images = SplitChannels(scope, x, options.groups);
  const std::vector<Output> kernels = SplitChannels(scope, filters, options.groups);
  std::vector<Output> made;
  for (size_t group = 0; group < images.size(); ++group) {
    made.push_back(scope.Call(
        "Conv2D", {images[group], kernels[group]},
        {{"strides", std::vector<int64_t>{1, window.stride, window.stride, 1}}, {"padding", window.padding}}));
  }
  const Output y = made.size() == 1 ? made[0] : ConcatChannels(scope, made);
  return options.bias ? scope.Call("BiasAdd", {y, MakeBias(scope, x.dtype(), out)}) : y;
}

Output MaxPool(Scope& scope, Output x, const Window& window) { return scope.Call("MaxPool", {x}, Sliding(window)); }

Output AveragePool(Scope& scope, Output x, const Window& window) { return scope.Call("AvgPool", {x}, Sliding(window)); }

Output GlobalAveragePool(Scope& scope, Output x) { return scope.Call("Mean", {x, Constant<int32_t>(scope, {1, 2})}); }

Output ConcatChannels(Scope& scope, const std::vector<Output>& images) {
  std::vector<Output> inputs = images;
  inputs.push_back(Constant<int32_t>(scope, 3));
  return scope.Call("ConcatV2", inputs, {{"N", static_cast<int64_t>(images.size())}});
}

Output LocalResponseNorm(Scope& scope, Output x, const ResponseNormOptions& options) {
  return scope.Call("LRN", {x},
                    {{"depth_radius", options.radius},
                     {"bias", static_cast<float>(options.bias)},
                     {"alpha", static_cast<float>(options.alpha)},
                     {"beta", static_cast<float>(options.beta)}});
}

Output BatchNorm(Scope& scope, Output x, const BatchNormOptions& options, std::vector<NodeId>& updates,
                 const std::string& name) {
  const auto named = scope.Sub(name);
  const int64_t channels = x.shape().dim(3);
  Require(channels >= 0, "the layer '", name, "' needs to know how many channels it reads");
  const auto per_channel = [&](double initial, const char* what, bool trainable) {
    return MakeVariable(scope, Filled(scope, DType::kFloat, {channels}, initial), {what, trainable});
  };
  const Variable scale = per_channel(1, "scale", true), offset = per_channel(0, "offset", true);
  const Variable mean = per_channel(0, "moving_mean", false), variance = per_channel(1, "moving_variance", false);
  const Output none = Constant(scope, Tensor(DType::kFloat, {0}));
  const NodeId node = scope.Add(
      "FusedBatchNormV3",
      {x, scale, offset, options.is_training ? none : mean.value(), options.is_training ? none : variance.value()},
      {{"epsilon", static_cast<float>(options.epsilon)}, {"is_training", options.is_training}});
  const auto output = [&](int index) { return Output{&scope.builder(), {node, index}}; };
  if (options.is_training) {
    const auto move = [&](const Variable& average, Output batch) {
      updates.push_back(scope.Add("AssignSub", {average.ref(), (average.value() - batch) * (1 - options.decay)}));
    };
    move(mean, output(1));
    move(variance, output(2));
  }
  return output(0);
}

Output Dropout(Scope& scope, Output x, double keep, int64_t seed) {
  Require(keep > 0 && keep <= 1, "a unit is kept with a probability between 0 and 1, not ", keep);
  const Output uniform = scope.Call("RandomUniform", {scope.Call("Shape", {x})},
                                    {{"dtype", x.dtype()}, {"seed", seed}, {"seed2", int64_t{2}}});
  return x * (1 / keep) * AsType(uniform < keep, x.dtype());
}

Output MeanCrossEntropy(Scope& scope, Output logits, Output labels) {
  const Output losses = scope.Call("SparseSoftmaxCrossEntropyWithLogits", {logits, labels});
  return scope.Call("Mean", {losses, Constant<int32_t>(scope, {0})});
}

}  // namespace plumb::models
