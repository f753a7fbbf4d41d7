// TPUs: compiled programs, embeddings, infeed and outfeed.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Tpu() {
  static constexpr Signature kSignatures[] = {
      {"CollateTPUEmbeddingMemory(memory_configs: string*N) -> (merged_memory_config: string) stateful", "N: int"},
      {"ComputeDedupDataTupleMask() -> (output_shape: int32) stateful", "config: string"},
      {"ConfigureAndInitializeGlobalTPU() -> (output: int32) stateful", "use_tfrt_host_runtime: bool = true"},
      {"ConfigureDistributedTPU() -> (topology: string) stateful",
       "embedding_config: string = ''; tpu_embedding_config: string = ''; is_global_init: bool = false; "
       "enable_whole_mesh_compilations: bool = false; compilation_failure_closes_chips: bool = true; "
       "tpu_cancellation_closes_chips: int = 0"},
      {"ConfigureTPUEmbedding() -> () stateful", "config: string"},
      {"ConfigureTPUEmbeddingHost(common_config: string, memory_config: string) -> (network_config: string) stateful",
       "config: string"},
      {"ConfigureTPUEmbeddingMemory(common_config: string) -> (memory_config: string) stateful", ""},
      {"ConnectTPUEmbeddingHosts(network_configs: string*N) -> () stateful", "N: int"},
      {"DTensorSetGlobalTPUArray(topology: string) -> () stateful", ""},
      {"DynamicEnqueueTPUEmbeddingArbitraryTensorBatch(sample_indices_or_row_splits: T1*N, embedding_indices: T2*N, "
       "aggregation_weights: T3*N, mode_override: string, device_ordinal: int32) -> () stateful",
       "T1: type = int32 in [int32, int64]; T2: type = int32 in [int32, int64]; T3: type = float32 in [float32, "
       "float64]; N: int; combiners: list(string) = []"},
      {"EnqueueTPUEmbeddingArbitraryTensorBatch(sample_indices_or_row_splits: T1*N, embedding_indices: T2*N, "
       "aggregation_weights: T3*N, mode_override: string) -> () stateful",
       "T1: type = int32 in [int32, int64]; T2: type = int32 in [int32, int64]; T3: type = float32 in [float32, "
       "float64]; N: int; device_ordinal: int = -1; combiners: list(string) = []"},
      {"EnqueueTPUEmbeddingBatch(batch: string*N, mode_override: string) -> () stateful",
       "N: int; device_ordinal: int = -1; combiners: list(string) = []"},
      {"EnqueueTPUEmbeddingIntegerBatch(batch: int32*N, mode_override: string) -> () stateful",
       "N: int; device_ordinal: int = -1"},
      {"EnqueueTPUEmbeddingRaggedTensorBatch(sample_splits: T1*N, embedding_indices: T2*N, aggregation_weights: T3*N, "
       "mode_override: string) -> () stateful",
       "T1: type = int32 in [int32, int64]; T2: type = int32 in [int32, int64]; T3: type = float32 in [float32, "
       "float64]; N: int; device_ordinal: int = -1; combiners: list(string) = []; table_ids: list(int); "
       "max_sequence_lengths: list(int) = []; num_features: list(int) = []"},
      {"EnqueueTPUEmbeddingSparseBatch(sample_indices: T1*N, embedding_indices: T2*N, aggregation_weights: T3*N, "
       "mode_override: string) -> () stateful",
       "T1: type = int32 in [int32, int64]; T2: type = int32 in [int32, int64]; T3: type = float32 in [float32, "
       "float64]; N: int; device_ordinal: int = -1; combiners: list(string) = []"},
      {"EnqueueTPUEmbeddingSparseTensorBatch(sample_indices: T1*N, embedding_indices: T2*N, aggregation_weights: T3*N, "
       "mode_override: string) -> () stateful",
       "T1: type = int32 in [int32, int64]; T2: type = int32 in [int32, int64]; T3: type = float32 in [float32, "
       "float64]; N: int; device_ordinal: int = -1; combiners: list(string) = []; table_ids: list(int); "
       "max_sequence_lengths: list(int) = []; num_features: list(int) = []"},
      {"ExecuteTPUEmbeddingPartitioner() -> (common_config: string) stateful", "config: string"},
      {"FinalizeTPUEmbedding(common_config: string, memory_config: string) -> () stateful", ""},
      {"InfeedDequeue() -> (output: dtype) stateful", "dtype: type; shape: shape"},
      {"InfeedDequeueTuple() -> (outputs: list(dtypes)) stateful", "dtypes: list(type); shapes: list(shape)"},
      {"InfeedEnqueue(input: dtype) -> () stateful",
       "dtype: type; shape: shape = []; layout: list(int) = []; device_ordinal: int = -1"},
      {"InfeedEnqueuePrelinearizedBuffer(input: variant) -> ()", "device_ordinal: int = -1"},
      {"InfeedEnqueueTuple(inputs: list(dtypes)) -> () stateful",
       "dtypes: list(type); shapes: list(shape); layouts: list(int) = []; device_ordinal: int = -1"},
      {"IsTPUEmbeddingInitialized() -> (is_tpu_embedding_initialized: bool) stateful", "config: string = ''"},
      {"LoadAllTPUEmbeddingParameters(parameters: float32*NumTables, auxiliary1: float32*NumTables, auxiliary2: "
       "float32*NumTables, auxiliary3: float32*NumTables, auxiliary4: float32*NumTables, auxiliary5: "
       "float32*NumTables, auxiliary6: float32*NumTables, auxiliary7: float32*NumTables) -> () stateful",
       "NumTables: int; config: string; num_shards: int; shard_id: int"},
      {"LoadTPUEmbeddingADAMParameters(parameters: float32, momenta: float32, velocities: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingAdadeltaParameters(parameters: float32, accumulators: float32, updates: float32) -> () "
       "stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingAdagradMomentumParameters(parameters: float32, accumulators: float32, momenta: float32) -> () "
       "stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingAdagradParameters(parameters: float32, accumulators: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingCenteredRMSPropParameters(parameters: float32, ms: float32, mom: float32, mg: float32) -> () "
       "stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingFTRLParameters(parameters: float32, accumulators: float32, linears: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingFrequencyEstimatorParameters(parameters: float32, last_hit_step: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingMDLAdagradLightParameters(parameters: float32, accumulators: float32, weights: float32, "
       "benefits: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingMomentumParameters(parameters: float32, momenta: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingProximalAdagradParameters(parameters: float32, accumulators: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingProximalYogiParameters(parameters: float32, v: float32, m: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingRMSPropParameters(parameters: float32, ms: float32, mom: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"LoadTPUEmbeddingStochasticGradientDescentParameters(parameters: float32) -> () stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"MergeDedupData(integer_tensor: integer_type, float_tensor: float_type) -> (output: variant)",
       "tuple_mask: string; integer_type: type in [int32, int64, uint32, uint64]; float_type: type in [float16, "
       "bfloat16, float32]"},
      {"OutfeedDequeue() -> (output: dtype) stateful", "dtype: type; shape: shape; device_ordinal: int = -1"},
      {"OutfeedDequeueTuple() -> (outputs: list(dtypes)) stateful",
       "dtypes: list(type); shapes: list(shape); device_ordinal: int = -1"},
      {"OutfeedDequeueTupleV2(device_ordinal: int32) -> (outputs: list(dtypes)) stateful",
       "dtypes: list(type); shapes: list(shape)"},
      {"OutfeedDequeueV2(device_ordinal: int32) -> (output: dtype) stateful", "dtype: type; shape: shape"},
      {"OutfeedEnqueue(input: dtype) -> () stateful", "dtype: type"},
      {"OutfeedEnqueueTuple(inputs: list(dtypes)) -> () stateful", "dtypes: list(type)"},
      {"Prelinearize(input: dtype) -> (output: variant)", "dtype: type; shape: shape = []; layout: list(int) = []"},
      {"PrelinearizeTuple(inputs: list(dtypes)) -> (output: variant)",
       "dtypes: list(type); shapes: list(shape); layouts: list(int) = []"},
      {"RecvTPUEmbeddingActivations() -> (outputs: float32*num_outputs) stateful", "num_outputs: int; config: string"},
      {"RetrieveAllTPUEmbeddingParameters() -> (parameters: float32*NumTables, auxiliary1: float32*NumTables, "
       "auxiliary2: float32*NumTables, auxiliary3: float32*NumTables, auxiliary4: float32*NumTables, auxiliary5: "
       "float32*NumTables, auxiliary6: float32*NumTables, auxiliary7: float32*NumTables) stateful",
       "NumTables: int; config: string; num_shards: int; shard_id: int"},
      {"RetrieveTPUEmbeddingADAMParameters() -> (parameters: float32, momenta: float32, velocities: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingAdadeltaParameters() -> (parameters: float32, accumulators: float32, updates: float32) "
       "stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingAdagradMomentumParameters() -> (parameters: float32, accumulators: float32, momenta: "
       "float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingAdagradParameters() -> (parameters: float32, accumulators: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingCenteredRMSPropParameters() -> (parameters: float32, ms: float32, mom: float32, mg: "
       "float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingFTRLParameters() -> (parameters: float32, accumulators: float32, linears: float32) "
       "stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingFrequencyEstimatorParameters() -> (parameters: float32, last_hit_step: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingMDLAdagradLightParameters() -> (parameters: float32, accumulators: float32, weights: "
       "float32, benefits: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingMomentumParameters() -> (parameters: float32, momenta: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingProximalAdagradParameters() -> (parameters: float32, accumulators: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingProximalYogiParameters() -> (parameters: float32, v: float32, m: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingRMSPropParameters() -> (parameters: float32, ms: float32, mom: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"RetrieveTPUEmbeddingStochasticGradientDescentParameters() -> (parameters: float32) stateful",
       "table_id: int = -1; table_name: string = ''; num_shards: int; shard_id: int; config: string = ''"},
      {"SendTPUEmbeddingGradients(inputs: float32*N, learning_rates: float32*NN) -> () stateful",
       "N: int; NN: int >= 0 = 0; config: string"},
      {"ShutdownDistributedTPU() -> () stateful", ""},
      {"ShutdownTPUSystem() -> (success: bool) stateful", ""},
      {"SplitDedupData(input: variant) -> (integer_tensor: integer_type, float_tensor: float_type)",
       "integer_type: type in [int32, int64, uint32, uint64]; float_type: type in [float16, bfloat16, float32]; "
       "tuple_mask: string"},
      {"TPUCompilationResult() -> (output: string)", ""},
      {"TPUCompile(dynamic_shapes: int64*NumDynamicShapes, guaranteed_constants: list(Tguaranteed_constants)) -> "
       "(compilation_status: string, program: string*num_computations, may_modify_variables: bool*num_computations) "
       "stateful",
       "num_computations: int >= 0; function: func; metadata: string; NumDynamicShapes: int >= 0; "
       "Tguaranteed_constants: list(type) >= 0"},
      {"TPUCompileSucceededAssert(compilation_status: string) -> () stateful", ""},
      {"TPUEmbeddingActivations(embedding_variable: float32, sliced_activations: float32) -> (output: float32)",
       "table_id: int >= 0; lookup_id: int >= 0"},
      {"TPUExecute(args: list(Targs), key: string) -> (results: list(Tresults)) stateful",
       "Targs: list(type) >= 0; Tresults: list(type) >= 0"},
      {"TPUExecuteAndUpdateVariables(args: list(Targs), key: string) -> (results: list(Tresults)) stateful",
       "Targs: list(type) >= 0; Tresults: list(type) >= 0; device_var_reads_indices: list(int) >= 0; "
       "device_var_updates_indices: list(int) >= 0"},
      {"TPUOrdinalSelector() -> (device_ordinals: int32) stateful", ""},
      {"TPUPartitionedCall(args: list(Tin), device_ordinal: int32) -> (output: list(Tout))",
       "Tin: list(type) >= 0; Tout: list(type) >= 0; f: func; autotuner_thresh: int = 0"},
      {"TPUPartitionedInput(inputs: T*N) -> (output: T)", "N: int; T: type; partition_dim: int = 0"},
      {"TPUPartitionedInputV2(inputs: T*N) -> (output: T)",
       "N: int; T: type; partition_dims: list(int); is_packed: bool = false"},
      {"TPUPartitionedOutput(inputs: T) -> (output: T*num_splits)", "T: type; num_splits: int; partition_dim: int = 0"},
      {"TPUPartitionedOutputV2(inputs: T) -> (output: T*num_splits)",
       "T: type; num_splits: int; partition_dims: list(int)"},
      {"TPUReplicateMetadata() -> ()",
       "num_replicas: int >= 0; num_cores_per_replica: int = 1; topology: string = ''; use_tpu: bool = true; "
       "device_assignment: list(int) = []; computation_shape: list(int) = []; host_compute_core: list(string) = []; "
       "padding_map: list(string) = []; step_marker_location: string = 'STEP_MARK_AT_ENTRY'; allow_soft_placement: "
       "bool = false; use_spmd_for_xla_partitioning: bool = false; tpu_compile_options_proto: string = ''"},
      {"TPUReplicatedInput(inputs: T*N) -> (output: T)",
       "N: int; T: type; is_mirrored_variable: bool = false; index: int = -1; is_packed: bool = false"},
      {"TPUReplicatedOutput(input: T) -> (outputs: T*num_replicas)", "num_replicas: int; T: type"},
      {"TPUReshardVariables(vars: resource*N, new_format_key: string, format_state_var: resource) -> () stateful",
       "N: int >= 0"},
      {"TPURoundRobin() -> (device_ordinal: int32) stateful", ""},
      {"TpuHandleToProtoKey(uid: int64) -> (proto_keys: string)", ""},
      {"XlaRecvTPUEmbeddingActivations(deduplication_data: variant) -> (outputs: float32*num_tables) stateful",
       "num_tables: int; config: string"},
      {"XlaRecvTPUEmbeddingDeduplicationData() -> (output: variant) stateful", "config: string"},
      {"XlaSendTPUEmbeddingGradients(gradients: float32*NumTables, learning_rates: float32*NumLearningRateTags, "
       "deduplication_data: variant) -> () stateful",
       "NumTables: int; NumLearningRateTags: int >= 0 = 0; config: string"},
      {"_ConfigureDistributedTPU(inputs: int32*N) -> (output: string) stateful",
       "N: int; enable_whole_mesh_compilations: bool = false"},
      {"_DisconnectHostFromDistributedTPUSystem() -> (number_of_tpu_chips: int32) stateful", ""},
      {"_InitializeHostForDistributedTPU(input: string) -> (tpu_ids: int32) stateful",
       "enable_whole_mesh_compilations: bool = false; tpu_cancellation_closes_chips: int = 0"},
      {"_SetGlobalTPUArray(topology: string) -> () stateful", ""},
      {"_ShutdownDistributedTPU() -> () stateful", ""},
      {"_TPUCompileMlir(dynamic_shapes: int64*NumDynamicShapes) -> (compilation_status: string, program: "
       "string*num_computations) stateful",
       "num_computations: int >= 0; mlir_module: string = ''; metadata: string; NumDynamicShapes: int >= 0"},
      {"_TPUCompileMlirPlaceholderProgramKey() -> (program: string) stateful", ""},
      {"_TPUReplicate(inputs: list(Tinputs), broadcast_inputs: list(Tbroadcast_inputs), variables: "
       "resource*NumVariables, guaranteed_constants: list(Tguaranteed_constants)) -> (outputs: list(output_types)) "
       "stateful",
       "computation: func; num_replicas: int >= 1; num_cores_per_replica: int = 1; topology: string = ''; use_tpu: "
       "bool = true; device_assignment: list(int) = []; host_compute_core: list(string) = []; Tinputs: list(type) >= "
       "0; Tbroadcast_inputs: list(type) >= 0; NumVariables: int >= 0; Tguaranteed_constants: list(type) >= 0; "
       "output_types: list(type) >= 0; padding_map: list(string) = []; step_marker_location: string = "
       "'STEP_MARK_AT_ENTRY'; allow_soft_placement: bool = false; num_distributed_variables: int = 0; "
       "use_spmd_for_xla_partitioning: bool = false; tpu_compile_options_proto: string = ''"},
      {"_WaitForDistributedTPU(inputs: int32*N) -> (topology: string) stateful",
       "startup_timeout_sec: int = 20; N: int"},
  };
  return kSignatures;
}

}  // namespace plumb::known
