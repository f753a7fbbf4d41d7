// Losses over so many classes that each step looks at a sample of them, as tf.nn.sampled_softmax_loss and nce_loss of
// TensorFlow 1.15.
#pragma once

#include <optional>
#include <vector>

#include "client/embedding/lookup.h"

namespace plumb {

// Classes that were drawn, and how often each was to be expected.
struct SampledClasses {
  Output sampled;           // [num_sampled] of int64
  Output expected_true;     // [batch, num_true]
  Output expected_sampled;  // [num_sampled]
};

struct SampledLossOptions {
  int64_t num_true = 1;                             // labels of each example
  std::optional<SampledClasses> sample = {};        // none: drawn log-uniformly, which fits ids sorted by frequency
  std::optional<bool> remove_accidental_hits = {};  // of labels among the sample; none: as TensorFlow's defaults
  PartitionStrategy strategy = PartitionStrategy::kMod;
  int64_t seed = 0;  // of the sample: equal seeds draw alike in every run, 0 as well
};

// What both are made of.
struct SampledLogits {
  Output logits, labels;  // [batch, num_true + num_sampled]; labels 1 / num_true for the true ones, 0 for the rest
};
// Of weights [classes, size] and biases [classes], in parts or whole; labels [batch, num_true] of int64, inputs
// [batch, size]. The logarithm of how often a class is to be expected is subtracted. Products with weights, and their
// gradients, are computed where each part of the weights lies; inputs and logits travel.
SampledLogits ComputeSampledLogits(Scope& scope, const std::vector<Output>& weights, const std::vector<Output>& biases,
                                   Output labels, Output inputs, int64_t num_sampled, int64_t num_classes,
                                   const SampledLossOptions& options = {});

// For each example [batch] the cross entropy of its labels and the softmax over them and the sample. For training only:
// it is smaller than the full one. Accidental hits are removed by default.
Output SampledSoftmaxLoss(Scope& scope, const std::vector<Output>& weights, const std::vector<Output>& biases,
                          Output labels, Output inputs, int64_t num_sampled, int64_t num_classes,
                          const SampledLossOptions& options = {});
// For each example [batch] the logistic losses of telling its labels from the sample, added up.
Output NceLoss(Scope& scope, const std::vector<Output>& weights, const std::vector<Output>& biases, Output labels,
               Output inputs, int64_t num_sampled, int64_t num_classes, const SampledLossOptions& options = {});

}  // namespace plumb
