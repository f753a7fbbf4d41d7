// AlexNet (Krizhevsky, Sutskever and Hinton, 2012), with its two groups.
#pragma once

#include "models/image/image_classifier.h"

namespace plumb::models {

inline constexpr ImageOptions kAlexNet = {.side = 227, .channels = 3, .classes = 1000};

// Five convolutions, of which the second, fourth and fifth see one half of the channels with each half of their
// filters, and two layers of 4096: 60,965,224 parameters. Images have at least 67 pixels a side.
ImageClassifier BuildAlexNet(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

}  // namespace plumb::models
