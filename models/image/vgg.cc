#include "models/image/vgg.h"

#include "models/image/network.h"

namespace plumb::models {

ImageClassifier BuildVggA(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  // Filters of the convolutions between two poolings.
  static const std::vector<int64_t> kStages[] = {{64}, {128}, {256, 256}, {512, 512}, {512, 512}};
  Network net(scope, options.Or(kVggA));
  Output x = net.images();
  int number = 1;
  for (const auto& stage : kStages) {
    for (const int64_t filters : stage) x = net.Convolve(x, "conv" + std::to_string(number++), filters, {});
    x = MaxPool(scope, x, {.height = 2, .width = 2, .stride = 2, .padding = "VALID"});
  }
  x = net.Dropout(net.Connect(x, "fc1", 4096), 0.5);
  x = net.Dropout(net.Connect(x, "fc2", 4096), 0.5);
  return net.Finish(net.Logits(x, "fc3"), optimizer);
}

}  // namespace plumb::models
