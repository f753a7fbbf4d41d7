// Datasets of tf.data (LMDBDataset to ZipDataset).
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Datasets2() {
  static constexpr Signature kSignatures[] = {
      {"LMDBDataset(filenames: string) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"LatencyStatsDataset(input_dataset: variant, tag: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"LegacyParallelInterleaveDatasetV2(input_dataset: variant, other_arguments: list(Targuments), cycle_length: "
       "int64, block_length: int64, buffer_output_elements: int64, prefetch_input_elements: int64) -> (handle: "
       "variant)",
       "f: func; deterministic: string = 'default'; Targuments: list(type) >= 0; output_types: list(type) >= 1; "
       "output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"ListDataset(tensors: list(Tinput_types)) -> (handle: variant) stateful",
       "Tinput_types: list(type); output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = "
       "''"},
      {"LoadDataset(path: string, reader_func_other_args: list(Treader_func_args)) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; compression: string = ''; reader_func: func; "
       "Treader_func_args: list(type) >= 0"},
      {"MapAndBatchDataset(input_dataset: variant, other_arguments: list(Targuments), batch_size: int64, "
       "num_parallel_calls: int64, drop_remainder: bool) -> (handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "preserve_cardinality: bool = false; metadata: string = ''"},
      {"MapDataset(input_dataset: variant, other_arguments: list(Targuments)) -> (handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "use_inter_op_parallelism: bool = true; preserve_cardinality: bool = false; metadata: string = ''"},
      {"MatchingFilesDataset(patterns: string) -> (handle: variant) stateful", ""},
      {"MaxIntraOpParallelismDataset(input_dataset: variant, max_intra_op_parallelism: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ModelDataset(input_dataset: variant) -> (handle: variant)",
       "algorithm: int = 0; cpu_budget: int = 0; ram_budget: int = 0; output_types: list(type) >= 1; output_shapes: "
       "list(shape) >= 1"},
      {"NonSerializableDataset(input_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"OptimizeDataset(input_dataset: variant, optimizations: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; optimization_configs: list(string) = []"},
      {"OptimizeDatasetV2(input_dataset: variant, optimizations_enabled: string, optimizations_disabled: string, "
       "optimizations_default: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; optimization_configs: list(string) = []"},
      {"OptionsDataset(input_dataset: variant) -> (handle: variant)",
       "serialized_options: string; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = "
       "''"},
      {"PaddedBatchDataset(input_dataset: variant, batch_size: int64, padded_shapes: int64*N, padding_values: "
       "list(Toutput_types)) -> (handle: variant)",
       "Toutput_types: list(type); output_shapes: list(shape) >= 1; N: int; metadata: string = ''"},
      {"PaddedBatchDatasetV2(input_dataset: variant, batch_size: int64, padded_shapes: int64*N, padding_values: "
       "list(Toutput_types), drop_remainder: bool) -> (handle: variant)",
       "parallel_copy: bool = false; Toutput_types: list(type); output_shapes: list(shape) >= 1; N: int; metadata: "
       "string = ''"},
      {"ParallelBatchDataset(input_dataset: variant, batch_size: int64, num_parallel_calls: int64, drop_remainder: "
       "bool) -> (handle: variant)",
       "parallel_copy: bool = false; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; deterministic: "
       "string = 'default'; metadata: string = ''"},
      {"ParallelFilterDataset(input_dataset: variant, other_arguments: list(Targuments), num_parallel_calls: int64) -> "
       "(handle: variant)",
       "predicate: func; deterministic: string = 'default'; Targuments: list(type) >= 0; output_types: list(type) >= "
       "1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"ParallelInterleaveDataset(input_dataset: variant, other_arguments: list(Targuments), cycle_length: int64, "
       "block_length: int64, sloppy: bool, buffer_output_elements: int64, prefetch_input_elements: int64) -> (handle: "
       "variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
      {"ParallelInterleaveDatasetV2(input_dataset: variant, other_arguments: list(Targuments), cycle_length: int64, "
       "block_length: int64, num_parallel_calls: int64) -> (handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; sloppy: "
       "bool = false; metadata: string = ''"},
      {"ParallelInterleaveDatasetV3(input_dataset: variant, other_arguments: list(Targuments), cycle_length: int64, "
       "block_length: int64, num_parallel_calls: int64) -> (handle: variant)",
       "f: func; deterministic: string = 'default'; Targuments: list(type) >= 0; output_types: list(type) >= 1; "
       "output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"ParallelInterleaveDatasetV4(input_dataset: variant, other_arguments: list(Targuments), cycle_length: int64, "
       "block_length: int64, buffer_output_elements: int64, prefetch_input_elements: int64, num_parallel_calls: int64) "
       "-> (handle: variant)",
       "f: func; deterministic: string = 'default'; Targuments: list(type) >= 0; output_types: list(type) >= 1; "
       "output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"ParallelMapDataset(input_dataset: variant, other_arguments: list(Targuments), num_parallel_calls: int32) -> "
       "(handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "use_inter_op_parallelism: bool = true; sloppy: bool = false; preserve_cardinality: bool = false; metadata: "
       "string = ''"},
      {"ParallelMapDatasetV2(input_dataset: variant, other_arguments: list(Targuments), num_parallel_calls: int64) -> "
       "(handle: variant)",
       "f: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "use_inter_op_parallelism: bool = true; deterministic: string = 'default'; preserve_cardinality: bool = false; "
       "metadata: string = ''"},
      {"ParseExampleDataset(input_dataset: variant, num_parallel_calls: int64, dense_defaults: list(Tdense)) -> "
       "(handle: variant)",
       "sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; sparse_types: list(type) >= 0 in [float32, "
       "int64, string]; Tdense: list(type) >= 0 in [float32, int64, string]; dense_shapes: list(shape) >= 0; "
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; sloppy: bool = false; ragged_keys: "
       "list(string) >= 0 = []; ragged_value_types: list(type) >= 0 = [] in [float32, int64, string]; "
       "ragged_split_types: list(type) >= 0 = [] in [int32, int64]"},
      {"ParseExampleDatasetV2(input_dataset: variant, num_parallel_calls: int64, dense_defaults: list(Tdense)) -> "
       "(handle: variant)",
       "sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; sparse_types: list(type) >= 0 in [float32, "
       "int64, string]; Tdense: list(type) >= 0 in [float32, int64, string]; dense_shapes: list(shape) >= 0; "
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; deterministic: string = 'default'; "
       "ragged_keys: list(string) >= 0 = []; ragged_value_types: list(type) >= 0 = [] in [float32, int64, string]; "
       "ragged_split_types: list(type) >= 0 = [] in [int32, int64]"},
      {"PrefetchDataset(input_dataset: variant, buffer_size: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; slack_period: int = 0; legacy_autotune: bool = "
       "true; buffer_size_min: int = 0; metadata: string = ''"},
      {"PrivateThreadPoolDataset(input_dataset: variant, num_threads: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"RandomDataset(seed: int64, seed2: int64) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"RandomDatasetV2(seed: int64, seed2: int64, seed_generator: resource) -> (handle: variant) stateful",
       "rerandomize_each_iteration: bool = false; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
      {"RangeDataset(start: int64, stop: int64, step: int64) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''; replicate_on_split: "
       "bool = false"},
      {"RebatchDataset(input_dataset: variant, num_replicas: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; use_fallback: bool = true"},
      {"RebatchDatasetV2(input_dataset: variant, batch_sizes: int64, drop_remainder: bool) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ReduceDataset(input_dataset: variant, initial_state: list(Tstate), other_arguments: list(Targuments)) -> "
       "(components: list(output_types)) stateful",
       "f: func; Tstate: list(type); Targuments: list(type) >= 0; output_types: list(type); output_shapes: list(shape) "
       ">= 1; use_inter_op_parallelism: bool = true; metadata: string = ''"},
      {"RegisterDataset(dataset: variant, address: string, protocol: string) -> (dataset_id: int64)",
       "external_state_policy: int; element_spec: string = ''; metadata: string = ''"},
      {"RegisterDatasetV2(dataset: variant, address: string, protocol: string) -> (dataset_id: string)",
       "external_state_policy: int; element_spec: string = ''; requested_dataset_id: string = ''; metadata: string = "
       "''"},
      {"RepeatDataset(input_dataset: variant, count: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"RewriteDataset(input_dataset: variant, rewrite_name: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"SamplingDataset(input_dataset: variant, rate: float32, seed: int64, seed2: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"SaveDataset(input_dataset: variant, path: string, shard_func_other_args: list(Tshard_func_args)) -> () "
       "stateful",
       "compression: string = ''; shard_func: func; use_shard_func: bool = true; Tshard_func_args: list(type) >= 0"},
      {"SaveDatasetV2(input_dataset: variant, path: string, shard_func_other_args: list(Tshard_func_args)) -> (handle: "
       "variant) stateful",
       "compression: string = ''; shard_func: func; use_shard_func: bool = true; Tshard_func_args: list(type) >= 0; "
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ScanDataset(input_dataset: variant, initial_state: list(Tstate), other_arguments: list(Targuments)) -> "
       "(handle: variant)",
       "f: func; Tstate: list(type); Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: "
       "list(shape) >= 1; preserve_cardinality: bool = false; use_default_device: bool = true; metadata: string = ''"},
      {"SetStatsAggregatorDataset(input_dataset: variant, stats_aggregator: resource, tag: string, counter_prefix: "
       "string) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"ShardDataset(input_dataset: variant, num_shards: int64, index: int64) -> (handle: variant)",
       "require_non_empty: bool = false; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: "
       "string = ''"},
      {"ShuffleAndRepeatDataset(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, count: int64) "
       "-> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; reshuffle_each_iteration: bool = true; "
       "metadata: string = ''"},
      {"ShuffleAndRepeatDatasetV2(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, count: int64, "
       "seed_generator: resource) -> (handle: variant) stateful",
       "reshuffle_each_iteration: bool = true; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
      {"ShuffleDataset(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64) -> (handle: variant)",
       "reshuffle_each_iteration: bool = true; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
      {"ShuffleDatasetV2(input_dataset: variant, buffer_size: int64, seed_generator: resource) -> (handle: variant) "
       "stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"ShuffleDatasetV3(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, seed_generator: "
       "resource) -> (handle: variant) stateful",
       "reshuffle_each_iteration: bool = true; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
      {"SkipDataset(input_dataset: variant, count: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"SleepDataset(input_dataset: variant, sleep_microseconds: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"SlidingWindowDataset(input_dataset: variant, window_size: int64, window_shift: int64, window_stride: int64) -> "
       "(handle: variant)",
       "drop_remainder: bool = true; output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"SnapshotDataset(input_dataset: variant, path: string) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; compression: string = ''; reader_path_prefix: "
       "string = ''; writer_path_prefix: string = ''; shard_size_bytes: int = 10737418240; "
       "pending_snapshot_expiry_seconds: int = 86400; num_reader_threads: int = 1; reader_buffer_size: int = 1; "
       "num_writer_threads: int = 1; writer_buffer_size: int = 1; shuffle_on_read: bool = false; seed: int = 0; seed2: "
       "int = 0; mode: string = 'auto'; snapshot_name: string = ''"},
      {"SnapshotDatasetReader(shard_dir: string, start_index: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; compression: string = ''; version: int"},
      {"SnapshotDatasetV2(input_dataset: variant, path: string, reader_func_other_args: list(Treader_func_args), "
       "shard_func_other_args: list(Tshard_func_args)) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; compression: string = ''; reader_prefix: "
       "string = ''; writer_prefix: string = ''; hash_valid: bool = false; hash: int = 0; reader_func: func; "
       "shard_func: func; Treader_func_args: list(type) >= 0; Tshard_func_args: list(type) >= 0; metadata: string = "
       "''"},
      {"SnapshotNestedDatasetReader(inputs: variant*N) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int"},
      {"SparseTensorSliceDataset(indices: int64, values: Tvalues, dense_shape: int64) -> (handle: variant) stateful",
       "Tvalues: type"},
      {"SqlDataset(driver_name: string, data_source_name: string, query: string) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"TFRecordDataset(filenames: string, compression_type: string, buffer_size: int64) -> (handle: variant) stateful",
       "metadata: string = ''"},
      {"TakeDataset(input_dataset: variant, count: int64) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"TakeWhileDataset(input_dataset: variant, other_arguments: list(Targuments)) -> (handle: variant)",
       "predicate: func; Targuments: list(type) >= 0; output_types: list(type) >= 1; output_shapes: list(shape) >= 1; "
       "metadata: string = ''"},
      {"TensorDataset(components: list(Toutput_types)) -> (handle: variant) stateful",
       "Toutput_types: list(type); output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"TensorSliceDataset(components: list(Toutput_types)) -> (handle: variant) stateful",
       "Toutput_types: list(type); output_shapes: list(shape) >= 1; is_files: bool = false; metadata: string = ''; "
       "replicate_on_split: bool = false"},
      {"TextLineDataset(filenames: string, compression_type: string, buffer_size: int64) -> (handle: variant) stateful",
       "metadata: string = ''"},
      {"ThreadPoolDataset(input_dataset: variant, thread_pool: resource) -> (handle: variant) stateful",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1"},
      {"UnbatchDataset(input_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"UniqueDataset(input_dataset: variant) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"UnwrapDatasetVariant(input_handle: variant) -> (output_handle: variant)", ""},
      {"WindowDataset(input_dataset: variant, size: int64, shift: int64, stride: int64, drop_remainder: bool) -> "
       "(handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; metadata: string = ''"},
      {"WrapDatasetVariant(input_handle: variant) -> (output_handle: variant)", ""},
      {"ZipDataset(input_datasets: variant*N) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; N: int; metadata: string = ''"},
  };
  return kSignatures;
}

}  // namespace plumb::known
