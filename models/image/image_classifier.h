// What the classifiers of images have in common: what a program asks for, and what it gets.
#pragma once

#include <cstdint>

#include "client/optimizers/optimizer.h"
#include "client/scope.h"

namespace plumb::models {

struct ImageOptions {
  int64_t side = 0;              // of the square images; 0: the paper's
  int64_t channels = 0;          // of the images; 0: the paper's
  int64_t classes = 0;           // 0: the paper's
  double width = 1;              // scales the channels and units of the hidden layers; 1: the paper's
  int64_t batch = -1;            // -1: any
  bool is_training = true;       // whether units are dropped out and batches normalised by their own statistics
  bool auxiliary_heads = false;  // of GoogLeNet: classifiers in the middle, which help its gradients
  int64_t seed = 1;              // of the initial values and of what is dropped out

  // These, with the sizes that are left open taken from `paper`.
  ImageOptions Or(const ImageOptions& paper) const;
};

// What a program feeds, fetches and runs.
struct ImageClassifier {
  Output images;   // float32 [batch, side, side, channels]; the models of digits read rows of side · side · channels
  Output labels;   // int32 [batch]
  Output logits;   // float32 [batch, classes]
  Output loss;     // float32 [], mean cross entropy, with whatever else the model minimises
  Output correct;  // float32 [], the share of images classified as labelled
  NodeId train = NodeId::kNone;  // one update of all variables; none unless is_training
  NodeId init = NodeId::kNone;   // gives the variables their first values
};

}  // namespace plumb::models
