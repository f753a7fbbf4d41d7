// XLA's own ops.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Xla() {
  static constexpr Signature kSignatures[] = {
      {"AllToAll(input: T, group_assignment: int32) -> (output: T) stateful",
       "T: type in [numbers, quantized, bool]; concat_dimension: int; split_dimension: int; split_count: int"},
      {"AssignVariableXlaConcatND(resource: resource, inputs: T*N) -> () stateful",
       "T: type; N: int; num_concats: list(int); paddings: list(int) = []"},
      {"CollectiveAllToAllV3(input: T, communicator: resource, group_assignment: int32) -> (data: T) stateful",
       "T: type in [floats, int32, int64]; timeout_seconds: float = 0.0"},
      {"CollectivePermute(input: T, source_target_pairs: int32) -> (output: T) stateful",
       "T: type in [numbers, quantized]"},
      {"CrossReplicaSum(input: T, group_assignment: int32) -> (output: T) stateful",
       "T: type in [floats, int32, uint32]"},
      {"ReadVariableXlaSplitND(resource: resource) -> (outputs: T*N) stateful",
       "T: type; N: int; num_splits: list(int); paddings: list(int) = []"},
      {"XlaAllReduce(input: T, group_assignment: int32) -> (output: T)",
       "T: type in [float16, bfloat16, float32, int32, uint32]; reduce_op: string in ['Min', 'Max', 'Mul', 'Add', "
       "'Mean']; mode: string in ['CrossReplica', 'CrossReplicaAndPartition']"},
      {"XlaBroadcastHelper(lhs: T, rhs: T, broadcast_dims: Tindices) -> (lhs_output: T, rhs_output: T)",
       "T: type in [numbers, quantized]; Tindices: type in [int32, int64]"},
      {"XlaCallModule(args: list(Tin)) -> (output: list(Tout))",
       "version: int; module: string; Sout: list(shape) >= 0; Tout: list(type) >= 0; Tin: list(type) >= 0; "
       "dim_args_spec: list(string) >= 0"},
      {"XlaClusterOutput(input: T) -> (outputs: T)", "T: type"},
      {"XlaConcatND(inputs: T*N) -> (output: T)", "T: type; N: int; num_concats: list(int); paddings: list(int) = []"},
      {"XlaConv(lhs: T, rhs: T, window_strides: Tindices, padding: Tindices, lhs_dilation: Tindices, rhs_dilation: "
       "Tindices, feature_group_count: Tindices) -> (output: T)",
       "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; dimension_numbers: string; "
       "precision_config: string"},
      {"XlaConvV2(lhs: LhsT, rhs: RhsT, window_strides: Tindices, padding: Tindices, lhs_dilation: Tindices, "
       "rhs_dilation: Tindices, feature_group_count: Tindices) -> (output: preferred_element_type)",
       "LhsT: type in [numbers, quantized]; RhsT: type in [numbers, quantized]; Tindices: type in [int32, int64]; "
       "dimension_numbers: string; precision_config: string; preferred_element_type: type in [numbers, quantized]; "
       "batch_group_count: int = 1"},
      {"XlaCustomCall(args: list(T)) -> (output: dtype)",
       "target_name: string; backend_config: string; T: list(type) >= 0; dtype: type; shape: shape"},
      {"XlaCustomCallV2(operands: list(operand_dtypes)) -> (results: list(result_dtypes))",
       "call_target_name: string; backend_config: string; has_side_effect: bool; operand_dtypes: list(type) >= 0; "
       "result_dtypes: list(type) >= 0; result_shapes: list(shape) >= 0"},
      {"XlaDequantize(input: uint32) -> (output: bfloat16) stateful",
       "min_range: float; max_range: float; mode: string; transpose_output: bool"},
      {"XlaDot(lhs: T, rhs: T) -> (output: T)",
       "T: type in [numbers, quantized]; dimension_numbers: string; precision_config: string"},
      {"XlaDotV2(lhs: LhsT, rhs: RhsT) -> (output: preferred_element_type)",
       "LhsT: type in [numbers, quantized]; RhsT: type in [numbers, quantized]; dimension_numbers: string; "
       "precision_config: string; preferred_element_type: type in [numbers, quantized]"},
      {"XlaDynamicSlice(input: T, start_indices: Tindices, size_indices: Tindices) -> (output: T)",
       "T: type; Tindices: type in [int32, int64]"},
      {"XlaDynamicUpdateSlice(input: T, update: T, indices: Tindices) -> (output: T)",
       "T: type; Tindices: type in [int32, int64]"},
      {"XlaEinsum(a: T, b: T) -> (product: T)", "equation: string; T: type in [complex64, bfloat16, float32]"},
      {"XlaGather(operand: T, start_indices: Tindices, slice_sizes: Tindices) -> (output: T)",
       "dimension_numbers: string; indices_are_sorted: bool; T: type in [numbers, quantized, bool]; Tindices: type in "
       "[int32, int64]"},
      {"XlaHostCompute(inputs: list(Tinputs)) -> (outputs: list(Toutputs)) stateful",
       "Tinputs: list(type) >= 0; Toutputs: list(type) >= 0; ancestors: list(string) >= 0; shapes: list(shape) >= 0; "
       "shape_inference_graph: func; key: string; send_key: string = ''; recv_key: string = ''; cost_estimate_ns: int "
       "= 1000000; tpu_core: int = 0"},
      {"XlaIf(cond: Tcond, inputs: list(Tin)) -> (output: list(Tout)) stateful",
       "Tcond: type; then_branch: func; else_branch: func; Tin: list(type) >= 0; Tout: list(type) >= 0"},
      {"XlaKeyValueSort(keys: K, values: V) -> (sorted_keys: K, sorted_values: V)",
       "K: type in [floats, ints]; V: type"},
      {"XlaLaunch(constants: list(Tconstants), args: list(Targs), resources: resource*Nresources) -> (results: "
       "list(Tresults)) stateful",
       "Tconstants: list(type) >= 0; Targs: list(type) >= 0; Nresources: int >= 0; Tresults: list(type) >= 0; "
       "function: func"},
      {"XlaOptimizationBarrier(input: list(T)) -> (output: list(T))", "T: list(type) >= 0"},
      {"XlaPad(input: T, padding_value: T, padding_low: Tindices, padding_high: Tindices, padding_interior: Tindices) "
       "-> (output: T)",
       "T: type; Tindices: type in [int32, int64]"},
      {"XlaRecv() -> (tensor: dtype) stateful", "dtype: type; tensor_name: string; shape: shape"},
      {"XlaRecvFromHost() -> (output: Toutput) stateful", "Toutput: type; shape: shape; key: string"},
      {"XlaReduce(input: T, init_value: T) -> (output: T)",
       "T: type in [numbers, quantized, bool]; dimensions_to_reduce: list(int); reducer: func"},
      {"XlaReducePrecision(operand: T) -> (output: T)", "T: type in [floats]; exponent_bits: int; mantissa_bits: int"},
      {"XlaReduceScatter(input: T, group_assignment: int32, scatter_dimension: int32) -> (output: T)",
       "T: type in [float16, bfloat16, float32, int32, uint32]; reduce_op: string in ['Min', 'Max', 'Mul', 'Add', "
       "'Mean']"},
      {"XlaReduceWindow(input: T, init_value: T, window_dimensions: Tindices, window_strides: Tindices, "
       "base_dilations: Tindices, window_dilations: Tindices, padding: Tindices) -> (output: T)",
       "T: type in [numbers, quantized, bool]; Tindices: type in [int32, int64]; computation: func"},
      {"XlaRemoveDynamicDimensionSize(input: T, dim_index: int32) -> (output: T)", "T: type"},
      {"XlaReplicaId() -> (id: int32)", ""},
      {"XlaScatter(operand: T, scatter_indices: Tindices, updates: T) -> (output: T)",
       "update_computation: func; dimension_numbers: string; indices_are_sorted: bool; T: type in [numbers, quantized, "
       "bool]; Tindices: type in [int32, int64]"},
      {"XlaSelectAndScatter(operand: T, window_dimensions: Tindices, window_strides: Tindices, padding: Tindices, "
       "source: T, init_value: T) -> (output: T)",
       "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; select: func; scatter: func"},
      {"XlaSelfAdjointEig(a: T) -> (w: T, v: T)",
       "lower: bool; max_iter: int; epsilon: float; T: type in [numbers, quantized]"},
      {"XlaSend(tensor: T) -> () stateful", "T: type; tensor_name: string"},
      {"XlaSendToHost(input: Tinput) -> () stateful", "Tinput: type; key: string"},
      {"XlaSetBound(input: int32, bound: int32) -> (output: int32)", ""},
      {"XlaSetDynamicDimensionSize(input: T, dim_index: int32, size: int32) -> (output: T)", "T: type"},
      {"XlaSharding(input: T) -> (output: T)", "T: type; sharding: string = ''; unspecified_dims: list(int) = []"},
      {"XlaSort(input: T) -> (output: T)", "T: type"},
      {"XlaSplitND(input: T) -> (outputs: T*N)", "T: type; N: int; num_splits: list(int); paddings: list(int) = []"},
      {"XlaSpmdFullToShardShape(input: T) -> (output: T)",
       "T: type; manual_sharding: string; dim: int = -1; unspecified_dims: list(int) = []"},
      {"XlaSpmdShardToFullShape(input: T) -> (output: T)",
       "T: type; manual_sharding: string; full_shape: shape; dim: int = -1; unspecified_dims: list(int) = []"},
      {"XlaSvd(a: T) -> (s: T, u: T, v: T)",
       "max_iter: int; epsilon: float; precision_config: string; T: type in [numbers, quantized]"},
      {"XlaVariadicReduce(input: T*N, init_value: T*N) -> (output: T*N)",
       "N: int; T: type in [numbers, quantized, bool]; dimensions_to_reduce: list(int); reducer: func"},
      {"XlaVariadicReduceV2(inputs: list(T), init_values: list(T)) -> (outputs: list(T))",
       "T: list(type); dimensions_to_reduce: list(int); reducer: func"},
      {"XlaVariadicSort(inputs: list(T), dimension: int32) -> (outputs: list(T))",
       "T: list(type); comparator: func; is_stable: bool"},
      {"XlaWhile(input: list(T)) -> (output: list(T)) stateful", "T: list(type) >= 0; cond: func; body: func"},
      {"_XlaAotOnlyVarHandleOp() -> (resource: resource) stateful",
       "container: string = ''; shared_name: string = ''; dtype: type; shape: shape"},
      {"_XlaCompile(constants: list(Tconstants), args: list(Targs), resources: resource*Nresources) -> (key: string, "
       "compilation_successful: bool) stateful",
       "Tconstants: list(type) >= 0; must_compile: bool; Targs: list(type) >= 0; Nresources: int >= 0; function: func"},
      {"_XlaHostComputeMlir(inputs: list(Tinputs)) -> (outputs: list(Toutputs)) stateful",
       "Tinputs: list(type) >= 0; Toutputs: list(type) >= 0; send_key: string; recv_key: string; host_mlir_module: "
       "string = ''"},
      {"_XlaMerge(partitioned_call: T, xla_run: T) -> (output: T)", "T: type"},
      {"_XlaRecvAtHost(dynamic_key: string) -> (outputs: list(Toutputs)) stateful",
       "Toutputs: list(type) >= 0; key: string; device_ordinal: int"},
      {"_XlaRecvAtHostV2(dynamic_key: string, device_ordinal: int64) -> (outputs: list(Toutputs)) stateful",
       "Toutputs: list(type) >= 0; key: string"},
      {"_XlaRun(args: list(Targs), key: string) -> (results: list(Tresults)) stateful",
       "Targs: list(type) >= 0; Tresults: list(type) >= 0"},
      {"_XlaSendFromHost(inputs: list(Tinputs), dynamic_key: string) -> () stateful",
       "Tinputs: list(type) >= 0; key: string; device_ordinal: int"},
      {"_XlaSendFromHostV2(inputs: list(Tinputs), dynamic_key: string, device_ordinal: int64) -> () stateful",
       "Tinputs: list(type) >= 0; key: string"},
  };
  return kSignatures;
}

}  // namespace plumb::known
