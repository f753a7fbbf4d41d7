#include "models/image/digits.h"

#include "models/image/network.h"

namespace plumb::models {

ImageClassifier BuildSoftmaxRegression(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  return BuildMlp(scope, {}, optimizer, options);
}

ImageClassifier BuildMlp(Scope& scope, const std::vector<int64_t>& hidden, Optimizer& optimizer,
                         const ImageOptions& options) {
  Network net(scope, options.Or(kDigits), Network::Feeds::kRows);
  Output layer = net.fed();
  for (const int64_t units : hidden) layer = net.Connect(layer, "hidden", units);
  return net.Finish(net.Logits(layer, "logits"), optimizer);
}

ImageClassifier BuildLeNet(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  Network net(scope, options.Or(kDigits), Network::Feeds::kRows);
  const Window five = {.height = 5, .width = 5}, halve = {.height = 2, .width = 2, .stride = 2};
  const Output first = MaxPool(scope, net.Convolve(net.images(), "conv1", 32, five), halve);
  const Output second = MaxPool(scope, net.Convolve(first, "conv2", 64, five), halve);
  return net.Finish(net.Logits(net.Connect(second, "hidden", 512), "logits"), optimizer);
}

}  // namespace plumb::models
