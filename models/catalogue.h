// The models by name, for programs that let their user choose one.
#pragma once

#include <span>
#include <string_view>

#include "models/image/image_classifier.h"

namespace plumb::models {

struct ImageModelEntry {
  std::string_view name;         // such as "resnet-50"
  std::string_view description;  // one line
  ImageOptions paper;            // the sizes that the model was published with
  ImageClassifier (*build)(Scope& scope, Optimizer& optimizer, const ImageOptions& options);
};

// The classifiers of images, from the smallest to the deepest. Building one at full size makes a graph, no weights.
std::span<const ImageModelEntry> ImageModels();

}  // namespace plumb::models
