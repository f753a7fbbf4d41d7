#include "models/image/resnet.h"

#include "models/image/network.h"

namespace plumb::models {
namespace {

constexpr double kEpsilon = 1e-5;
constexpr int64_t kExpansion = 4;  // what a bottleneck gives is wider by this than what it works with
constexpr Window kOne = {.height = 1, .width = 1};

// The first of a stage, which changes the number of channels, has a projection on its way around.
Output Bottleneck(Network& net, Output x, int64_t channels, int64_t stride, bool first) {
  Output y = net.Relu(net.ConvolveNormalized(x, "conv1", channels, kOne, kEpsilon));
  y = net.Relu(net.ConvolveNormalized(y, "conv2", channels, {.stride = stride}, kEpsilon));
  y = net.ConvolveNormalized(y, "conv3", channels * kExpansion, kOne, kEpsilon);
  const Window projection = {.height = 1, .width = 1, .stride = stride};
  const Output around =
      first ? net.ConvolveNormalized(x, "projection", channels * kExpansion, projection, kEpsilon) : x;
  return net.Relu(y + around);
}

}  // namespace

ImageClassifier BuildResNet50(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  Network net(scope, options.Or(kResNet50));
  const Window seven = {.height = 7, .width = 7, .stride = 2};
  Output x = net.Relu(net.ConvolveNormalized(net.images(), "conv1", 64, seven, kEpsilon));
  x = MaxPool(scope, x, {.stride = 2});
  const int64_t blocks[] = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; ++stage) {
    for (int64_t block = 0; block < blocks[stage]; ++block) {
      const auto named = scope.Sub("stage" + std::to_string(stage + 1) + "_block" + std::to_string(block + 1));
      x = Bottleneck(net, x, int64_t{64} << stage, stage > 0 && block == 0 ? 2 : 1, block == 0);
    }
  }
  return net.Finish(net.Logits(GlobalAveragePool(scope, x), "logits"), optimizer);
}

}  // namespace plumb::models
