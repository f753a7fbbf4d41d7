#include "models/image/cifar10.h"

#include "models/image/network.h"

namespace plumb::models {
namespace {

constexpr Window kFive = {.height = 5, .width = 5}, kHalve = {.stride = 2};
constexpr ResponseNormOptions kNorm = {.radius = 4, .bias = 1, .alpha = 0.001 / 9, .beta = 0.75};
constexpr double kDecay = 0.004;  // of the weights of the layers that see the whole image

Output Connect(Network& net, Output x, const std::string& name, int64_t units) {
  const Output y = net.Connect(x, name, units);
  net.AddLoss(net.scope().Call("L2Loss", {net.LastWeights()}) * kDecay);
  return y;
}

ImageClassifier Build(Network& net, Optimizer& optimizer) {
  Scope& scope = net.scope();
  Output x = MaxPool(scope, net.Convolve(net.images(), "conv1", 64, kFive), kHalve);
  x = net.Convolve(LocalResponseNorm(scope, x, kNorm), "conv2", 64, kFive);
  x = MaxPool(scope, LocalResponseNorm(scope, x, kNorm), kHalve);
  x = Connect(net, Connect(net, x, "local3", 384), "local4", 192);
  return net.Finish(net.Logits(x, "softmax_linear"), optimizer);
}

}  // namespace

ImageClassifier BuildCifar10(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  Network net(scope, options.Or(kCifar10));
  return Build(net, optimizer);
}

ImageClassifier BuildCifar10On(Scope& scope, Optimizer& optimizer, const Cifar10Batch& batch,
                               const ImageOptions& options) {
  Network net(scope, options.Or(kCifar10), batch.images, batch.labels);
  return Build(net, optimizer);
}

}  // namespace plumb::models
