// Boosted trees beside those of the catalogue.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Trees() {
  static constexpr Signature kSignatures[] = {
      {"BoostedTreesAggregateStats(node_ids: int32, gradients: float32, hessians: float32, feature: int32) -> "
       "(stats_summary: float32)",
       "max_splits: int >= 1; num_buckets: int >= 1"},
      {"BoostedTreesBucketize(float_values: float32*num_features, bucket_boundaries: float32*num_features) -> "
       "(buckets: int32*num_features)",
       "num_features: int >= 0"},
      {"BoostedTreesCalculateBestFeatureSplit(node_id_range: int32, stats_summary: float32, l1: float32, l2: float32, "
       "tree_complexity: float32, min_node_weight: float32) -> (node_ids: int32, gains: float32, feature_dimensions: "
       "int32, thresholds: int32, left_node_contribs: float32, right_node_contribs: float32, "
       "split_with_default_directions: string)",
       "logits_dimension: int >= 1; split_type: string = 'inequality' in ['inequality', 'equality']"},
      {"BoostedTreesCalculateBestFeatureSplitV2(node_id_range: int32, stats_summaries_list: float32*num_features, "
       "split_types: string, candidate_feature_ids: int32, l1: float32, l2: float32, tree_complexity: float32, "
       "min_node_weight: float32) -> (node_ids: int32, gains: float32, feature_ids: int32, feature_dimensions: int32, "
       "thresholds: int32, left_node_contribs: float32, right_node_contribs: float32, split_with_default_directions: "
       "string)",
       "num_features: int; logits_dimension: int >= 1"},
      {"BoostedTreesCenterBias(tree_ensemble_handle: resource, mean_gradients: float32, mean_hessians: float32, l1: "
       "float32, l2: float32) -> (continue_centering: bool) stateful",
       ""},
      {"BoostedTreesDeserializeEnsemble(tree_ensemble_handle: resource, stamp_token: int64, tree_ensemble_serialized: "
       "string) -> () stateful",
       ""},
      {"BoostedTreesEnsembleResourceHandleOp() -> (resource: resource) stateful",
       "container: string = ''; shared_name: string = ''"},
      {"BoostedTreesExampleDebugOutputs(tree_ensemble_handle: resource, bucketized_features: "
       "int32*num_bucketized_features) -> (examples_debug_outputs_serialized: string) stateful",
       "num_bucketized_features: int; logits_dimension: int"},
      {"BoostedTreesFlushQuantileSummaries(quantile_stream_resource_handle: resource) -> (summaries: "
       "float32*num_features) stateful",
       "num_features: int >= 0"},
      {"BoostedTreesGetEnsembleStates(tree_ensemble_handle: resource) -> (stamp_token: int64, num_trees: int32, "
       "num_finalized_trees: int32, num_attempted_layers: int32, last_layer_nodes_range: int32) stateful",
       ""},
      {"BoostedTreesMakeQuantileSummaries(float_values: float32*num_features, example_weights: float32, epsilon: "
       "float32) -> (summaries: float32*num_features)",
       "num_features: int >= 0"},
      {"BoostedTreesMakeStatsSummary(node_ids: int32, gradients: float32, hessians: float32, bucketized_features_list: "
       "int32*num_features) -> (stats_summary: float32)",
       "max_splits: int >= 1; num_buckets: int >= 1; num_features: int"},
      {"BoostedTreesPredict(tree_ensemble_handle: resource, bucketized_features: int32*num_bucketized_features) -> "
       "(logits: float32) stateful",
       "num_bucketized_features: int; logits_dimension: int"},
      {"BoostedTreesQuantileStreamResourceAddSummaries(quantile_stream_resource_handle: resource, summaries: "
       "float32*num_features) -> () stateful",
       "num_features: int >= 0"},
      {"BoostedTreesQuantileStreamResourceDeserialize(quantile_stream_resource_handle: resource, bucket_boundaries: "
       "float32*num_streams) -> () stateful",
       "num_streams: int"},
      {"BoostedTreesQuantileStreamResourceFlush(quantile_stream_resource_handle: resource, num_buckets: int64) -> () "
       "stateful",
       "generate_quantiles: bool = false"},
      {"BoostedTreesQuantileStreamResourceGetBucketBoundaries(quantile_stream_resource_handle: resource) -> "
       "(bucket_boundaries: float32*num_features) stateful",
       "num_features: int >= 0"},
      {"BoostedTreesQuantileStreamResourceHandleOp() -> (resource: resource) stateful",
       "container: string = ''; shared_name: string = ''"},
      {"BoostedTreesSerializeEnsemble(tree_ensemble_handle: resource) -> (stamp_token: int64, "
       "tree_ensemble_serialized: string) stateful",
       ""},
      {"BoostedTreesSparseAggregateStats(node_ids: int32, gradients: float32, hessians: float32, feature_indices: "
       "int32, feature_values: int32, feature_shape: int32) -> (stats_summary_indices: int32, stats_summary_values: "
       "float32, stats_summary_shape: int32)",
       "max_splits: int >= 1; num_buckets: int >= 1"},
      {"BoostedTreesSparseCalculateBestFeatureSplit(node_id_range: int32, stats_summary_indices: int32, "
       "stats_summary_values: float32, stats_summary_shape: int32, l1: float32, l2: float32, tree_complexity: float32, "
       "min_node_weight: float32) -> (node_ids: int32, gains: float32, feature_dimensions: int32, thresholds: int32, "
       "left_node_contribs: float32, right_node_contribs: float32, split_with_default_directions: string)",
       "logits_dimension: int >= 1; split_type: string = 'inequality' in ['inequality']"},
      {"BoostedTreesTrainingPredict(tree_ensemble_handle: resource, cached_tree_ids: int32, cached_node_ids: int32, "
       "bucketized_features: int32*num_bucketized_features) -> (partial_logits: float32, tree_ids: int32, node_ids: "
       "int32) stateful",
       "num_bucketized_features: int; logits_dimension: int"},
      {"BoostedTreesUpdateEnsemble(tree_ensemble_handle: resource, feature_ids: int32, node_ids: int32*num_features, "
       "gains: float32*num_features, thresholds: int32*num_features, left_node_contribs: float32*num_features, "
       "right_node_contribs: float32*num_features, max_depth: int32, learning_rate: float32) -> () stateful",
       "pruning_mode: int >= 0; num_features: int >= 0"},
      {"BoostedTreesUpdateEnsembleV2(tree_ensemble_handle: resource, feature_ids: int32*num_groups, dimension_ids: "
       "int32*num_features, node_ids: int32*num_features, gains: float32*num_features, thresholds: int32*num_features, "
       "left_node_contribs: float32*num_features, right_node_contribs: float32*num_features, split_types: "
       "string*num_features, max_depth: int32, learning_rate: float32, pruning_mode: int32) -> () stateful",
       "num_features: int >= 0; logits_dimension: int = 1; num_groups: int = 1"},
      {"IsBoostedTreesEnsembleInitialized(tree_ensemble_handle: resource) -> (is_initialized: bool) stateful", ""},
      {"IsBoostedTreesQuantileStreamResourceInitialized(quantile_stream_resource_handle: resource) -> (is_initialized: "
       "bool) stateful",
       ""},
  };
  return kSignatures;
}

}  // namespace plumb::known
