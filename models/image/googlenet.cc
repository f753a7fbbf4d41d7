#include "models/image/googlenet.h"

#include <algorithm>
#include <vector>

#include "models/image/network.h"

namespace plumb::models {
namespace {

constexpr Window kOne = {.height = 1, .width = 1}, kThree = {}, kFive = {.height = 5, .width = 5};
constexpr Window kHalve = {.stride = 2};
// The released model normalises with these.
constexpr ResponseNormOptions kGoogLeNetNorm = {.radius = 2, .bias = 1, .alpha = 2e-5, .beta = 0.75};

// Filters of a module's paths: 1 × 1; 1 × 1 then 3 × 3; 1 × 1 then 5 × 5; pooling then 1 × 1.
struct Module {
  const char* name;
  int64_t one, three_reduce, three, five_reduce, five, pool;
};
constexpr Module k3[] = {{"inception_3a", 64, 96, 128, 16, 32, 32}, {"inception_3b", 128, 128, 192, 32, 96, 64}};
constexpr Module k4[] = {{"inception_4a", 192, 96, 208, 16, 48, 64},
                         {"inception_4b", 160, 112, 224, 24, 64, 64},
                         {"inception_4c", 128, 128, 256, 24, 64, 64},
                         {"inception_4d", 112, 144, 288, 32, 64, 64},
                         {"inception_4e", 256, 160, 320, 32, 128, 128}};
constexpr Module k5[] = {{"inception_5a", 256, 160, 320, 32, 128, 128}, {"inception_5b", 384, 192, 384, 48, 128, 128}};

Output Inception(Network& net, Output x, const Module& module) {
  const auto named = net.scope().Sub(module.name);
  const Output one = net.Convolve(x, "1x1", module.one, kOne);
  const Output three =
      net.Convolve(net.Convolve(x, "3x3_reduce", module.three_reduce, kOne), "3x3", module.three, kThree);
  const Output five = net.Convolve(net.Convolve(x, "5x5_reduce", module.five_reduce, kOne), "5x5", module.five, kFive);
  const Output pool = net.Convolve(MaxPool(net.scope(), x, {}), "pool_proj", module.pool, kOne);
  return ConcatChannels(net.scope(), {one, three, five, pool});
}

// A classifier in the middle. Where the images are small, its pooling is as large as they are.
void AddHead(Network& net, Output x, const char* name) {
  const auto named = net.scope().Sub(name);
  const int64_t side = std::min<int64_t>(5, x.shape().dim(1));
  const Output pooled = AveragePool(net.scope(), x, {.height = side, .width = side, .stride = 3, .padding = "VALID"});
  const Output hidden = net.Connect(net.Convolve(pooled, "conv", 128, kOne), "fc", 1024);
  net.AddLoss(net.CrossEntropy(net.Logits(net.Dropout(hidden, 0.3), "logits")) * 0.3);
}

}  // namespace

ImageClassifier BuildGoogLeNet(Scope& scope, Optimizer& optimizer, const ImageOptions& options) {
  Network net(scope, options.Or(kGoogLeNet));
  const bool heads = net.options().auxiliary_heads;
  Output x = net.Convolve(net.images(), "conv1", 64, {.height = 7, .width = 7, .stride = 2});
  x = LocalResponseNorm(scope, MaxPool(scope, x, kHalve), kGoogLeNetNorm);
  x = net.Convolve(net.Convolve(x, "conv2_reduce", 64, kOne), "conv2", 192, kThree);
  x = MaxPool(scope, LocalResponseNorm(scope, x, kGoogLeNetNorm), kHalve);
  for (const Module& module : k3) x = Inception(net, x, module);
  x = MaxPool(scope, x, kHalve);
  for (const Module& module : k4) {
    x = Inception(net, x, module);
    if (heads && &module == &k4[0]) AddHead(net, x, "head1");
    if (heads && &module == &k4[3]) AddHead(net, x, "head2");
  }
  x = MaxPool(scope, x, kHalve);
  for (const Module& module : k5) x = Inception(net, x, module);
  x = net.Dropout(GlobalAveragePool(scope, x), 0.6);
  return net.Finish(net.Logits(x, "logits"), optimizer);
}

}  // namespace plumb::models
