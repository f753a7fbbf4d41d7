// Losses: how far predictions are from labels, element by element, then weighted and reduced to one number.
//
// Shapes as in tf.losses of TensorFlow 1: predictions and labels have one shape, known or not; weights are a scalar, or
// of the losses' rank with each dimension equal or 1. Numbers are computed in float32, labels and weights of other
// types are cast. Throws kInvalidArgument where known shapes do not fit.
#pragma once

#include <optional>

#include "client/scope.h"

namespace plumb {

enum class LossReduction {
  kNone,                 // the weighted losses themselves
  kSum,                  // their sum
  kMean,                 // the sum over the sum of the weights
  kSumOverElements,      // the sum over the number of losses
  kSumByNonzeroWeights,  // the sum over the number of losses whose weight is not zero
};

struct LossOptions {
  std::optional<Output> weights = {};  // none: 1
  LossReduction reduction = LossReduction::kSumByNonzeroWeights;
};

// Weights and reduces losses that somebody has computed. A sum over nothing is 0.
Output WeightedLoss(Scope& scope, Output losses, const LossOptions& options = {});

// |predictions − labels|.
Output AbsoluteDifference(Scope& scope, Output labels, Output predictions, const LossOptions& options = {});
// (predictions − labels)².
Output MeanSquaredError(Scope& scope, Output labels, Output predictions, const LossOptions& options = {});
// Of the difference e = predictions − labels of each example, a row along the first axis: the mean of (eᵢ − eⱼ)² over
// the pairs of its elements, of which those count whose weight is not zero; then Σ of the rows' numbers times weights.
Output MeanPairwiseSquaredError(Scope& scope, Output labels, Output predictions,
                                const std::optional<Output>& weights = {});
// ½ e² where e = |predictions − labels| is at most delta, from there on the tangent: delta · e − ½ delta².
Output HuberLoss(Scope& scope, Output labels, Output predictions, double delta = 1, const LossOptions& options = {});
// −labels · log(predictions + epsilon) − (1 − labels) · log(1 − predictions + epsilon).
Output LogLoss(Scope& scope, Output labels, Output predictions, double epsilon = 1e-7, const LossOptions& options = {});
// max(0, 1 − ±logits), + for labels 1 and − for labels 0.
Output HingeLoss(Scope& scope, Output labels, Output logits, const LossOptions& options = {});
// 1 − Σ labels · predictions along the axis, both of length 1 there; the axis stays, of size 1.
Output CosineDistance(Scope& scope, Output labels, Output predictions, int32_t axis, const LossOptions& options = {});

// log(1 + e^−|x|) + max(x, 0) − x·z, element by element: the cross entropy of z and sigmoid(x) without overflow.
Output SigmoidCrossEntropyWithLogits(Scope& scope, Output labels, Output logits);
// Its loss. Labels are first moved towards ½ by `smoothing`.
Output SigmoidCrossEntropy(Scope& scope, Output labels, Output logits, double smoothing = 0,
                           const LossOptions& options = {});
// Of rows [batch, classes]; labels are distributions, first moved towards 1/classes by `smoothing`. Weights: [batch].
Output SoftmaxCrossEntropy(Scope& scope, Output labels, Output logits, double smoothing = 0,
                           const LossOptions& options = {});
// The same with a class number per row.
Output SparseSoftmaxCrossEntropy(Scope& scope, Output labels, Output logits, const LossOptions& options = {});

}  // namespace plumb
