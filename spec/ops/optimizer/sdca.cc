#include <deque>
#include <string>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// A row of four for each example; the changes of the weights are shaped as these.
Shapes SdcaShapes(const ShapeContext& c) {
  const int weights = static_cast<int>(c.attr<int64_t>("num_sparse_features") + c.attr<int64_t>("num_dense_features"));
  const int state = c.num_inputs() - 1;
  const PartialShape& rows = c.input(state);
  Shapes shapes = {PartialShape{rows.rank() == 2 ? rows.dim(0) : -1, 4}};
  for (int i = 0; i < weights; ++i) shapes.push_back(c.input(state - weights + i));
  return shapes;
}

// What stands behind the parenthesis of both signatures.
#define PLUMB_SDCA_ARGUMENTS                                                                                       \
  "sparse_example_indices: int64*num_sparse_features, sparse_feature_indices: int64*num_sparse_features, "         \
  "sparse_feature_values: float32*num_sparse_features_with_values, dense_features: float32*num_dense_features, "   \
  "example_weights: float32, example_labels: float32, sparse_indices: int64*num_sparse_features, sparse_weights: " \
  "float32*num_sparse_features, dense_weights: float32*num_dense_features, example_state_data: float32) -> "       \
  "(out_example_state_data: float32, out_delta_sparse_weights: float32*num_sparse_features, "                      \
  "out_delta_dense_weights: float32*num_dense_features)"

constexpr char kAttrs[] =
    ": bool = false; num_sparse_features: int >= 0; num_sparse_features_with_values: int >= 0; num_dense_features: int "
    ">= 0; l1: float; l2: float; num_loss_partitions: int >= 1; num_inner_iterations: int >= 1";

constexpr char kDoc[] =
    "One pass of stochastic dual coordinate ascent over the examples (Shalev-Shwartz and Zhang): of each the dual "
    "variable becomes what is best while all others stay, and the weights follow. An example has numbers of each "
    "group of features: a row of a dense matrix, or the elements of a sparse one, ordered by example, 1 where the "
    "group has no values, whose columns sparse_indices names weights for. Its row of the state is its dual variable, "
    "and the loss, the dual loss and the weight that it had. The changes of the weights are given, for others to add. "
    "Open: in which order, and how often, examples are taken; here each once, in their order, or, when adaptive, "
    "those first whose dual variable is furthest from the best. num_inner_iterations has no say.";

// Of each loss one group of each kind, and groups of one kind.
std::vector<std::string> Samples(const std::string& adaptive) {
  const std::string rates = " l1=0/0.125 l2=1/0.5 num_loss_partitions=1/2 num_inner_iterations=1: ";
  const auto mixed = [&](const std::string& losses, const std::string& labels) {
    return "loss_type=" + losses + " " + adaptive +
           "=false/true num_sparse_features=2 num_sparse_features_with_values=1 num_dense_features=1" + rates +
           "({0, 0, 1, 2} {1, 3}) ({3, 7, 7, 9} {5, 5}) ([4] in -1..1) ([4 2] in -1..1) [4] in 0.5..2 " + labels +
           " ({3, 7, 9} {5}) ([3] in -1..1 [1] in -1..1) ([2] in -1..1) [4 4] in 0..0.5";
  };
  return {mixed("'logistic_loss'/'hinge_loss'/'smooth_hinge_loss'", "{1, 0, 1, 1}"),
          mixed("'squared_loss'", "[4] in -1..1"), mixed("'poisson_loss'", "{1, 2, 0, 3}"),
          "loss_type='squared_loss' " + adaptive +
              "=false num_sparse_features=0 num_sparse_features_with_values=0 num_dense_features=2" + rates +
              "() () () ([n 3] in -1..1 [n k] in -1..1) [n] in 0.5..2 [n] in -1..1 () () ([4] in -1..1 [k] in -1..1) "
              "[n 4] in -1..1"};
}

// Texts that a row refers to, for as long as the program lasts.
const char* Kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text)).c_str();
}

std::vector<const char*> KeptSamples(const std::string& adaptive) {
  std::vector<const char*> samples;
  for (std::string& sample : Samples(adaptive)) samples.push_back(Kept(std::move(sample)));
  return samples;
}

// V2 spells the attribute right.
const char* Attrs(const std::string& adaptive) {
  return Kept(
      "loss_type: string in ['logistic_loss', 'squared_loss', 'hinge_loss', 'smooth_hinge_loss', 'poisson_loss']; " +
      adaptive + kAttrs);
}

}  // namespace

std::span<const OpRow> OptimizerSdca() {
  static const OpRow rows[] = {
      {.signature = "SdcaOptimizer(" PLUMB_SDCA_ARGUMENTS,
       .attrs = Attrs("adaptative"),
       .doc = kDoc,
       .shape_fn = SdcaShapes,
       .accuracy = Composed(2),
       .gradient = BlocksGradient(),
       .samples = KeptSamples("adaptative")},
      {.signature = "SdcaOptimizerV2(" PLUMB_SDCA_ARGUMENTS,
       .attrs = Attrs("adaptive"),
       .doc = kDoc,
       .shape_fn = SdcaShapes,
       .accuracy = Composed(2),
       .gradient = BlocksGradient(),
       .samples = KeptSamples("adaptive")},
      {.signature = "SdcaShrinkL1(weights: ref float32*num_features) -> ()",
       .attrs = "num_features: int >= 0; l1: float; l2: float",
       .doc = "Draws all weights to zero by l1 / l2, no further than to zero.",
       .accuracy = Composed(1),
       .gradient = BlocksGradient(),
       .samples = {"num_features=2 l1=0.5 l2=2.0: ([a b] finite [3] finite)",
                   "num_features=1 l1=0.7 l2=0.3: ([n] in -5..5)"}},
  };
  return rows;
}

}  // namespace plumb::topics
