#include "models/image/alexnet.h"

#include "models/image/network.h"

namespace plumb::models {
namespace {

constexpr int64_t kGroups = 2;

Output Pool(Scope& scope, Output x) { return MaxPool(scope, x, {.stride = 2, .padding = "VALID"}); }

}  // namespace

ImageClassifier BuildAlexNet(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  Network net(scope, options.Or(kAlexNet));
  const Window eleven = {.height = 11, .width = 11, .stride = 4, .padding = "VALID"};
  const Window five = {.height = 5, .width = 5}, three = {};
  // Scaled to a multiple of the groups that read it.
  Output x = net.Convolve(net.images(), "conv1", 96, eleven, {.multiple = kGroups});
  x = Pool(scope, LocalResponseNorm(scope, x));
  x = net.Convolve(x, "conv2", 256, five, {.groups = kGroups});
  x = Pool(scope, LocalResponseNorm(scope, x));
  x = net.Convolve(x, "conv3", 384, three, {.multiple = kGroups});
  x = net.Convolve(x, "conv4", 384, three, {.groups = kGroups});
  x = Pool(scope, net.Convolve(x, "conv5", 256, three, {.groups = kGroups}));
  x = net.Dropout(net.Connect(x, "fc6", 4096), 0.5);
  x = net.Dropout(net.Connect(x, "fc7", 4096), 0.5);
  return net.Finish(net.Logits(x, "fc8"), optimizer);
}

}  // namespace plumb::models
