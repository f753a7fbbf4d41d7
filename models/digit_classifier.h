// Classifiers of 28 × 28 digit images: a multi-layer perceptron and LeNet.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "client/optimizers/optimizer.h"
#include "client/scope.h"

namespace plumb::models {

// What a program feeds, fetches and runs.
struct DigitClassifier {
  Output images;   // float32 [batch, 784], ink 0 … 1
  Output labels;   // int32 [batch]
  Output loss;     // float32 [], mean cross entropy
  Output correct;  // float32 [], the share of images classified as labelled
  NodeId train;    // one update of all variables
  NodeId init;     // gives the variables their first values
};

struct DigitClassifierOptions {
  int64_t batch = -1;  // -1: any
  int64_t seed = 1;    // of the initial values
};

// 784 → hidden… → 10 with rectified units. Glorot-initialised.
DigitClassifier BuildMlp(Scope& scope, const std::vector<int64_t>& hidden, Optimizer& optimizer,
                         const DigitClassifierOptions& options = {});

// Two 5 × 5 convolutions (32 and 64 filters), each halved by pooling, and a layer of 512.
DigitClassifier BuildLeNet(Scope& scope, Optimizer& optimizer, const DigitClassifierOptions& options = {});

}  // namespace plumb::models
