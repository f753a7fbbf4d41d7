// GoogLeNet (Szegedy et al., 2014): nine inception modules, each four paths beside each other.
#pragma once

#include "models/image/image_classifier.h"

namespace plumb::models {

inline constexpr ImageOptions kGoogLeNet = {.side = 224, .channels = 3, .classes = 1000};

// 6,998,552 parameters; with `auxiliary_heads`, two classifiers after the third and the sixth module whose losses count
// three tenths, 13,378,280.
ImageClassifier BuildGoogLeNet(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

}  // namespace plumb::models
