// A classifier of images while it is built, layer by layer.
#pragma once

#include <string>
#include <vector>

#include "models/image/image_classifier.h"
#include "models/layers.h"

namespace plumb::models {

// Layers take the next seed each, so that equal options give equal networks.
class Network {
 public:
  // What a program feeds: images, or rows of side · side · channels numbers.
  enum class Feeds { kImages, kRows };
  // With placeholders for images and labels. kInvalidArgument for sizes that are not positive.
  Network(Scope& scope, const ImageOptions& options, Feeds feeds = Feeds::kImages);
  // With images and labels that the graph computes, such as an input pipeline's.
  Network(Scope& scope, const ImageOptions& options, Output images, Output labels);

  Scope& scope() { return scope_; }
  const ImageOptions& options() const { return options_; }
  Output images() const { return images_; }  // [batch, side, side, channels]
  Output fed() const { return fed_; }        // the same as the program feeds it

  // So many channels or units, scaled by options().width: at least one, and a multiple of `multiple`.
  int64_t Scaled(int64_t channels, int64_t multiple = 1) const;

  // Layers with a bias and rectified units. `out` is scaled, to a multiple of the groups and of `multiple`, the groups
  // of a layer that reads it.
  struct Parts {
    int64_t groups = 1, multiple = 1;
  };
  Output Convolve(Output x, const std::string& name, int64_t out, const Window& window, const Parts& parts = {1, 1});
  Output Connect(Output x, const std::string& name, int64_t out);
  // A convolution without bias, normalised by batches.
  Output ConvolveNormalized(Output x, const std::string& name, int64_t out, const Window& window, double epsilon);
  Output Relu(Output x) { return scope_.Call("Relu", {x}); }
  // While training, drops units.
  Output Dropout(Output x, double keep);
  // The logits of the classes, from all numbers of an image.
  Output Logits(Output x, const std::string& name);

  // Minimises this too.
  void AddLoss(Output loss) { extra_losses_.push_back(loss); }
  // The weights of the layer made last that has a bias: the variable before the last.
  const Variable& LastWeights() { return *(scope_.variables().end() - 2); }
  Output CrossEntropy(Output logits) { return MeanCrossEntropy(scope_, logits, labels_); }

  // Loss, accuracy, update and initialiser, once the logits are there.
  ImageClassifier Finish(Output logits, Optimizer& optimizer);

 private:
  Scope& scope_;
  const ImageOptions options_;
  Output fed_, images_, labels_;
  int64_t next_seed_;
  std::vector<Output> extra_losses_;
  std::vector<NodeId> updates_;  // of the averages of batch norm
};

}  // namespace plumb::models
