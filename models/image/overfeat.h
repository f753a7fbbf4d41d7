// OverFeat's fast network (Sermanet et al., 2014).
#pragma once

#include "models/image/image_classifier.h"

namespace plumb::models {

inline constexpr ImageOptions kOverFeat = {.side = 231, .channels = 3, .classes = 1000};

// Five convolutions, layers of 3072 and 4096: 145,920,872 parameters. Images have at least 71 pixels a side.
ImageClassifier BuildOverFeat(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

}  // namespace plumb::models
