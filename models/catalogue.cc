#include "models/catalogue.h"

#include "models/image/alexnet.h"
#include "models/image/cifar10.h"
#include "models/image/digits.h"
#include "models/image/googlenet.h"
#include "models/image/inception.h"
#include "models/image/overfeat.h"
#include "models/image/resnet.h"
#include "models/image/vgg.h"

namespace plumb::models {
namespace {

// The demo's.
ImageClassifier BuildOneHidden(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  return BuildMlp(scope, {128}, optimizer, options);
}

ImageClassifier BuildGoogLeNetWithHeads(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  ImageOptions with_heads = options;
  with_heads.auxiliary_heads = true;
  return BuildGoogLeNet(scope, optimizer, with_heads);
}

}  // namespace

std::span<const ImageModelEntry> ImageModels() {
  static const ImageModelEntry models[] = {
      {"softmax", "Softmax regression on digits.", kDigits, BuildSoftmaxRegression},
      {"mlp", "A perceptron with one hidden layer of 128, on digits.", kDigits, BuildOneHidden},
      {"lenet", "LeNet: two convolutions, on digits.", kDigits, BuildLeNet},
      {"cifar10", "The network of TensorFlow's CIFAR-10 tutorial.", kCifar10, BuildCifar10},
      {"alexnet", "AlexNet, five convolutions in two groups.", kAlexNet, BuildAlexNet},
      {"overfeat", "OverFeat's fast network.", kOverFeat, BuildOverFeat},
      {"vgg-a", "VGG's network A, or OxfordNet: eight 3 x 3 convolutions.", kVggA, BuildVggA},
      {"googlenet", "GoogLeNet: nine inception modules.", kGoogLeNet, BuildGoogLeNet},
      {"googlenet-heads", "GoogLeNet with both auxiliary heads.", kGoogLeNet, BuildGoogLeNetWithHeads},
      {"inception-v3", "Inception-v3, without its auxiliary head.", kInceptionV3, BuildInceptionV3},
      {"resnet-50", "ResNet-50: sixteen bottlenecks.", kResNet50, BuildResNet50},
  };
  return models;
}

}  // namespace plumb::models
