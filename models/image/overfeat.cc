#include "models/image/overfeat.h"

#include "models/image/network.h"

namespace plumb::models {

ImageClassifier BuildOverFeat(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  Network net(scope, options.Or(kOverFeat));
  const Window eleven = {.height = 11, .width = 11, .stride = 4, .padding = "VALID"};
  const Window five = {.height = 5, .width = 5, .padding = "VALID"}, three = {};
  const Window halve = {.height = 2, .width = 2, .stride = 2, .padding = "VALID"};
  Output x = MaxPool(scope, net.Convolve(net.images(), "conv1", 96, eleven), halve);
  x = MaxPool(scope, net.Convolve(x, "conv2", 256, five), halve);
  x = net.Convolve(x, "conv3", 512, three);
  x = net.Convolve(x, "conv4", 1024, three);
  x = MaxPool(scope, net.Convolve(x, "conv5", 1024, three), halve);
  x = net.Dropout(net.Connect(x, "fc6", 3072), 0.5);
  x = net.Dropout(net.Connect(x, "fc7", 4096), 0.5);
  return net.Finish(net.Logits(x, "fc8"), optimizer);
}

}  // namespace plumb::models
