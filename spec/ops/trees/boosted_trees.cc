#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SplitShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 0, 1).dim(0), 2);
  const int features = static_cast<int>(c.attr<int64_t>("num_features"));
  const PartialShape first = WithRank(c, 1, 3);
  MergeDims(c, first.dim(0), Int32Attr(c.attrs(), "max_splits"));
  MergeDims(c, first.dim(2), 2);
  for (int i = 2; i <= features; ++i) {
    WithRank(c, i, 3);
    MergeInputs(c, 1, i);
  }
  for (int i = features + 1; i < c.num_inputs() - 1; ++i) RequireScalar(c, i);
  Shapes shapes(static_cast<size_t>(3 * features), PartialShape{-1});
  shapes.resize(static_cast<size_t>(5 * features), PartialShape{-1, 1});
  return shapes;
}

Shapes NoOutputs(const ShapeContext& c) {
  for (const int i : {0, 1, 2}) RequireScalar(c, i);
  return {};
}

}  // namespace

std::span<const OpRow> TreesBoostedTrees() {
  static const OpRow rows[] = {
      {.signature =
           "BoostedTreesCalculateBestGainsPerFeature(node_id_range: int32, stats_summary_list: "
           "float32*num_features, l1: float32, l2: float32, tree_complexity: float32, min_node_weight: float32) "
           "-> (node_ids_list: int32*num_features, gains_list: float32*num_features, thresholds_list: "
           "int32*num_features, left_node_contribs_list: float32*num_features, right_node_contribs_list: "
           "float32*num_features)",
       .attrs = "max_splits: int >= 1; num_features: int >= 1",
       .doc =
           "For each feature, and each node of node_id_range (the first, and one behind the last) whose hessians add "
           "up to min_node_weight at least: the last bucket of the left child, where that gains most. A summary "
           "holds [node, bucket, gradient and hessian]. The sum g of a child's gradients is brought nearer to 0 by "
           "l1, its hessians are h; the child contributes -g/(h + l2) and gains g²/(h + l2). Of the gain of both "
           "that of their parent and tree_complexity are taken away.",
       .shape_fn = SplitShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"max_splits=4 num_features=1: {0, 3} ([4 5 2] in -2..3) 0.0 1.0 0.0 -10.0",
                   "max_splits=3 num_features=2: {1, 3} ([3 4 2] in 0.5..3 [3 4 2] in 0.5..3) 0.5 0.25 0.125 5.0"}},
      {.signature = "BoostedTreesCreateEnsemble(tree_ensemble_handle: resource<Trees>, stamp_token: int64, "
                    "tree_ensemble_serialized: string) -> () stateful",
       .doc = "Makes the ensemble of trees that a handle names. No op makes such a handle: any other is refused.",
       .shape_fn = NoOutputs,
       .samples = {"-: no op makes its handle"}},
      {.signature =
           "BoostedTreesCreateQuantileStreamResource(quantile_stream_resource_handle: resource<Trees>, epsilon: "
           "float32, num_streams: int64) -> () stateful",
       .attrs = "max_elements: int = 1099511627776",
       .doc = "Makes the quantile streams that a handle names. No op makes such a handle: any other is refused.",
       .shape_fn = NoOutputs,
       .samples = {"-: no op makes its handle"}},
  };
  return rows;
}

}  // namespace plumb::topics
