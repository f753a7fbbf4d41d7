// Quantised numbers: fused convolutions and products, uniform quantisation.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Quantized() {
  static constexpr Signature kSignatures[] = {
      {"QuantizedConcatV2(values: T*N, axis: Tidx, input_mins: float32*N, input_maxes: float32*N) -> (output: T, "
       "output_min: float32, output_max: float32)",
       "N: int >= 2; T: type; Tidx: type = int32 in [int32, int64]"},
      {"QuantizedConv2DAndRelu(input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, min_filter: "
       "float32, max_filter: float32) -> (output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) "
       "= []"},
      {"QuantizedConv2DAndReluAndRequantize(input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, "
       "min_filter: float32, max_filter: float32, min_freezed_output: float32, max_freezed_output: float32) -> "
       "(output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = quint8 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) "
       "= []"},
      {"QuantizedConv2DAndRequantize(input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, "
       "min_filter: float32, max_filter: float32, min_freezed_output: float32, max_freezed_output: float32) -> "
       "(output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint8 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) "
       "= []"},
      {"QuantizedConv2DPerChannel(input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, min_filter: "
       "float32, max_filter: float32) -> (output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]"},
      {"QuantizedConv2DWithBias(input: Tinput, filter: Tfilter, bias: float32, min_input: float32, max_input: float32, "
       "min_filter: float32, max_filter: float32) -> (output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) "
       "= []"},
      {"QuantizedConv2DWithBiasAndRelu(input: Tinput, filter: Tfilter, bias: float32, min_input: float32, max_input: "
       "float32, min_filter: float32, max_filter: float32) -> (output: out_type, min_output: float32, max_output: "
       "float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) "
       "= []"},
      {"QuantizedConv2DWithBiasAndReluAndRequantize(input: Tinput, filter: Tfilter, bias: Tbias, min_input: float32, "
       "max_input: float32, min_filter: float32, max_filter: float32, min_freezed_output: float32, max_freezed_output: "
       "float32) -> (output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; Tbias: type in [float32, qint32]; out_type: type = "
       "quint8 in [quantized]; strides: list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, "
       "1, 1]; padding_list: list(int) = []"},
      {"QuantizedConv2DWithBiasAndRequantize(input: Tinput, filter: Tfilter, bias: Tbias, min_input: float32, "
       "max_input: float32, min_filter: float32, max_filter: float32, min_freezed_output: float32, max_freezed_output: "
       "float32) -> (output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; Tbias: type in [float32, qint32]; out_type: type = "
       "qint8 in [quantized]; strides: list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, "
       "1, 1]; padding_list: list(int) = []"},
      {"QuantizedConv2DWithBiasSignedSumAndReluAndRequantize(input: Tinput, filter: Tfilter, bias: Tbias, min_input: "
       "float32, max_input: float32, min_filter: float32, max_filter: float32, min_freezed_output: float32, "
       "max_freezed_output: float32, summand: Tsummand, min_summand: float32, max_summand: float32) -> (output: "
       "out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; Tbias: type in [float32, qint32]; Tsummand: type in "
       "[quantized]; out_type: type = quint8 in [quantized]; strides: list(int); padding: string in ['SAME', 'VALID']; "
       "dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) = []"},
      {"QuantizedConv2DWithBiasSumAndRelu(input: Tinput, filter: Tfilter, bias: float32, min_input: float32, "
       "max_input: float32, min_filter: float32, max_filter: float32, summand: float32) -> (output: out_type, "
       "min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) "
       "= []"},
      {"QuantizedConv2DWithBiasSumAndReluAndRequantize(input: Tinput, filter: Tfilter, bias: Tbias, min_input: "
       "float32, max_input: float32, min_filter: float32, max_filter: float32, min_freezed_output: float32, "
       "max_freezed_output: float32, summand: Tsummand, min_summand: float32, max_summand: float32) -> (output: "
       "out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; Tbias: type in [float32, qint32]; Tsummand: type in "
       "[quantized]; out_type: type = quint8 in [quantized]; strides: list(int); padding: string in ['SAME', 'VALID']; "
       "dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) = []"},
      {"QuantizedDepthwiseConv2D(input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, min_filter: "
       "float32, max_filter: float32) -> (output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]"},
      {"QuantizedDepthwiseConv2DWithBias(input: Tinput, filter: Tfilter, bias: float32, min_input: float32, max_input: "
       "float32, min_filter: float32, max_filter: float32) -> (output: out_type, min_output: float32, max_output: "
       "float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]"},
      {"QuantizedDepthwiseConv2DWithBiasAndRelu(input: Tinput, filter: Tfilter, bias: float32, min_input: float32, "
       "max_input: float32, min_filter: float32, max_filter: float32) -> (output: out_type, min_output: float32, "
       "max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; strides: "
       "list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]; padding_list: list(int) "
       "= []"},
      {"QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize(input: Tinput, filter: Tfilter, bias: Tbias, min_input: "
       "float32, max_input: float32, min_filter: float32, max_filter: float32, min_freezed_output: float32, "
       "max_freezed_output: float32) -> (output: out_type, min_output: float32, max_output: float32)",
       "Tinput: type in [quantized]; Tfilter: type in [quantized]; Tbias: type in [float32, qint32]; out_type: type = "
       "quint8 in [quantized]; strides: list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, "
       "1, 1]; padding_list: list(int) = []"},
      {"QuantizedMatMulWithBias(a: T1, b: T2, bias: Tbias, min_a: float32, max_a: float32, min_b: float32, max_b: "
       "float32) -> (out: Toutput, min_out: float32, max_out: float32)",
       "T1: type in [quantized]; T2: type in [quantized]; Tbias: type in [float32, qint32]; Toutput: type = qint32 in "
       "[quantized]; transpose_a: bool = false; transpose_b: bool = false; input_quant_mode: string = 'MIN_FIRST' in "
       "['MIN_FIRST', 'SCALED']"},
      {"QuantizedMatMulWithBiasAndDequantize(a: T1, b: T2, bias: Tbias, min_a: float32, max_a: float32, min_b: "
       "float32, max_b: float32, min_freezed_output: float32, max_freezed_output: float32) -> (out: Toutput)",
       "T1: type in [quantized]; T2: type in [quantized]; Tbias: type in [float32, qint32]; Toutput: type in "
       "[float32]; transpose_a: bool = false; transpose_b: bool = false; input_quant_mode: string = 'MIN_FIRST' in "
       "['MIN_FIRST', 'SCALED']"},
      {"QuantizedMatMulWithBiasAndRelu(a: T1, b: T2, bias: float32, min_a: float32, max_a: float32, min_b: float32, "
       "max_b: float32) -> (out: Toutput, min_out: float32, max_out: float32)",
       "T1: type in [quantized]; T2: type in [quantized]; Toutput: type = qint32 in [quantized]; transpose_a: bool = "
       "false; transpose_b: bool = false; input_quant_mode: string = 'MIN_FIRST' in ['MIN_FIRST', 'SCALED']"},
      {"QuantizedMatMulWithBiasAndReluAndRequantize(a: T1, b: T2, bias: Tbias, min_a: float32, max_a: float32, min_b: "
       "float32, max_b: float32, min_freezed_output: float32, max_freezed_output: float32) -> (out: Toutput, min_out: "
       "float32, max_out: float32)",
       "T1: type in [quantized]; T2: type in [quantized]; Tbias: type in [float32, qint32]; Toutput: type = quint8 in "
       "[quantized]; transpose_a: bool = false; transpose_b: bool = false; input_quant_mode: string = 'MIN_FIRST' in "
       "['MIN_FIRST', 'SCALED']"},
      {"QuantizedMatMulWithBiasAndRequantize(a: T1, b: T2, bias: Tbias, min_a: float32, max_a: float32, min_b: "
       "float32, max_b: float32, min_freezed_output: float32, max_freezed_output: float32) -> (out: Toutput, min_out: "
       "float32, max_out: float32)",
       "T1: type in [quantized]; T2: type in [quantized]; Tbias: type in [float32, qint32]; Toutput: type = quint8 in "
       "[quantized]; transpose_a: bool = false; transpose_b: bool = false; input_quant_mode: string = 'MIN_FIRST' in "
       "['MIN_FIRST', 'SCALED']"},
      {"QuantizedReluX(features: Tinput, max_value: float32, min_features: float32, max_features: float32) -> "
       "(activations: out_type, min_activations: float32, max_activations: float32)",
       "Tinput: type in [quantized]; out_type: type = quint8 in [quantized]"},
      {"UniformQuantize(input: Tin, scales: float32, zero_points: int32) -> (output: Tout)",
       "Tin: type in [float32]; Tout: type in [qint8, qint32]; quantization_axis: int = -1; quantization_min_val: int; "
       "quantization_max_val: int"},
      {"UniformQuantizedAdd(lhs: T, rhs: T, lhs_scales: float32, lhs_zero_points: int32, rhs_scales: float32, "
       "rhs_zero_points: int32, output_scales: float32, output_zero_points: int32) -> (output: T)",
       "lhs_quantization_axis: int = -1; lhs_quantization_min_val: int; lhs_quantization_max_val: int; "
       "rhs_quantization_axis: int = -1; rhs_quantization_min_val: int; rhs_quantization_max_val: int; "
       "output_quantization_axis: int = -1; output_quantization_min_val: int; output_quantization_max_val: int; T: "
       "type in [qint32]"},
      {"UniformQuantizedClipByValue(operand: T, min: T, max: T, scales: float32, zero_points: int32) -> (output: T)",
       "T: type in [qint32]; quantization_axis: int = -1; quantization_min_val: int; quantization_max_val: int"},
      {"UniformQuantizedConvolution(lhs: Tin, rhs: Tin, lhs_scales: float32, lhs_zero_points: int32, rhs_scales: "
       "float32, rhs_zero_points: int32, output_scales: float32, output_zero_points: int32) -> (output: Tout)",
       "Tin: type in [qint8]; Tout: type in [qint32]; window_strides: list(int) = []; padding: string; "
       "explicit_padding: list(int) = []; lhs_dilation: list(int) = []; rhs_dilation: list(int) = []; "
       "batch_group_count: int = 1; feature_group_count: int = 1; dimension_numbers: string = ''; "
       "lhs_quantization_axis: int = -1; lhs_quantization_min_val: int; lhs_quantization_max_val: int; "
       "rhs_quantization_axis: int = -1; rhs_quantization_min_val: int; rhs_quantization_max_val: int; "
       "output_quantization_axis: int = -1; output_quantization_min_val: int; output_quantization_max_val: int"},
      {"UniformQuantizedConvolutionHybrid(lhs: Tlhs, rhs: Trhs, rhs_scales: float32, rhs_zero_points: int32) -> "
       "(output: Tout)",
       "Tlhs: type in [float32]; Trhs: type in [qint8]; Tout: type in [float32]; window_strides: list(int) = []; "
       "padding: string; explicit_padding: list(int) = []; lhs_dilation: list(int) = []; rhs_dilation: list(int) = []; "
       "batch_group_count: int = 1; feature_group_count: int = 1; dimension_numbers: string = ''; "
       "rhs_quantization_axis: int = -1; rhs_quantization_min_val: int; rhs_quantization_max_val: int"},
      {"UniformQuantizedDot(lhs: Tin, rhs: Tin, lhs_scales: float32, lhs_zero_points: int32, rhs_scales: float32, "
       "rhs_zero_points: int32, output_scales: float32, output_zero_points: int32) -> (output: Tout)",
       "Tin: type in [qint8]; Tout: type in [qint32]; lhs_quantization_axis: int = -1; lhs_quantization_min_val: int; "
       "lhs_quantization_max_val: int; rhs_quantization_axis: int = -1; rhs_quantization_min_val: int; "
       "rhs_quantization_max_val: int; output_quantization_axis: int = -1; output_quantization_min_val: int; "
       "output_quantization_max_val: int"},
      {"UniformQuantizedDotHybrid(lhs: Tlhs, rhs: Trhs, rhs_scales: float32, rhs_zero_points: int32) -> (output: Tout)",
       "Tlhs: type in [float32]; Trhs: type in [qint8]; Tout: type in [float32]; rhs_quantization_axis: int = -1; "
       "rhs_quantization_min_val: int; rhs_quantization_max_val: int"},
      {"_FusedQuantizedConv2D(device_inputs: list(Tdevice_inputs), host_inputs: list(Thost_inputs)) -> "
       "(device_outputs: list(Tdevice_outputs), host_outputs: list(Thost_outputs))",
       "Tinput: type = quint8 in [quantized]; Tfilter: type = qint8 in [quantized]; Tbias: type = qint32 in [float32, "
       "qint32]; Tsummand: type in [float32, quint8, qint8, qint32]; out_type: type = qint32 in [quantized]; "
       "Tdevice_inputs: list(type) >= 0 = []; Thost_inputs: list(type) >= 0; Tdevice_outputs: list(type) >= 0 = []; "
       "Thost_outputs: list(type) >= 0; data_format: string = 'NHWC'; strides: list(int); is_filter_const: bool = "
       "true; is_bias_const: bool = true; padding: string in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: "
       "list(int) = []; dilations: list(int) = [1, 1, 1, 1]; fused_ops: list(string) = []; alpha: float = 0.0"},
      {"_FusedQuantizedDepthwiseConv2D(device_inputs: list(Tdevice_inputs), host_inputs: list(Thost_inputs)) -> "
       "(device_outputs: list(Tdevice_outputs), host_outputs: list(Thost_outputs))",
       "Tinput: type = quint8 in [quantized]; Tfilter: type = qint8 in [quantized]; Tbias: type = qint32 in [float32, "
       "qint32]; Tsummand: type in [float32, quint8, qint8, qint32]; out_type: type = qint32 in [quantized]; "
       "Tdevice_inputs: list(type) >= 0 = []; Thost_inputs: list(type) >= 0; Tdevice_outputs: list(type) >= 0 = []; "
       "Thost_outputs: list(type) >= 0; data_format: string = 'NHWC'; strides: list(int); is_filter_const: bool = "
       "true; is_bias_const: bool = true; padding: string in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: "
       "list(int) = []; dilations: list(int) = [1, 1, 1, 1]; fused_ops: list(string) = []; alpha: float = 0.0"},
  };
  return kSignatures;
}

}  // namespace plumb::known
