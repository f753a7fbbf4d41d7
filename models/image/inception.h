// Inception-v3 (Szegedy et al., 2015), without its auxiliary head.
#pragma once

#include "models/image/image_classifier.h"

namespace plumb::models {

inline constexpr ImageOptions kInceptionV3 = {.side = 299, .channels = 3, .classes = 1000};

// Five convolutions and eleven modules: 23,834,568 parameters, where batch norm has a scale and an offset for each
// channel. Images have at least 75 pixels a side.
ImageClassifier BuildInceptionV3(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

}  // namespace plumb::models
