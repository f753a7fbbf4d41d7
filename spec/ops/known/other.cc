// What belongs to no other list.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Other() {
  static constexpr Signature kSignatures[] = {
      {"AnonymousHashTable() -> (table_handle: resource) stateful", "key_dtype: type; value_dtype: type"},
      {"AnonymousMutableDenseHashTable(empty_key: key_dtype, deleted_key: key_dtype) -> (table_handle: resource) "
       "stateful",
       "key_dtype: type; value_dtype: type; value_shape: shape = []; initial_num_buckets: int = 131072; "
       "max_load_factor: float = 0.800000011920929"},
      {"AnonymousMutableHashTable() -> (table_handle: resource) stateful", "key_dtype: type; value_dtype: type"},
      {"AnonymousMutableHashTableOfTensors() -> (table_handle: resource) stateful",
       "key_dtype: type; value_dtype: type; value_shape: shape = []"},
      {"AudioMicrofrontend(audio: int16) -> (filterbanks: out_type)",
       "sample_rate: int = 16000; window_size: int = 25; window_step: int = 10; num_channels: int = 32; "
       "upper_band_limit: float = 7500.0; lower_band_limit: float = 125.0; smoothing_bits: int = 10; even_smoothing: "
       "float = 0.02500000037252903; odd_smoothing: float = 0.05999999865889549; min_signal_remaining: float = "
       "0.05000000074505806; enable_pcan: bool = false; pcan_strength: float = 0.949999988079071; pcan_offset: float = "
       "80.0; gain_bits: int = 21; enable_log: bool = true; scale_shift: int = 6; left_context: int = 0; "
       "right_context: int = 0; frame_stride: int = 1; zero_padding: bool = false; out_scale: int = 1; out_type: type "
       "= uint16 in [uint16, float32]"},
      {"ComputeBatchSize(input_dataset: variant) -> (batch_size: int64)", ""},
      {"ConstructionFails() -> ()", ""},
      {"Conv2DBackpropFilterV2(input: T, filter: T, out_backprop: T) -> (output: T)",
       "T: type in [floats]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string in ['SAME', 'VALID', "
       "'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = 'NHWC' in ['NHWC', 'NCHW']; dilations: "
       "list(int) = [1, 1, 1, 1]"},
      {"Conv2DBackpropInputV2(input: T, filter: T, out_backprop: T) -> (output: T)",
       "T: type in [floats, int32]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string in ['SAME', "
       "'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = 'NHWC' in ['NHWC', 'NCHW']; "
       "dilations: list(int) = [1, 1, 1, 1]"},
      {"CudnnRNN(input: T, input_h: T, input_c: T, params: T) -> (output: T, output_h: T, output_c: T, reserve_space: "
       "T) stateful",
       "T: type in [float16, float32, float64]; rnn_mode: string = 'lstm' in ['rnn_relu', 'rnn_tanh', 'lstm', 'gru']; "
       "input_mode: string = 'linear_input' in ['linear_input', 'skip_input', 'auto_select']; direction: string = "
       "'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = 0.0; seed: int = 0; seed2: int = 0; "
       "is_training: bool = true"},
      {"CudnnRNNBackprop(input: T, input_h: T, input_c: T, params: T, output: T, output_h: T, output_c: T, "
       "output_backprop: T, output_h_backprop: T, output_c_backprop: T, reserve_space: T) -> (input_backprop: T, "
       "input_h_backprop: T, input_c_backprop: T, params_backprop: T) stateful",
       "T: type in [float16, float32, float64]; rnn_mode: string = 'lstm' in ['rnn_relu', 'rnn_tanh', 'lstm', 'gru']; "
       "input_mode: string = 'linear_input' in ['linear_input', 'skip_input', 'auto_select']; direction: string = "
       "'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = 0.0; seed: int = 0; seed2: int = 0"},
      {"CudnnRNNBackpropV2(input: T, input_h: T, input_c: T, params: T, output: T, output_h: T, output_c: T, "
       "output_backprop: T, output_h_backprop: T, output_c_backprop: T, reserve_space: T, host_reserved: int8) -> "
       "(input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T) stateful",
       "T: type in [float16, float32, float64]; rnn_mode: string = 'lstm' in ['rnn_relu', 'rnn_tanh', 'lstm', 'gru']; "
       "input_mode: string = 'linear_input' in ['linear_input', 'skip_input', 'auto_select']; direction: string = "
       "'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = 0.0; seed: int = 0; seed2: int = 0"},
      {"CudnnRNNBackpropV3(input: T, input_h: T, input_c: T, params: T, sequence_lengths: int32, output: T, output_h: "
       "T, output_c: T, output_backprop: T, output_h_backprop: T, output_c_backprop: T, reserve_space: T, "
       "host_reserved: int8) -> (input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T) "
       "stateful",
       "T: type in [float16, float32, float64]; rnn_mode: string = 'lstm' in ['rnn_relu', 'rnn_tanh', 'lstm', 'gru']; "
       "input_mode: string = 'linear_input' in ['linear_input', 'skip_input', 'auto_select']; direction: string = "
       "'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = 0.0; seed: int = 0; seed2: int = 0; "
       "num_proj: int = 0; time_major: bool = true"},
      {"CudnnRNNCanonicalToParams(num_layers: int32, num_units: int32, input_size: int32, weights: T*num_params, "
       "biases: T*num_params) -> (params: T)",
       "T: type in [float16, float32, float64]; num_params: int; rnn_mode: string = 'lstm' in ['rnn_relu', 'rnn_tanh', "
       "'lstm', 'gru']; input_mode: string = 'linear_input' in ['linear_input', 'skip_input', 'auto_select']; "
       "direction: string = 'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = 0.0; seed: int = "
       "0; seed2: int = 0"},
      {"CudnnRNNCanonicalToParamsV2(num_layers: int32, num_units: int32, input_size: int32, weights: "
       "T*num_params_weights, biases: T*num_params_biases) -> (params: T)",
       "T: type in [float16, float32, float64]; num_params_weights: int; num_params_biases: int; rnn_mode: string = "
       "'lstm' in ['rnn_relu', 'rnn_tanh', 'lstm', 'gru']; input_mode: string = 'linear_input' in ['linear_input', "
       "'skip_input', 'auto_select']; direction: string = 'unidirectional' in ['unidirectional', 'bidirectional']; "
       "dropout: float = 0.0; seed: int = 0; seed2: int = 0; num_proj: int = 0"},
      {"CudnnRNNParamsSize(num_layers: int32, num_units: int32, input_size: int32) -> (params_size: S)",
       "T: type in [float16, float32, float64]; S: type in [int32, int64]; rnn_mode: string = 'lstm' in ['rnn_relu', "
       "'rnn_tanh', 'lstm', 'gru']; input_mode: string = 'linear_input' in ['linear_input', 'skip_input', "
       "'auto_select']; direction: string = 'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = "
       "0.0; seed: int = 0; seed2: int = 0; num_proj: int = 0"},
      {"CudnnRNNParamsToCanonical(num_layers: int32, num_units: int32, input_size: int32, params: T) -> (weights: "
       "T*num_params, biases: T*num_params)",
       "T: type in [float16, float32, float64]; num_params: int; rnn_mode: string = 'lstm' in ['rnn_relu', 'rnn_tanh', "
       "'lstm', 'gru']; input_mode: string = 'linear_input' in ['linear_input', 'skip_input', 'auto_select']; "
       "direction: string = 'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = 0.0; seed: int = "
       "0; seed2: int = 0"},
      {"CudnnRNNParamsToCanonicalV2(num_layers: int32, num_units: int32, input_size: int32, params: T) -> (weights: "
       "T*num_params_weights, biases: T*num_params_biases)",
       "T: type in [float16, float32, float64]; num_params_weights: int; num_params_biases: int; rnn_mode: string = "
       "'lstm' in ['rnn_relu', 'rnn_tanh', 'lstm', 'gru']; input_mode: string = 'linear_input' in ['linear_input', "
       "'skip_input', 'auto_select']; direction: string = 'unidirectional' in ['unidirectional', 'bidirectional']; "
       "dropout: float = 0.0; seed: int = 0; seed2: int = 0; num_proj: int = 0"},
      {"CudnnRNNV2(input: T, input_h: T, input_c: T, params: T) -> (output: T, output_h: T, output_c: T, "
       "reserve_space: T, host_reserved: int8) stateful",
       "T: type in [float16, float32, float64]; rnn_mode: string = 'lstm' in ['rnn_relu', 'rnn_tanh', 'lstm', 'gru']; "
       "input_mode: string = 'linear_input' in ['linear_input', 'skip_input', 'auto_select']; direction: string = "
       "'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = 0.0; seed: int = 0; seed2: int = 0; "
       "is_training: bool = true"},
      {"CudnnRNNV3(input: T, input_h: T, input_c: T, params: T, sequence_lengths: int32) -> (output: T, output_h: T, "
       "output_c: T, reserve_space: T, host_reserved: int8) stateful",
       "T: type in [float16, float32, float64]; rnn_mode: string = 'lstm' in ['rnn_relu', 'rnn_tanh', 'lstm', 'gru']; "
       "input_mode: string = 'linear_input' in ['linear_input', 'skip_input', 'auto_select']; direction: string = "
       "'unidirectional' in ['unidirectional', 'bidirectional']; dropout: float = 0.0; seed: int = 0; seed2: int = 0; "
       "num_proj: int = 0; is_training: bool = true; time_major: bool = true"},
      {"CustomAggregator(input: float32) -> (output: float32) stateful", "id: string"},
      {"DecodeProtoV2(bytes: string) -> (sizes: int32, values: list(output_types))",
       "message_type: string; field_names: list(string); output_types: list(type) >= 0; descriptor_source: string = "
       "'local://'; message_format: string = 'binary'; sanitize: bool = false"},
      {"DeviceIndex() -> (index: int32) stateful", "device_names: list(string)"},
      {"DistributedSave(dataset: variant, directory: string, address: string) -> () stateful", "metadata: string = ''"},
      {"DummyIterationCounter() -> (handle: resource) stateful", ""},
      {"EmptyTensorMap() -> (handle: variant)", ""},
      {"EncodeProto(sizes: int32, values: list(Tinput_types)) -> (bytes: string)",
       "field_names: list(string); message_type: string; descriptor_source: string = 'local://'; Tinput_types: "
       "list(type)"},
      {"FileSystemSetConfiguration(scheme: string, key: string, value: string) -> () stateful", ""},
      {"GetElementAtIndex(dataset: variant, index: int64) -> (components: list(output_types))",
       "output_types: list(type); output_shapes: list(shape) >= 1"},
      {"GetSessionHandleV2(value: T) -> (handle: resource) stateful", "T: type"},
      {"HostConst() -> (output: dtype)", "value: tensor; dtype: type"},
      {"KthOrderStatistic(input: float32) -> (output: float32)", "k: int"},
      {"LMDBReader() -> (reader_handle: ref string) stateful", "container: string = ''; shared_name: string = ''"},
      {"MakeUnique(input: float32) -> (output: float32)", ""},
      {"MaxPoolGradGradWithArgmax(input: T, grad: T, argmax: Targmax) -> (output: T)",
       "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; include_batch_in_index: "
       "bool = false; Targmax: type in [int32, int64]; T: type in [floats, ints]"},
      {"MlirPassthroughOp(inputs: list(Tinputs)) -> (outputs: list(Toutputs))",
       "mlir_module: string; Tinputs: list(type) >= 0; Toutputs: list(type) >= 0"},
      {"RaggedCountSparseOutput(splits: int64, values: T, weights: output_type) -> (output_indices: int64, "
       "output_values: output_type, output_dense_shape: int64)",
       "T: type in [int32, int64]; minlength: int >= -1 = -1; maxlength: int >= -1 = -1; binary_output: bool; "
       "output_type: type in [int32, int64, float32, float64]"},
      {"SparseCrossHashed(indices: int64*N, values: list(sparse_types), shapes: int64*N, dense_inputs: "
       "list(dense_types), num_buckets: int64, strong_hash: bool, salt: int64) -> (output_indices: int64, "
       "output_values: int64, output_shape: int64)",
       "N: int >= 0; sparse_types: list(type) >= 0 in [int64, string]; dense_types: list(type) >= 0 in [int64, "
       "string]"},
      {"SyncDevice() -> () stateful", ""},
      {"TensorMapErase(input_handle: variant, key: key_dtype) -> (output_handle: variant)",
       "key_dtype: type; value_dtype: type"},
      {"TensorMapHasKey(input_handle: variant, key: key_dtype) -> (has_key: bool)", "key_dtype: type"},
      {"TensorMapInsert(input_handle: variant, key: key_dtype, value: value_dtype) -> (output_handle: variant)",
       "key_dtype: type; value_dtype: type"},
      {"TensorMapLookup(input_handle: variant, key: key_dtype) -> (value: value_dtype)",
       "key_dtype: type; value_dtype: type"},
      {"TensorMapSize(input_handle: variant) -> (size: int32)", ""},
      {"TensorMapStackKeys(input_handle: variant) -> (keys: key_dtype)", "key_dtype: type"},
      {"TfLiteSubgraphExecute(subgraph_key: string, args: list(Tin)) -> (output: list(Tout))",
       "Tin: list(type) >= 0; Tout: list(type) >= 0"},
      {"UniformDequantize(input: Tin, scales: float32, zero_points: int32) -> (output: Tout)",
       "Tin: type in [qint8, qint32]; Tout: type in [float32]; quantization_axis: int = -1; quantization_min_val: int; "
       "quantization_max_val: int"},
      {"UniformRequantize(input: Tin, input_scales: float32, input_zero_points: int32, output_scales: float32, "
       "output_zero_points: int32) -> (output: Tout)",
       "Tin: type in [qint8, qint32]; Tout: type in [qint8, qint32]; input_quantization_axis: int = -1; "
       "input_quantization_min_val: int; input_quantization_max_val: int; output_quantization_axis: int = -1; "
       "output_quantization_min_val: int; output_quantization_max_val: int"},
      {"WindowOp(inputs: list(Tinputs)) -> (handle: variant)",
       "output_types: list(type) >= 1; output_shapes: list(shape) >= 1; Tinputs: list(type)"},
      {"WorkerHeartbeat(request: string) -> (response: string) stateful", ""},
  };
  return kSignatures;
}

}  // namespace plumb::known
