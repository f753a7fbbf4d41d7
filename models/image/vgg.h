// VGG's network A, also called OxfordNet (Simonyan and Zisserman, 2015).
#pragma once

#include "models/image/image_classifier.h"

namespace plumb::models {

inline constexpr ImageOptions kVggA = {.side = 224, .channels = 3, .classes = 1000};

// Eight 3 × 3 convolutions, halved five times, and two layers of 4096: 132,863,336 parameters. Images have at least 32
// pixels a side.
ImageClassifier BuildVggA(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

}  // namespace plumb::models
