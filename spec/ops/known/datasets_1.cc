// Datasets of tf.data (AssertCardinalityDataset to InterleaveDataset).
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Datasets1() {
  static constexpr Signature kSignatures[] = {
      {"AssertCardinalityDataset(input_dataset: variant, cardinality: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"AssertNextDataset(input_dataset: variant, transformations: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"AssertPrevDataset(input_dataset: variant, transformations: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"AutoShardDataset(input_dataset: variant, num_workers: int64, index: int64) -> (handle: variant)",
       "auto_shard_policy: int = 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; num_replicas: int "
       "= 0"},
      {"BatchDataset(input_dataset: variant, batch_size: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"BatchDatasetV2(input_dataset: variant, batch_size: int64, drop_remainder: bool) -> (handle: variant)",
       "parallel_copy: bool = false; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string "
       "= ''"},
      {"BytesProducedStatsDataset(input_dataset: variant, tag: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"CSVDataset(filenames: string, compression_type: string, buffer_size: int64, header: bool, field_delim: string, "
       "use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: list(output_types)) -> (handle: "
       "variant) stateful",
       "output_types: list(type) in [float32, float64, int32, int64, string]; output_shapes: list(shape) >= 1"},
      {"CSVDatasetV2(filenames: string, compression_type: string, buffer_size: int64, header: bool, field_delim: "
       "string, use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: list(output_types), "
       "exclude_cols: int64) -> (handle: variant) stateful",
       "output_types: list(type) in [float32, float64, int32, int64, string]; output_shapes: list(shape) >= 1"},
      {"CacheDataset(input_dataset: variant, filename: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"CacheDatasetV2(input_dataset: variant, filename: string, cache: resource) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"ChooseFastestBranchDataset(input_dataset: variant, ratio_numerator: int64, ratio_denominator: int64, "
       "other_arguments: list(Targuments)) -> (handle: variant)",
       "Targuments: list(type) >= 0; num_elements_per_branch: int >= 1; branches: list(func) >= 1; "
       "other_arguments_lengths: list(int) >= 1; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ChooseFastestDataset(input_datasets: variant*N) -> (handle: variant)",
       "N: int >= 2; num_experiments: int; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ConcatenateDataset(input_dataset: variant, another_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"DataServiceDataset(dataset_id: int64, processing_mode: string, address: string, protocol: string, job_name: "
       "string, max_outstanding_requests: int64, iteration_counter: resource) -> (handle: variant) stateful",
       "task_refresh_interval_hint_ms: int = -1; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "data_transfer_protocol: string = ''; target_workers: string = 'AUTO'; cross_trainer_cache_options: string = "
       "''"},
      {"DataServiceDatasetV2(dataset_id: int64, processing_mode: string, address: string, protocol: string, job_name: "
       "string, consumer_index: int64, num_consumers: int64, max_outstanding_requests: int64, iteration_counter: "
       "resource) -> (handle: variant) stateful",
       "task_refresh_interval_hint_ms: int = -1; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "data_transfer_protocol: string = ''; target_workers: string = 'AUTO'; cross_trainer_cache_options: string = "
       "''"},
      {"DataServiceDatasetV3(dataset_id: int64, processing_mode: string, address: string, protocol: string, job_name: "
       "string, consumer_index: int64, num_consumers: int64, max_outstanding_requests: int64, iteration_counter: "
       "resource) -> (handle: variant) stateful",
       "task_refresh_interval_hint_ms: int = -1; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "data_transfer_protocol: string = ''; target_workers: string = 'AUTO'; uncompress: bool = false; uncompress_fn: "
       "func; cross_trainer_cache_options: string = ''"},
      {"DataServiceDatasetV4(dataset_id: string, processing_mode: string, address: string, protocol: string, job_name: "
       "string, consumer_index: int64, num_consumers: int64, max_outstanding_requests: int64, iteration_counter: "
       "resource) -> (handle: variant) stateful",
       "task_refresh_interval_hint_ms: int = -1; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "data_transfer_protocol: string = ''; target_workers: string = 'AUTO'; uncompress: bool = false; uncompress_fn: "
       "func; cross_trainer_cache_options: string = ''"},
      {"DatasetCardinality(input_dataset: variant) -> (cardinality: int64)", ""},
      {"DatasetFromGraph(graph_def: string) -> (handle: variant)", ""},
      {"DatasetToGraph(input_dataset: variant) -> (graph: string)",
       "stateful_whitelist: list(string) >= 0 = []; allow_stateful: bool = false; strip_device_assignment: bool = "
       "false"},
      {"DatasetToGraphV2(input_dataset: variant) -> (graph: string)",
       "external_state_policy: int = 0; strip_device_assignment: bool = false"},
      {"DatasetToSingleElement(dataset: variant) -> (components: list(output_types)) stateful",
       "output_types: list(type); output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"DatasetToTFRecord(input_dataset: variant, filename: string, compression_type: string) -> () stateful", ""},
      {"DenseToSparseBatchDataset(input_dataset: variant, batch_size: int64, row_shape: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"DirectedInterleaveDataset(selector_input_dataset: variant, data_input_datasets: variant*N) -> (handle: "
       "variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int; stop_on_empty_dataset: bool = false"},
      {"ExperimentalAssertNextDataset(input_dataset: variant, transformations: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalAutoShardDataset(input_dataset: variant, num_workers: int64, index: int64) -> (handle: variant)",
       "auto_shard_policy: int = 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalBytesProducedStatsDataset(input_dataset: variant, tag: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalCSVDataset(filenames: string, compression_type: string, buffer_size: int64, header: bool, "
       "field_delim: string, use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: "
       "list(output_types)) -> (handle: variant) stateful",
       "output_types: list(type) in [float32, float64, int32, int64, string]; output_shapes: list(shape) >= 1"},
      {"ExperimentalChooseFastestDataset(input_datasets: variant*N) -> (handle: variant)",
       "N: int >= 2; num_experiments: int; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalDatasetCardinality(input_dataset: variant) -> (cardinality: int64)", ""},
      {"ExperimentalDatasetToTFRecord(input_dataset: variant, filename: string, compression_type: string) -> () "
       "stateful",
       ""},
      {"ExperimentalDenseToSparseBatchDataset(input_dataset: variant, batch_size: int64, row_shape: int64) -> (handle: "
       "variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalDirectedInterleaveDataset(selector_input_dataset: variant, data_input_datasets: variant*N) -> "
       "(handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int"},
      {"ExperimentalGroupByReducerDataset(input_dataset: variant, key_func_other_arguments: "
       "list(Tkey_func_other_arguments), init_func_other_arguments: list(Tinit_func_other_arguments), "
       "reduce_func_other_arguments: list(Treduce_func_other_arguments), finalize_func_other_arguments: "
       "list(Tfinalize_func_other_arguments)) -> (handle: variant) stateful",
       "key_func: func; init_func: func; reduce_func: func; finalize_func: func; Tkey_func_other_arguments: list(type) "
       ">= 0; Tinit_func_other_arguments: list(type) >= 0; Treduce_func_other_arguments: list(type) >= 0; "
       "Tfinalize_func_other_arguments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= "
       "1"},
      {"ExperimentalGroupByWindowDataset(input_dataset: variant, key_func_other_arguments: "
       "list(Tkey_func_other_arguments), reduce_func_other_arguments: list(Treduce_func_other_arguments), "
       "window_size_func_other_arguments: list(Twindow_size_func_other_arguments)) -> (handle: variant)",
       "key_func: func; reduce_func: func; window_size_func: func; Tkey_func_other_arguments: list(type) >= 0; "
       "Treduce_func_other_arguments: list(type) >= 0; Twindow_size_func_other_arguments: list(type) >= 0; "
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalIgnoreErrorsDataset(input_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; log_warning: bool = false"},
      {"ExperimentalLMDBDataset(filenames: string) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalLatencyStatsDataset(input_dataset: variant, tag: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalMapAndBatchDataset(input_dataset: variant, other_arguments: list(Targuments), batch_size: int64, "
       "num_parallel_calls: int64, drop_remainder: bool) -> (handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "preserve_cardinality: bool = false"},
      {"ExperimentalMapDataset(input_dataset: variant, other_arguments: list(Targuments)) -> (handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "use_inter_op_parallelism: bool = true; preserve_cardinality: bool = false"},
      {"ExperimentalMatchingFilesDataset(patterns: string) -> (handle: variant) stateful", ""},
      {"ExperimentalMaxIntraOpParallelismDataset(input_dataset: variant, max_intra_op_parallelism: int64) -> (handle: "
       "variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalNonSerializableDataset(input_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalParallelInterleaveDataset(input_dataset: variant, other_arguments: list(Targuments), cycle_length: "
       "int64, block_length: int64, sloppy: bool, buffer_output_elements: int64, prefetch_input_elements: int64) -> "
       "(handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalParseExampleDataset(input_dataset: variant, num_parallel_calls: int64, dense_defaults: "
       "list(Tdense)) -> (handle: variant)",
       "sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; sparse_types: list(type) >= 0 in [float32, "
       "int64, string]; Tdense: list(type) >= 0 in [float32, int64, string]; dense_shapes: list(shape) >= 0; "
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; sloppy: bool = false"},
      {"ExperimentalPrivateThreadPoolDataset(input_dataset: variant, num_threads: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalRandomDataset(seed: int64, seed2: int64) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalRebatchDataset(input_dataset: variant, num_replicas: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; use_fallback: bool = true"},
      {"ExperimentalScanDataset(input_dataset: variant, initial_state: list(Tstate), other_arguments: "
       "list(Targuments)) -> (handle: variant)",
       "f: func; Tstate: list(type); Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
       "list(shape) >= 1; preserve_cardinality: bool = false"},
      {"ExperimentalSetStatsAggregatorDataset(input_dataset: variant, stats_aggregator: resource, tag: string, "
       "counter_prefix: string) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalSleepDataset(input_dataset: variant, sleep_microseconds: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalSlidingWindowDataset(input_dataset: variant, window_size: int64, window_shift: int64, "
       "window_stride: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalSqlDataset(driver_name: string, data_source_name: string, query: string) -> (handle: variant) "
       "stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalTakeWhileDataset(input_dataset: variant, other_arguments: list(Targuments)) -> (handle: variant)",
       "predicate: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalThreadPoolDataset(input_dataset: variant, thread_pool: resource) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalUnbatchDataset(input_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ExperimentalUniqueDataset(input_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"FilterByLastComponentDataset(input_dataset: variant) -> (output: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"FilterDataset(input_dataset: variant, other_arguments: list(Targuments)) -> (handle: variant)",
       "predicate: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
      {"FinalizeDataset(input_dataset: variant) -> (handle: variant)",
       "has_captured_ref: bool = false; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"FixedLengthRecordDataset(filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, "
       "buffer_size: int64) -> (handle: variant) stateful",
       "metadata: string = ''"},
      {"FixedLengthRecordDatasetV2(filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, "
       "buffer_size: int64, compression_type: string) -> (handle: variant) stateful",
       "metadata: string = ''"},
      {"FlatMapDataset(input_dataset: variant, other_arguments: list(Targuments)) -> (handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
      {"GeneratorDataset(init_func_other_args: list(Tinit_func_args), next_func_other_args: list(Tnext_func_args), "
       "finalize_func_other_args: list(Tfinalize_func_args)) -> (handle: variant) stateful",
       "init_func: func; next_func: func; finalize_func: func; Tinit_func_args: list(type) >= 0; Tnext_func_args: "
       "list(type) >= 0; Tfinalize_func_args: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
       "list(shape) >= 1; metadata: string = ''"},
      {"GroupByReducerDataset(input_dataset: variant, key_func_other_arguments: list(Tkey_func_other_arguments), "
       "init_func_other_arguments: list(Tinit_func_other_arguments), reduce_func_other_arguments: "
       "list(Treduce_func_other_arguments), finalize_func_other_arguments: list(Tfinalize_func_other_arguments)) -> "
       "(handle: variant) stateful",
       "key_func: func; init_func: func; reduce_func: func; finalize_func: func; Tkey_func_other_arguments: list(type) "
       ">= 0; Tinit_func_other_arguments: list(type) >= 0; Treduce_func_other_arguments: list(type) >= 0; "
       "Tfinalize_func_other_arguments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= "
       "1"},
      {"GroupByWindowDataset(input_dataset: variant, key_func_other_arguments: list(Tkey_func_other_arguments), "
       "reduce_func_other_arguments: list(Treduce_func_other_arguments), window_size_func_other_arguments: "
       "list(Twindow_size_func_other_arguments)) -> (handle: variant)",
       "key_func: func; reduce_func: func; window_size_func: func; Tkey_func_other_arguments: list(type) >= 0; "
       "Treduce_func_other_arguments: list(type) >= 0; Twindow_size_func_other_arguments: list(type) >= 0; "
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"IgnoreErrorsDataset(input_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; log_warning: bool = false"},
      {"InitializeTableFromDataset(table_handle: resource, dataset: variant) -> () stateful", ""},
      {"InterleaveDataset(input_dataset: variant, other_arguments: list(Targuments), cycle_length: int64, "
       "block_length: int64) -> (handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
  };
  return kSignatures;
}

}  // namespace plumb::known
