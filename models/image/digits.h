// Classifiers of 28 × 28 digit images. A program feeds rows of 784 numbers, ink 0 … 1.
#pragma once

#include <cstdint>
#include <vector>

#include "models/image/image_classifier.h"

namespace plumb::models {

inline constexpr ImageOptions kDigits = {.side = 28, .channels = 1, .classes = 10};

// Pixels times weights, nothing hidden.
ImageClassifier BuildSoftmaxRegression(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

// A multi-layer perceptron, 784 → hidden… → 10, with rectified units. Glorot-initialised.
ImageClassifier BuildMlp(Scope& scope, const std::vector<int64_t>& hidden, Optimizer& optimizer,
                         const ImageOptions& options = {});

// Two 5 × 5 convolutions (32 and 64 filters), each halved by pooling, and a layer of 512.
ImageClassifier BuildLeNet(Scope& scope, Optimizer& optimizer, const ImageOptions& options = {});

}  // namespace plumb::models
