#include "client/embedding/sampled_losses.h"

#include "client/dimensions.h"
#include "client/losses.h"

namespace plumb {
namespace {

SampledClasses Draw(Scope& scope, Output labels, int64_t num_sampled, int64_t num_classes,
                    const SampledLossOptions& options) {
  const NodeId node = scope.Add("LogUniformCandidateSampler", {labels},
                                {{"num_true", options.num_true},
                                 {"num_sampled", num_sampled},
                                 {"unique", true},
                                 {"range_max", num_classes},
                                 {"seed", options.seed},
                                 {"seed2", int64_t{1}}});
  const auto output = [&](int i) { return Output{&scope.builder(), {node, i}}; };
  return {output(0), output(1), output(2)};
}

Output Constants(Scope& scope, std::vector<int32_t> numbers) {
  return Constant(scope, MakeTensor<int32_t>({static_cast<int64_t>(numbers.size())}, numbers));
}
Output Reshaped(Scope& scope, Output value, std::vector<int32_t> shape) {
  return scope.Call("Reshape", {value, Constants(scope, std::move(shape))});
}
Output Columns(Scope& scope, Output a, Output b) {
  return scope.Call("ConcatV2", {a, b, Constant(scope, int32_t{1})}, {{"N", int64_t{2}}});
}

// The first `count` rows, and the others.
struct Pieces {
  Output labels, sampled;
};
Pieces Cut(Scope& scope, Output rows, Output count) {
  const int rank = rows.shape().rank();
  Require(rank == 1 || rank == 2, "weights must be [classes, size] and biases [classes]; these rows have the shape ",
          rows.shape().ToString());
  const auto pad = [&](Output first, int32_t rest) {
    if (rank == 1) return Reshaped(scope, first, {1});
    return scope.Call("Pack", {first, Constant(scope, rest)}, {{"N", int64_t{2}}});
  };
  const Output all = Constant(scope, int32_t{-1}), zero = Constant(scope, int32_t{0});
  return {scope.Call("Slice", {rows, pad(zero, 0), pad(count, -1)}),
          scope.Call("Slice", {rows, pad(count, 0), pad(all, -1)})};
}

// Sampled classes that are labels of an example are as good as out of its sample: the lowest number is added to them.
Output HitsToRemove(Scope& scope, Output labels, Output sampled, int64_t num_sampled,
                    const SampledLossOptions& options) {
  const NodeId hits = scope.Add("ComputeAccidentalHits", {labels, sampled},
                                {{"num_true", options.num_true}, {"seed", options.seed}, {"seed2", int64_t{1}}});
  const auto output = [&](int i) { return Output{&scope.builder(), {hits, i}}; };
  const Output example = Reshaped(scope, output(0), {-1, 1});
  const Output candidate = Reshaped(scope, AsType(output(1), DType::kInt32), {-1, 1});
  const Output shape = scope.Call(
      "Pack", {DimensionOf(scope, labels, 0), Constant(scope, static_cast<int32_t>(num_sampled))}, {{"N", int64_t{2}}});
  return scope.Call("SparseToDense", {Columns(scope, example, candidate), shape, output(2), Constant(scope, 0.0f)},
                    {{"validate_indices", false}});
}

void CheckArguments(Output labels, Output inputs, int64_t num_sampled, const SampledLossOptions& options) {
  Require(num_sampled > 0 && num_sampled <= INT32_MAX, "a sample of ", num_sampled, " classes cannot be drawn");
  Require(options.num_true > 0 && options.num_true <= INT32_MAX, "each example needs at least one label, not ",
          options.num_true);
  Require(labels.dtype() == DType::kInt64 && labels.shape().IsCompatibleWith(PartialShape({-1, options.num_true})),
          "labels must be int64 of shape [batch, ", options.num_true, "], not ", DTypeName(labels.dtype()),
          " of shape ", labels.shape().ToString());
  Require(inputs.shape().rank() == 2, "inputs must be [batch, size], not of shape ", inputs.shape().ToString());
}

}  // namespace

SampledLogits ComputeSampledLogits(Scope& scope, const std::vector<Output>& weights, const std::vector<Output>& biases,
                                   Output labels, Output inputs, int64_t num_sampled, int64_t num_classes,
                                   const SampledLossOptions& options) {
  CheckArguments(labels, inputs, num_sampled, options);
  const auto named = scope.Sub("compute_sampled_logits");
  const auto num_true = static_cast<int32_t>(options.num_true);
  SampledClasses sample = options.sample ? *options.sample : Draw(scope, labels, num_sampled, num_classes, options);
  for (Output* part : {&sample.sampled, &sample.expected_true, &sample.expected_sampled}) {
    *part = scope.Call("StopGradient", {*part});
  }
  const Output flat = Reshaped(scope, labels, {-1});
  const Output all = scope.Call("ConcatV2", {flat, sample.sampled, Constant(scope, int32_t{0})}, {{"N", int64_t{2}}});
  const Output count = DimensionOf(scope, flat, 0);
  const Pieces w = Cut(scope, EmbeddingLookup(scope, weights, all, {.strategy = options.strategy}), count);
  const Pieces b = Cut(scope, EmbeddingLookup(scope, biases, all, {.strategy = options.strategy}), count);

  const int64_t size = inputs.shape().dim(1) >= 0 ? inputs.shape().dim(1) : w.labels.shape().dim(1);
  Require(size >= 0 && size <= INT32_MAX, "inputs or weights must have a known size");
  const Output rows = Reshaped(scope, w.labels, {-1, num_true, static_cast<int32_t>(size)});
  const Output products = rows * scope.Call("ExpandDims", {inputs, Constant(scope, int32_t{1})});
  Output own = scope.Call("Sum", {products, Constants(scope, {2})}) + Reshaped(scope, b.labels, {-1, num_true});
  Output others = scope.Call("MatMul", {inputs, w.sampled}, {{"transpose_b", true}}) + b.sampled;
  if (options.remove_accidental_hits.value_or(false)) {
    others = others + AsType(HitsToRemove(scope, labels, sample.sampled, num_sampled, options), others.dtype());
  }
  own = own - AsType(scope.Call("Log", {sample.expected_true}), own.dtype());
  others = others - AsType(scope.Call("Log", {sample.expected_sampled}), others.dtype());
  const Output ones = scope.Call("OnesLike", {own}) / static_cast<double>(num_true);
  return {Columns(scope, own, others), Columns(scope, ones, scope.Call("ZerosLike", {others}))};
}

Output SampledSoftmaxLoss(Scope& scope, const std::vector<Output>& weights, const std::vector<Output>& biases,
                          Output labels, Output inputs, int64_t num_sampled, int64_t num_classes,
                          const SampledLossOptions& options) {
  const auto named = scope.Sub("sampled_softmax_loss");
  SampledLossOptions removing = options;
  removing.remove_accidental_hits = options.remove_accidental_hits.value_or(true);
  const SampledLogits sampled =
      ComputeSampledLogits(scope, weights, biases, labels, inputs, num_sampled, num_classes, removing);
  const Output constant = scope.Call("StopGradient", {sampled.labels});
  return scope.Call("SoftmaxCrossEntropyWithLogits", {sampled.logits, constant});
}

Output NceLoss(Scope& scope, const std::vector<Output>& weights, const std::vector<Output>& biases, Output labels,
               Output inputs, int64_t num_sampled, int64_t num_classes, const SampledLossOptions& options) {
  const auto named = scope.Sub("nce_loss");
  const SampledLogits sampled =
      ComputeSampledLogits(scope, weights, biases, labels, inputs, num_sampled, num_classes, options);
  const Output losses = SigmoidCrossEntropyWithLogits(scope, sampled.labels, sampled.logits);
  return scope.Call("Sum", {losses, Constants(scope, {1})});
}

}  // namespace plumb
