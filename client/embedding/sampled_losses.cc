#include "client/embedding/sampled_losses.h"

#include "client/dimensions.h"
#include "client/embedding/table_parts.h"
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

// What is computed beside weights for each part, put where the ids of the part were.
Output Stitched(Scope& scope, const std::vector<IdsOfPart>& cut, const std::vector<Output>& of_parts) {
  std::vector<Output> inputs;
  for (const IdsOfPart& part : cut) inputs.push_back(part.positions);
  inputs.insert(inputs.end(), of_parts.begin(), of_parts.end());
  return scope.Call("ParallelDynamicStitch", inputs, {{"N", static_cast<int64_t>(cut.size())}});
}

// Each example's inputs times the weights of its labels, [batch, num_true].
Output TrueProducts(Scope& scope, const std::vector<Output>& weights, Output labels, Output inputs, int32_t num_true,
                    PartitionStrategy strategy) {
  const Output flat = Flat(scope, labels);
  if (weights.size() == 1) {
    const Beside beside(scope, weights[0], Beside::Gradients::kBeside);
    const int64_t known = inputs.shape().dim(1), size = known >= 0 ? known : ShapeOf(weights[0]).dim(1);
    Require(size >= 0 && size <= INT32_MAX, "inputs or weights must have a known size");
    const Output rows = Reshaped(scope, RowsOf(scope, weights[0], flat), {-1, num_true, static_cast<int32_t>(size)});
    return scope.Call("Sum",
                      {rows * scope.Call("ExpandDims", {inputs, Constant(scope, int32_t{1})}), Constants(scope, {2})});
  }
  const std::vector<IdsOfPart> cut = CutIds(scope, weights, flat, strategy);
  std::vector<Output> products;
  for (size_t i = 0; i < weights.size(); ++i) {
    const Output example = scope.Call("FloorDiv", {cut[i].positions, Constant(scope, num_true)});
    const Beside beside(scope, weights[i], Beside::Gradients::kBeside);
    const Output of_example = scope.Call("GatherV2", {inputs, example, Constant(scope, int32_t{0})});
    products.push_back(scope.Call("Sum", {RowsOf(scope, weights[i], cut[i].rows) * of_example, Constants(scope, {1})}));
  }
  return Reshaped(scope, Stitched(scope, cut, products), {-1, num_true});
}

// All inputs times the weights of the sample, [batch, num_sampled].
Output SampledProducts(Scope& scope, const std::vector<Output>& weights, Output sampled, Output inputs,
                       PartitionStrategy strategy) {
  if (weights.size() == 1) {
    const Beside beside(scope, weights[0], Beside::Gradients::kBeside);
    return scope.Call("MatMul", {inputs, RowsOf(scope, weights[0], sampled)}, {{"transpose_b", true}});
  }
  const std::vector<IdsOfPart> cut = CutIds(scope, weights, sampled, strategy);
  std::vector<Output> products;  // [of the part's classes, batch]
  for (size_t i = 0; i < weights.size(); ++i) {
    const Beside beside(scope, weights[i], Beside::Gradients::kBeside);
    products.push_back(scope.Call("MatMul", {RowsOf(scope, weights[i], cut[i].rows), inputs}, {{"transpose_b", true}}));
  }
  return scope.Call("Transpose", {Stitched(scope, cut, products), Constants(scope, {1, 0})});
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

void CheckArguments(const std::vector<Output>& weights, const std::vector<Output>& biases, Output labels, Output inputs,
                    int64_t num_sampled, const SampledLossOptions& options) {
  Require(!weights.empty() && !biases.empty(), "sampled losses need weights and biases");
  const PartialShape w = ShapeOf(weights[0]), b = ShapeOf(biases[0]);
  Require(w.rank() == 2 && b.rank() == 1, "weights must be [classes, size] and biases [classes]; they have the shapes ",
          w.ToString(), " and ", b.ToString());
  Require(num_sampled > 0 && num_sampled <= INT32_MAX, "a sample of ", num_sampled, " classes cannot be drawn");
  Require(options.num_true > 0 && options.num_true <= INT32_MAX, "each example needs from 1 to 2^31 - 1 labels, not ",
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
  CheckArguments(weights, biases, labels, inputs, num_sampled, options);
  const auto named = scope.Sub("compute_sampled_logits");
  const auto num_true = static_cast<int32_t>(options.num_true);
  SampledClasses sample = options.sample ? *options.sample : Draw(scope, labels, num_sampled, num_classes, options);
  for (Output* part : {&sample.sampled, &sample.expected_true, &sample.expected_sampled}) {
    *part = scope.Call("StopGradient", {*part});
  }
  const auto biases_of = [&](Output ids) {
    return EmbeddingLookup(scope, biases, ids, {.strategy = options.strategy});
  };
  Output own = TrueProducts(scope, weights, labels, inputs, num_true, options.strategy) + biases_of(labels);
  Output others = SampledProducts(scope, weights, sample.sampled, inputs, options.strategy) + biases_of(sample.sampled);
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
