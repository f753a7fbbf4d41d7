#include "models/image/network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plumb::models {
namespace {

Output MakeInput(Scope& scope, DType dtype, const std::vector<int64_t>& shape, const char* name) {
  return scope.Call("Placeholder", {}, {{"dtype", dtype}, {"shape", PartialShape(shape)}}, name);
}

void CheckSizes(const ImageOptions& o) {
  Require(o.side > 0 && o.channels > 0 && o.classes > 0, "images need a side, channels and classes, not ", o.side, ", ",
          o.channels, " and ", o.classes);
  Require(o.width > 0, "the width of a network is a positive factor, not ", o.width);
}

}  // namespace

ImageOptions ImageOptions::Or(const ImageOptions& paper) const {
  ImageOptions all = *this;
  if (side == 0) all.side = paper.side;
  if (channels == 0) all.channels = paper.channels;
  if (classes == 0) all.classes = paper.classes;
  all.auxiliary_heads = auxiliary_heads || paper.auxiliary_heads;
  return all;
}

Network::Network(Scope& scope, const ImageOptions& options, Feeds feeds)
    : scope_(scope), options_(options), next_seed_(options.seed) {
  CheckSizes(options_);
  const ImageOptions& o = options_;
  if (feeds == Feeds::kImages) {
    images_ = fed_ = MakeInput(scope, DType::kFloat, {o.batch, o.side, o.side, o.channels}, "images");
  } else {
    fed_ = MakeInput(scope, DType::kFloat, {o.batch, o.side * o.side * o.channels}, "images");
    const auto side = static_cast<int32_t>(o.side), channels = static_cast<int32_t>(o.channels);
    images_ = scope.Call("Reshape", {fed_, Constant<int32_t>(scope, {-1, side, side, channels})});
  }
  labels_ = MakeInput(scope, DType::kInt32, {o.batch}, "labels");
}

Network::Network(Scope& scope, const ImageOptions& options, Output images, Output labels)
    : scope_(scope), options_(options), fed_(images), images_(images), labels_(labels), next_seed_(options.seed) {
  CheckSizes(options_);
}

int64_t Network::Scaled(int64_t channels, int64_t multiple) const {
  const double parts = std::round(static_cast<double>(channels) * options_.width / static_cast<double>(multiple));
  return std::max<int64_t>(1, static_cast<int64_t>(parts)) * multiple;
}

Output Network::Convolve(Output x, const std::string& name, int64_t out, const Window& window, const Parts& parts) {
  const ConvolutionOptions options = {.window = window, .groups = parts.groups};
  const int64_t filters = Scaled(out, std::lcm(parts.groups, parts.multiple));
  return Relu(Convolution(scope_, x, filters, options, next_seed_++, name));
}

Output Network::Connect(Output x, const std::string& name, int64_t out) {
  const Output row = x.shape().rank() == 2 ? x : Flatten(scope_, x);
  return Relu(Dense(scope_, row, Scaled(out), next_seed_++, name));
}

Output Network::ConvolveNormalized(Output x, const std::string& name, int64_t out, const Window& window,
                                   double epsilon) {
  const ConvolutionOptions options = {.window = window, .bias = false};
  const Output y = Convolution(scope_, x, Scaled(out), options, next_seed_++, name);
  return BatchNorm(scope_, y, {.is_training = options_.is_training, .epsilon = epsilon}, updates_, name + "/norm");
}

Output Network::Dropout(Output x, double keep) {
  return options_.is_training ? models::Dropout(scope_, x, keep, next_seed_++) : x;
}

Output Network::Logits(Output x, const std::string& name) {
  const Output row = x.shape().rank() == 2 ? x : Flatten(scope_, x);
  return Dense(scope_, row, options_.classes, next_seed_++, name);
}

ImageClassifier Network::Finish(Output logits, Optimizer& optimizer) {
  ImageClassifier model;
  model.images = fed_;
  model.labels = labels_;
  model.logits = logits;
  model.loss = CrossEntropy(logits);
  for (const Output& loss : extra_losses_) model.loss = model.loss + loss;
  const Output guess = scope_.Call("ArgMax", {logits, Constant<int32_t>(scope_, 1)}, {{"output_type", DType::kInt32}});
  const Output hits = AsType(scope_.Call("Equal", {guess, labels_}), DType::kFloat);
  model.correct = scope_.Call("Mean", {hits, Constant<int32_t>(scope_, {0})});
  if (options_.is_training) {
    const NodeId update = optimizer.Minimize(scope_, model.loss);
    std::vector<NodeId> all = updates_;
    all.push_back(update);
    model.train = updates_.empty() ? update : scope_.Group(all, "train");
  }
  model.init = InitializeAll(scope_);
  return model;
}

}  // namespace plumb::models
