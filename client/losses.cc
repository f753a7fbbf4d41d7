#include "client/losses.h"

#include "client/dimensions.h"
#include "client/weights.h"

namespace plumb {
namespace {

Output NumberOfElements(Scope& scope, Output value) { return AsFloat(scope.Call("Size", {value})); }

void CheckSameShape(Output labels, Output predictions) {
  Require(labels.shape().IsCompatibleWith(predictions.shape()), "labels of shape ", labels.shape().ToString(),
          " do not fit predictions of shape ", predictions.shape().ToString(), ": both must have one shape");
}

struct Pair {
  Output labels, predictions;
};
Pair AsFloats(Output labels, Output predictions) {
  CheckSameShape(labels, predictions);
  return {AsFloat(labels), AsFloat(predictions)};
}

}  // namespace

Output WeightedLoss(Scope& scope, Output losses, const LossOptions& options) {
  const auto named = scope.Sub("weighted_loss");
  losses = AsFloat(losses);
  const Output weights = options.weights ? AsFloat(*options.weights) : Constant(scope, 1.0f);
  CheckWeights(weights, losses, "losses");
  const Output weighted = losses * weights;
  if (options.reduction == LossReduction::kNone) return weighted;
  const Output sum = SumOfAll(scope, weighted);
  switch (options.reduction) {
    case LossReduction::kNone:
    case LossReduction::kSum:
      return sum;
    case LossReduction::kMean:
      return SafeQuotient(scope, sum, SumOfAll(scope, BroadcastWeights(scope, weights, losses)));
    case LossReduction::kSumOverElements:
      return SafeQuotient(scope, sum, NumberOfElements(scope, losses));
    case LossReduction::kSumByNonzeroWeights: {
      const Output counts = AsFloat(scope.Call("NotEqual", {weights, Constant(scope, 0.0f)}));
      return SafeQuotient(scope, sum, SumOfAll(scope, BroadcastWeights(scope, counts, losses)));
    }
  }
  throw Internal("a reduction of losses that does not exist");
}

Output AbsoluteDifference(Scope& scope, Output labels, Output predictions, const LossOptions& options) {
  const auto named = scope.Sub("absolute_difference");
  const Pair pair = AsFloats(labels, predictions);
  return WeightedLoss(scope, scope.Call("Abs", {pair.predictions - pair.labels}), options);
}

Output MeanSquaredError(Scope& scope, Output labels, Output predictions, const LossOptions& options) {
  const auto named = scope.Sub("mean_squared_error");
  const Pair pair = AsFloats(labels, predictions);
  return WeightedLoss(scope, scope.Call("SquaredDifference", {pair.predictions, pair.labels}), options);
}

Output MeanPairwiseSquaredError(Scope& scope, Output labels, Output predictions, const std::optional<Output>& weights) {
  const auto named = scope.Sub("mean_pairwise_squared_error");
  const Pair pair = AsFloats(labels, predictions);
  const Output differences = pair.predictions - pair.labels;
  Require(differences.shape().rank() != 0, "a scalar has no pairs of elements to compare");
  const Output weight = weights ? AsFloat(*weights) : Constant(scope, 1.0f);
  CheckWeights(weight, differences, "losses");
  const Output rank = scope.Call("Rank", {differences});
  const Output axes = scope.Call("Range", {Constant(scope, 1), rank, Constant(scope, 1)});
  const auto of_row = [&](Output value) { return scope.Call("Sum", {value, axes}, {{"keep_dims", true}}); };
  const Output counts = AsFloat(scope.Call("NotEqual", {weight, Constant(scope, 0.0f)}));
  const Output n = of_row(BroadcastWeights(scope, counts, differences));
  // Σᵢⱼ (eᵢ − eⱼ)² = 2 n Σ eᵢ² − 2 (Σ eᵢ)², over n (n − 1) pairs.
  const auto per = [&](Output sum, Output number) {
    return 2 * SafeQuotient(scope, sum, scope.Call("Maximum", {number, Constant(scope, 0.0f)}));
  };
  const Output sum = of_row(differences), squares = of_row(scope.Call("Square", {differences}));
  const Output rows = per(squares, n - 1) - per(scope.Call("Square", {sum}), n * (n - 1));
  const Output loss = SumOfAll(scope, rows * weight);
  return scope.Call("Select", {SumOfAll(scope, n) > 0, loss, scope.Call("ZerosLike", {loss})});
}

Output HuberLoss(Scope& scope, Output labels, Output predictions, double delta, const LossOptions& options) {
  const auto named = scope.Sub("huber_loss");
  const Pair pair = AsFloats(labels, predictions);
  const Output error = scope.Call("Abs", {pair.predictions - pair.labels});
  const Output near = scope.Call("Minimum", {error, Constant(scope, static_cast<float>(delta))});
  return WeightedLoss(scope, near * near * 0.5 + (error - near) * delta, options);
}

Output LogLoss(Scope& scope, Output labels, Output predictions, double epsilon, const LossOptions& options) {
  const auto named = scope.Sub("log_loss");
  const auto [z, p] = AsFloats(labels, predictions);
  const Output hit = z * scope.Call("Log", {p + epsilon});
  const Output miss = (1 - z) * scope.Call("Log", {1 - p + epsilon});
  return WeightedLoss(scope, -hit - miss, options);
}

Output HingeLoss(Scope& scope, Output labels, Output logits, const LossOptions& options) {
  const auto named = scope.Sub("hinge_loss");
  const auto [z, x] = AsFloats(labels, logits);
  return WeightedLoss(scope, scope.Call("Relu", {1 - (z * 2 - 1) * x}), options);
}

Output CosineDistance(Scope& scope, Output labels, Output predictions, int32_t axis, const LossOptions& options) {
  const auto named = scope.Sub("cosine_distance");
  const Pair pair = AsFloats(labels, predictions);
  const Output axes = Constant<int32_t>(scope, {axis});
  const Output cosine = scope.Call("Sum", {pair.labels * pair.predictions, axes}, {{"keep_dims", true}});
  return WeightedLoss(scope, 1 - cosine, options);
}

Output SigmoidCrossEntropyWithLogits(Scope& scope, Output labels, Output logits) {
  CheckSameShape(labels, logits);
  // By choice and not by Relu and Abs, which have no slope at 0, where the loss has one.
  const Output zeros = scope.Call("ZerosLike", {logits}), is_positive = scope.Call("GreaterEqual", {logits, zeros});
  const Output above = scope.Call("Select", {is_positive, logits, zeros}) - logits * labels;
  const Output below_zero = scope.Call("Select", {is_positive, -logits, logits});
  return above + scope.Call("Log1p", {scope.Call("Exp", {below_zero})});
}

Output SigmoidCrossEntropy(Scope& scope, Output labels, Output logits, double smoothing, const LossOptions& options) {
  const auto named = scope.Sub("sigmoid_cross_entropy_loss");
  auto [z, x] = AsFloats(labels, logits);
  if (smoothing > 0) z = z * (1 - smoothing) + 0.5 * smoothing;
  return WeightedLoss(scope, SigmoidCrossEntropyWithLogits(scope, z, x), options);
}

Output SoftmaxCrossEntropy(Scope& scope, Output labels, Output logits, double smoothing, const LossOptions& options) {
  const auto named = scope.Sub("softmax_cross_entropy_loss");
  auto [z, x] = AsFloats(labels, logits);
  z = scope.Call("StopGradient", {z});  // labels are not trained
  if (smoothing > 0) {
    const Output classes = scope.Call("GatherV2", {scope.Call("Shape", {z}), Constant(scope, 1), Constant(scope, 0)});
    z = z * (1 - smoothing) + smoothing / AsFloat(classes);
  }
  return WeightedLoss(scope, scope.Call("SoftmaxCrossEntropyWithLogits", {x, z}), options);
}

Output SparseSoftmaxCrossEntropy(Scope& scope, Output labels, Output logits, const LossOptions& options) {
  const auto named = scope.Sub("sparse_softmax_cross_entropy_loss");
  return WeightedLoss(scope, scope.Call("SparseSoftmaxCrossEntropyWithLogits", {AsFloat(logits), labels}), options);
}

}  // namespace plumb
