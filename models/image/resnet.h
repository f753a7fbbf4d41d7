// ResNet-50 (He et al., 2015).
#pragma once

#include "models/image/image_classifier.h"

namespace plumb::models {

inline constexpr ImageOptions kResNet50 = {.side = 224, .channels = 3, .classes = 1000};

// Sixteen bottlenecks, each with a way around it: 25,557,032 parameters. That is the filters of 53 convolutions without
// biases (23,454,912), a scale and an offset for each of their 26,560 channels (53,120), and the weights and biases of
// the logits (2,049,000). A bottleneck that halves does so in its 3 × 3 convolution.
ImageClassifier BuildResNet50(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

}  // namespace plumb::models
